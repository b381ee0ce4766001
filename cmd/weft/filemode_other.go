//go:build !unix

package main

import "os"

// newFileMode is the mode that a new file gets.
func newFileMode() os.FileMode { return 0o666 }
