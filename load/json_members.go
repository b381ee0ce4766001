package load

import "github.com/weft-trace/weft/traceevent"

// memberWalk visits the members of objects, one level deep. It keeps its
// memory for the next object.
type memberWalk struct {
	tok traceevent.Tokenizer
	key []byte
}

// visit calls f for each member of an object, in order, until it returns
// false. The key is decoded and valid until f returns; offset is where in the
// object the value begins. It does nothing with what is no object.
func (w *memberWalk) visit(object traceevent.Raw, f func(key []byte, value traceevent.Raw, offset int) bool) {
	if object.Kind() != traceevent.KindObject {
		return
	}
	w.tok.Reset(object)
	w.tok.Next()
	for w.tok.Next() == traceevent.TokenKey {
		w.key = w.tok.Raw().AppendText(w.key[:0])
		kind := w.tok.Next()
		offset := w.tok.Offset()
		value := w.tok.Raw()
		switch kind {
		case traceevent.TokenObjectStart, traceevent.TokenArrayStart:
			value = w.tok.Skip()
		case traceevent.TokenEnd, traceevent.TokenInvalid:
			return
		default: // a scalar is all in its token
		}
		if !f(w.key, value, offset) {
			return
		}
	}
}

// members is memberWalk.visit for where the memory doesn't matter.
func members(object traceevent.Raw, f func(key []byte, value traceevent.Raw, offset int) bool) {
	new(memberWalk).visit(object, f)
}
