//go:build !unix

package main

import (
	"io/fs"
	"os"
)

// newFileMode is the mode that a new file gets.
func newFileMode() os.FileMode { return 0o666 }

// links is how many names a file has, as far as can be told here.
func links(fs.FileInfo) uint64 { return 1 }

// keepOwner does nothing: files here belong to whom their folder says.
func keepOwner(*os.File, fs.FileInfo) bool { return true }
