package trace

// ArgSetID names a set of args; zero is none. Ids are dense and follow the
// order of the input.
type ArgSetID uint32

// ArgKind is the type of an arg's value.
type ArgKind uint8

// The types of args.
const (
	ArgNull ArgKind = iota
	ArgBool
	ArgInt      // 64-bit signed
	ArgUint     // an unsigned integer beyond int64
	ArgReal     // any other number
	ArgString   //
	ArgJSON     // an empty object or array, as it stands
	ArgPointer  // an address
	ArgSnapshot // a reference that was resolved: Int is the row of ObjectSnapshots
)

var argKindNames = [...]string{"null", "bool", "int", "uint", "real", "string", "json", "pointer", "object_snapshot"}

// String is the kind's name as the column args.value_type shows it.
func (k ArgKind) String() string { return argKindNames[k] }

// Arg is one leaf of a set of args. Its byte slices are valid only until the
// visitor returns.
type Arg struct {
	Key     []byte  // where it stands: args.list[3].url
	FlatKey []byte  // the key without array indexes: args.list.url
	Kind    ArgKind //
	Int     int64   // ArgBool (0, 1), ArgInt, ArgPointer, ArgSnapshot; ArgUint: its 64 bits
	Real    float64 // ArgReal
	Text    []byte  // ArgString: the decoded text; other kinds: the value as it stands in the input
	JSON    []byte  // the value as JSON text
}

// ArgDecoder unpacks the args of one format. It must be safe for concurrent
// use. loc is what the loader stored for the set.
type ArgDecoder interface {
	// DecodeArgs calls visit for each leaf at loc in the input's order, until
	// visit returns false.
	DecodeArgs(loc uint64, visit func(*Arg) bool)
	// ArgsJSON appends the whole set as one JSON value.
	ArgsJSON(dst []byte, loc uint64) []byte
}

const (
	argLocBits = 56
	argLocMask = 1<<argLocBits - 1
)

// ArgSets knows where the args of each set lie and how to unpack them. Nothing
// is unpacked before it is asked for.
type ArgSets struct {
	decoders []ArgDecoder
	locs     []uint64 // index: ArgSetID-1; the top byte is the decoder
}

// Register adds a decoder and returns the number that Add takes for it. At
// most 256 decoders can be registered.
func (a *ArgSets) Register(d ArgDecoder) (decoder uint8) {
	a.decoders = append(a.decoders, d)
	return uint8(len(a.decoders) - 1)
}

// Add makes a new set whose args lie at loc, which must fit in 56 bits.
func (a *ArgSets) Add(decoder uint8, loc uint64) ArgSetID {
	a.locs = append(a.locs, uint64(decoder)<<argLocBits|loc&argLocMask)
	return ArgSetID(len(a.locs))
}

// Reserve makes room for n more sets.
func (a *ArgSets) Reserve(n int) { grow(&a.locs, n) }

// Loc is where the args of a set lie, as its decoder knows it.
func (a *ArgSets) Loc(id ArgSetID) uint64 { return a.locs[id-1] & argLocMask }

// Move tells that the args of a set lie somewhere else.
func (a *ArgSets) Move(id ArgSetID, decoder uint8, loc uint64) {
	a.locs[id-1] = uint64(decoder)<<argLocBits | loc&argLocMask
}

// Len is the number of sets; ids run from 1 to Len.
func (a *ArgSets) Len() int { return len(a.locs) }

// Decode calls visit for every leaf of a set, in the input's order, until it
// returns false.
func (a *ArgSets) Decode(id ArgSetID, visit func(*Arg) bool) {
	if id == 0 || int(id) > len(a.locs) {
		return
	}
	loc := a.locs[id-1]
	a.decoders[loc>>argLocBits].DecodeArgs(loc&argLocMask, visit)
}

// JSON appends a whole set as one JSON value to dst; nothing for the zero id.
func (a *ArgSets) JSON(dst []byte, id ArgSetID) []byte {
	if id == 0 || int(id) > len(a.locs) {
		return dst
	}
	loc := a.locs[id-1]
	return a.decoders[loc>>argLocBits].ArgsJSON(dst, loc&argLocMask)
}
