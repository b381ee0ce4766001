//go:build unix

package main

import (
	"os"
	"syscall"
)

// newFileMode is the mode that a new file gets: read and write for all whom
// the user's mask does not exclude.
func newFileMode() os.FileMode {
	mask := syscall.Umask(0)
	syscall.Umask(mask)
	return 0o666 &^ os.FileMode(mask)
}
