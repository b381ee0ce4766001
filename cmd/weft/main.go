// Command weft answers questions about traces from the command line.
//
// Each command has a file of its own that reads its flags, calls a package and
// prints. Exit codes: 0 for success, 1 for a failure (or, of check, problems),
// 2 for wrong usage (or, of check, a file that can't be read), 130 when
// interrupted, 143 when terminated.
package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

func main() {
	// A batch job over columns that hold no pointers: a collection costs next
	// to nothing, and what counts is the memory at its peak. So collections
	// come early, but not for the first megabytes: the ballast, which is never
	// touched and so takes no memory, counts as heap. Whoever sets GOGC knows
	// better.
	var ballast []byte
	if os.Getenv("GOGC") == "" {
		ballast = make([]byte, 64<<20)
		debug.SetGCPercent(8)
	}
	code := run(os.Args[1:])
	runtime.KeepAlive(ballast)
	os.Exit(code)
}
