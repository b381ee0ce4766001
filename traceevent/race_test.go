//go:build race

package traceevent

// One goroutine scans, so what the race detector can find here is pointers that
// go astray, and small documents show them.
const (
	corpusSize = 128 << 10 // the largest file of the corpus that tests read
	linearSize = 32 << 10  // the smaller of the documents whose times are compared
)
