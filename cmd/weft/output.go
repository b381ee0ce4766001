package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is how many symbolic links may lead to a file that does not exist.
const maxLinks = 40

// toOutput has f write to standard output, or to what path names. A regular
// file changes only when the result is whole, and stays what it was: links to
// it hold, and so do its mode and owner. What is no regular file (a FIFO, a
// device) is written through.
func (a *app) toOutput(path string, f func(*os.File) error) error {
	if path == "" || path == "-" {
		return f(a.out)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		target, err := linkTarget(path)
		if err != nil {
			return err
		}
		return named(path, writeWhole(target, nil, f))
	case err != nil:
		return named(path, err)
	case info.IsDir():
		return fmt.Errorf("%s is a directory", path)
	}
	if out, err := a.out.Stat(); err == nil && os.SameFile(info, out) {
		return f(a.out) // /dev/stdout, by any name
	}
	if !info.Mode().IsRegular() || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/") {
		return named(path, writeThrough(path, f))
	}
	if info.Mode().Perm()&0o222 == 0 {
		return fmt.Errorf("%s is read-only", path) // even for a user who may do anything
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return named(path, err)
	}
	return named(path, writeWhole(target, info, f))
}

// linkTarget is the file to make where path does not exist: path itself, or
// what it links to.
func linkTarget(path string) (string, error) {
	target := path
	for range maxLinks {
		next, err := os.Readlink(target)
		if err != nil {
			return target, nil
		}
		if !filepath.IsAbs(next) {
			next = filepath.Join(filepath.Dir(target), next)
		}
		target = next
	}
	return "", fmt.Errorf("%s: too many links", path)
}

// writeThrough writes to what is no regular file, or is open already. Such a
// thing has no end to cut off.
func writeThrough(path string, f func(*os.File) error) error {
	w, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	if err := f(w); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}

// writeWhole writes a file that exists (old) or does not (nil). The result goes
// to a temporary file first, which then takes the file's place, or is copied
// into it where replacing it would break a hard link or change its owner, or
// its folder takes no new file.
func writeWhole(path string, old fs.FileInfo, f func(*os.File) error) (err error) {
	if old != nil { // may it be written at all?
		w, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		w.Close()
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".weft-*")
	inPlace := old != nil && links(old) > 1
	if err != nil && old != nil {
		inPlace = true
		temp, err = os.CreateTemp("", "weft-*")
	}
	if err != nil {
		return err
	}
	remove := func() { os.Remove(temp.Name()) }
	defer onExit(remove)()
	defer remove() // after a rename nothing is there
	defer temp.Close()
	if err := f(temp); err != nil {
		return err
	}
	// A temporary file is its owner's alone; a result is like any new file, or
	// like the one that it replaces.
	mode := newFileMode()
	if old != nil {
		mode = old.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
		inPlace = inPlace || !keepOwner(temp, old)
	}
	if inPlace {
		return copyInto(path, temp)
	}
	if err := temp.Chmod(mode); err != nil {
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// copyInto replaces the content of a file.
func copyInto(path string, from *os.File) error {
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	if _, err := io.Copy(to, from); err != nil {
		to.Close()
		return err
	}
	return to.Close()
}

// named makes an error of the file system name what the user named, not the
// temporary file that stands for it. Other errors are left alone.
func named(path string, err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return fmt.Errorf("%s: %w", path, p.Err)
	case errors.As(err, &l):
		return fmt.Errorf("%s: %w", path, l.Err)
	default:
		return err
	}
}
