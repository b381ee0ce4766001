//go:build unix && !linux

package load

// mapGrows says that a mapping shows what is written to the file later, also
// behind what was its end when it was mapped: only Linux promises it.
const mapGrows = false

// willRead is a hint that only Linux takes.
func willRead([]byte, int, int) {}

// wasRead is a hint that only Linux takes.
func wasRead([]byte, int, int) {}
