//go:build !race

package traceevent

const (
	corpusSize = 4 << 20 // the largest file of the corpus that tests read
	linearSize = 1 << 20 // the smaller of the documents whose times are compared
)
