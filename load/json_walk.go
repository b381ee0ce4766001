package load

import "github.com/weft-trace/weft/traceevent"

// eachElement calls f for each element of an array, in order, until it returns
// false. offset is where in the array the element begins. It does nothing with
// what is no array.
func eachElement(array traceevent.Raw, f func(value traceevent.Raw, offset int) bool) {
	var e elements
	for e.reset(array); e.next(); {
		if !f(e.value, e.offset) {
			return
		}
	}
}

// elements goes through an array one element at a time.
type elements struct {
	tok    traceevent.Tokenizer
	value  traceevent.Raw // the element at hand
	offset int            // where in the array it begins
	open   bool
}

// reset begins with another value. What is no array has no elements.
func (e *elements) reset(array traceevent.Raw) {
	e.tok.Reset(array)
	e.open = array.Kind() == traceevent.KindArray && e.tok.Next() == traceevent.TokenArrayStart
}

// next goes to the next element; false behind the last one.
func (e *elements) next() bool {
	if !e.open {
		return false
	}
	kind := e.tok.Next()
	e.offset = e.tok.Offset()
	e.value = e.tok.Raw()
	switch kind {
	case traceevent.TokenObjectStart, traceevent.TokenArrayStart:
		e.value = e.tok.Skip()
		return e.value != nil
	case traceevent.TokenArrayEnd, traceevent.TokenEnd, traceevent.TokenInvalid:
		e.open = false
		return false
	default: // a scalar is all in its token
		return true
	}
}
