package traceevent

import "math/bits"

// Field is one of the members that the specification gives an event.
type Field uint8

// The fields of an event. FieldTS to FieldTDur are times, FieldPID and
// FieldTID follow them: the decoder reads these six while it scans.
const (
	FieldName Field = iota
	FieldCat
	FieldPh
	FieldTS
	FieldDur
	FieldTTS
	FieldTDur
	FieldPID
	FieldTID
	FieldArgs
	FieldID
	FieldID2
	FieldScope
	FieldS
	FieldCName
	FieldTICount
	FieldTIDelta
	FieldSF
	FieldESF
	FieldStack
	FieldEStack
	FieldBP
	FieldBindID
	FieldFlowIn
	FieldFlowOut
	FieldUseAsyncTTS
	NumFields // how many there are

	noField Field = 0xff
)

// String is the field's key in the JSON: "ts".
func (f Field) String() string {
	if f >= NumFields {
		return "unknown field"
	}
	return Fields[f].Key
}

// FieldSpec describes one field: the decoder, the writer and the documentation
// read the same table.
type FieldSpec struct {
	Key     string // in the JSON
	Type    string // what the value should be, with its unit
	Section string // of the specification
	Meaning string // one line
}

// Fields is the table of all fields, indexed by Field.
var Fields = [NumFields]FieldSpec{
	FieldName:        {"name", "string", "Event Descriptions", "what the event is called"},
	FieldCat:         {"cat", "string", "Event Descriptions", "categories, separated by commas"},
	FieldPh:          {"ph", "string of one character", "Event Descriptions", "the phase: which type of event this is"},
	FieldTS:          {"ts", "decimal, microseconds", "Event Descriptions", "when, on the tracing clock"},
	FieldDur:         {"dur", "decimal, microseconds", "Complete Events", "how long, on the tracing clock"},
	FieldTTS:         {"tts", "decimal, microseconds", "Event Descriptions", "when, on the thread's clock"},
	FieldTDur:        {"tdur", "decimal, microseconds", "Complete Events", "how long, on the thread's clock"},
	FieldPID:         {"pid", "integer or string", "Event Descriptions", "the process"},
	FieldTID:         {"tid", "integer or string", "Event Descriptions", "the thread"},
	FieldArgs:        {"args", "object", "Event Descriptions", "whatever else there is to say; some phases keep required values here"},
	FieldID:          {"id", "string or integer", "Async Events", "which async operation, flow, object or counter"},
	FieldID2:         {"id2", `object {"local": id} or {"global": id}`, "More about IDs", "the id, and whether it counts in its process or everywhere"},
	FieldScope:       {"scope", "string", "Async Events", "the name space of the id"},
	FieldS:           {"s", `string "g", "p" or "t"`, "Instant Events", "how far an instant reaches: global, process, thread"},
	FieldCName:       {"cname", "string", "Event Descriptions", "a reserved colour name"},
	FieldTICount:     {"ticount", "integer", "Complete Events", "instructions of the thread so far"},
	FieldTIDelta:     {"tidelta", "integer", "Complete Events", "instructions of the thread during the event"},
	FieldSF:          {"sf", "string or integer", "Stack Traces on Duration Events", "stack at the start: an id in stackFrames"},
	FieldESF:         {"esf", "string or integer", "Complete Events", "stack at the end: an id in stackFrames"},
	FieldStack:       {"stack", "array of strings", "Stack Traces on Duration Events", "stack at the start, root first"},
	FieldEStack:      {"estack", "array of strings", "Complete Events", "stack at the end, root first"},
	FieldBP:          {"bp", `string "e"`, "Flow Events", "a flow end binds to the slice around it, not the next one"},
	FieldBindID:      {"bind_id", "string or integer", "Flow Events", "the flow that this slice takes part in"},
	FieldFlowIn:      {"flow_in", "boolean", "Flow Events", "the flow bind_id arrives here"},
	FieldFlowOut:     {"flow_out", "boolean", "Flow Events", "the flow bind_id leaves here"},
	FieldUseAsyncTTS: {"use_async_tts", "boolean or 0, 1", "Async Events", "tts of this async event may be compared across threads"},
}

// FieldSet is a set of fields, a bit per Field.
type FieldSet uint32

// Has tells whether f is in the set.
func (s FieldSet) Has(f Field) bool { return s>>f&1 != 0 }

// With is the set with f added.
func (s FieldSet) With(f Field) FieldSet { return s | 1<<f }

// Len is the number of fields in the set.
func (s FieldSet) Len() int { return bits.OnesCount32(uint32(s)) }

// All yields the fields of the set in the order of the table.
func (s FieldSet) All(yield func(Field) bool) {
	for s != 0 {
		if !yield(Field(bits.TrailingZeros32(uint32(s)))) {
			return
		}
		s &= s - 1
	}
}

// isTime tells whether f is one of the four times.
func isTime(f Field) bool { return f-FieldTS <= FieldTDur-FieldTS }

// keyWord recognises a key of up to seven bytes by one load: the key and its
// closing quote as they stand in memory.
type keyWord struct {
	word  uint64 // little-endian: the first byte of the key is the lowest
	mask  uint64 // of the key's bytes and the quote's
	field Field
	size  uint8 // bytes of the key with its closing quote
}

const (
	keyHashBits  = 7
	keyHashShift = 64 - keyHashBits
)

// keyTable holds the short keys, hashed by their word; keyHashMul is found so that
// no two of them meet. The long keys are looked up in longKeys.
var (
	keyTable   [1 << keyHashBits]keyWord
	keyHashMul uint64
	longKeys   = map[string]Field{}
)

func init() {
	var short []keyWord
	for f := range NumFields {
		key := Fields[f].Key
		if len(key) > 7 {
			longKeys[key] = f
			continue
		}
		k := keyWord{field: f, size: uint8(len(key) + 1)}
		for i, c := range []byte(key + `"`) {
			k.word |= uint64(c) << (8 * i)
			k.mask |= 0xff << (8 * i)
		}
		short = append(short, k)
	}
	keyHashMul = 0x9e3779b97f4a7c15
	for !fillKeyTable(short) {
		keyHashMul = keyHashMul*6364136223846793005 + 1442695040888963407 | 1
	}
}

// fillKeyTable places the keys by the present multiplier; false when two meet.
func fillKeyTable(short []keyWord) bool {
	clear(keyTable[:])
	for _, k := range short {
		slot := &keyTable[k.word*keyHashMul>>keyHashShift]
		if slot.size != 0 {
			return false
		}
		*slot = k
	}
	return true
}

// fieldOf looks a key up, whatever its length.
func fieldOf(key []byte) Field {
	if len(key) > 7 {
		if f, ok := longKeys[string(key)]; ok {
			return f
		}
		return noField
	}
	word := uint64('"') << (8 * len(key))
	for i, c := range key {
		word |= uint64(c) << (8 * i)
	}
	if k := &keyTable[word*keyHashMul>>keyHashShift]; k.word == word {
		return k.field
	}
	return noField
}
