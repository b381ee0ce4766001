//go:build unix

package main

import (
	"io/fs"
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

// links is how many names a file has.
func links(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}

// keepOwner gives a file the owner and group of another; false where it can't.
func keepOwner(f *os.File, like fs.FileInfo) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	have, ok := info.Sys().(*syscall.Stat_t)
	want, ok2 := like.Sys().(*syscall.Stat_t)
	if !ok || !ok2 {
		return false
	}
	return have.Uid == want.Uid && have.Gid == want.Gid || f.Chown(int(want.Uid), int(want.Gid)) == nil
}
