package traceevent

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// plainDecimal is what shortNumber takes: a number of the standard, short, that
// something ends.
var plainDecimal = regexp.MustCompile(`^(0|[1-9][0-9]{0,15})(\.[0-9]{1,3})?[,} \t\r\n]`)

// checkShortNumber compares shortNumber with the ways that read any number.
func checkShortNumber(t *testing.T, doc string) {
	t.Helper()
	m := plainDecimal.FindStringSubmatchIndex(doc)
	for _, micros := range []bool{true, false} {
		v, end := shortNumber([]byte(doc), 0, micros)
		if end == 0 {
			// Times near the end of int64 may be left to the slow way.
			if m != nil && (m[4] < 0 || micros) && m[3] < 16 {
				t.Errorf("%q: nothing, of a plain decimal", doc)
			}
			continue
		}
		if m == nil || end != m[1]-1 || !micros && m[4] >= 0 {
			t.Errorf("%q: %d bytes taken for a number", doc, end)
			continue
		}
		number := Raw(doc[:end])
		if ns, state := number.Nanos(); micros && (v != ns || state != TimeOK) {
			t.Errorf("%q: %d ns, want %d %s", doc, v, ns, state)
		}
		if n, ok := number.Int64(); !micros && (v != n || !ok) {
			t.Errorf("%q: %d, want %d %t", doc, v, n, ok)
		}
	}
}

// No byte but a digit is one, wherever it stands.
func TestShortNumberBytes(t *testing.T) {
	for n := 1; n <= 17; n++ {
		for b := range 256 {
			digits := strings.Repeat("1", n)
			checkShortNumber(t, digits+string([]byte{byte(b)})+"2,       ")
			checkShortNumber(t, digits+string([]byte{byte(b)})+",")
			checkShortNumber(t, digits+"."+string([]byte{byte(b)})+",        ")
			checkShortNumber(t, digits+string([]byte{byte(b)}))
		}
	}
}

func TestShortNumberRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	const common = "0123456789012345678901234567890123456789..,} :/+-eE"
	for range 200_000 {
		doc := make([]byte, 1+rnd.IntN(24))
		for i := range doc {
			doc[i] = common[rnd.IntN(len(common))]
			if rnd.IntN(16) == 0 {
				doc[i] = byte(rnd.Uint32())
			}
		}
		doc[0] = '0' + byte(rnd.IntN(10))
		checkShortNumber(t, string(doc))
	}
}
