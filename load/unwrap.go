package load

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxLayers is how often an input may be wrapped: a gzip in a zip in a gzip.
const maxLayers = 4

// maxMembers is how many members of an archive are looked at.
const maxMembers = 10_000

// zstdMemory bounds the window that a zstd stream may ask for, in bytes.
const zstdMemory = 512 << 20

// input is an opened path: its bytes unwrapped, and how they were wrapped.
type input struct {
	*source
	wraps   []container
	size    int64    // of the file itself, 0 when not known
	members []string // of an archive that are traces
	skipped []string
	read    *countingReader // of the file itself; nil where that is mapped
}

// openInput opens a file, or standard input for "-".
func openInput(ctx context.Context, path string, limit int64) (*input, error) {
	if path == "-" {
		return openFile(ctx, os.Stdin, limit)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in, err := openFile(ctx, f, limit)
	if err != nil {
		f.Close()
		return nil, err
	}
	// Closed last: what was put there first. A mapping outlives its file.
	in.close = append([]func() error{f.Close}, in.close...)
	return in, nil
}

func openFile(ctx context.Context, f *os.File, limit int64) (*input, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a directory; expected a trace file", f.Name())
	}
	if !info.Mode().IsRegular() {
		return unwrapStream(ctx, f, nil, limit)
	}
	head := make([]byte, sniffLen)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch is := detectContainer(head[:n]); is {
	case plain:
		s, err := fileSource(f, info.Size())
		if err != nil {
			return nil, err
		}
		return &input{source: s, size: info.Size()}, nil
	case zipped:
		return unwrapZip(ctx, f, info.Size(), nil, limit)
	default:
		in, err := unwrapStream(ctx, f, nil, limit)
		if in != nil {
			in.size = info.Size()
		}
		return in, err
	}
}

// countingReader counts what was read, for progress.
type countingReader struct {
	r io.Reader
	n atomic.Int64
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n.Add(int64(n))
	return n, err
}

// unwrapStream decompresses a stream, layer by layer.
func unwrapStream(ctx context.Context, r io.Reader, wraps []container, limit int64) (*input, error) {
	count := &countingReader{r: r}
	r, wraps, err := lookInside(ctx, count, wraps)
	if err != nil {
		return nil, err
	}
	if len(wraps) > 0 && wraps[len(wraps)-1] == zipped {
		return unwrapZipStream(ctx, r, wraps[:len(wraps)-1], limit)
	}
	s, err := spool(ctx, r, limit)
	if err != nil {
		return nil, err
	}
	return &input{source: s, wraps: wraps, read: count}, nil
}

// lookInside is unwrapLayers, but does not wait longer than the context for a
// pipe that nobody writes to.
func lookInside(ctx context.Context, r io.Reader, wraps []container) (io.Reader, []container, error) {
	type found struct {
		r     io.Reader
		wraps []container
		err   error
	}
	done := make(chan found, 1)
	go func() {
		r, wraps, err := unwrapLayers(r, wraps)
		done <- found{r, wraps, err}
	}()
	select {
	case f := <-done:
		return f.r, f.wraps, f.err
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

// unwrapLayers puts a decompressor before r for each layer of compression. It
// stops at an archive, which it names as the last layer.
func unwrapLayers(r io.Reader, wraps []container) (io.Reader, []container, error) {
	for {
		br := bufio.NewReaderSize(r, 1<<16)
		head, err := br.Peek(magicLen)
		if err != nil && err != io.EOF && len(head) == 0 {
			return nil, nil, err
		}
		is := detectContainer(head)
		if is == plain {
			return br, wraps, nil
		}
		if len(wraps) == maxLayers {
			return nil, nil, fmt.Errorf("%w: wrapped more than %d times", ErrNotTrace, maxLayers)
		}
		wraps = append(wraps, is)
		switch is {
		case gz:
			z, err := gzip.NewReader(br)
			if err != nil {
				return nil, nil, fmt.Errorf("gzip: %w", err)
			}
			r = z
		case zst:
			z, err := zstd.NewReader(br, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(zstdMemory))
			if err != nil {
				return nil, nil, fmt.Errorf("zstd: %w", err)
			}
			r = z.IOReadCloser()
		case bz2:
			r = bzip2.NewReader(br)
		default: // an archive
			return br, wraps, nil
		}
	}
}

// unwrapZipStream keeps an archive that can't be read from its end, then reads
// it.
func unwrapZipStream(ctx context.Context, r io.Reader, wraps []container, limit int64) (*input, error) {
	s, err := spool(ctx, r, limit)
	if err != nil {
		return nil, err
	}
	data, err := s.all()
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	in, err := unwrapZip(ctx, bytes.NewReader(data), int64(len(data)), wraps, limit)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	in.close = append([]func() error{s.Close}, in.close...)
	return in, nil
}

// unwrapZip joins the members of an archive that are traces, one after the
// other. Each must be Trace Event JSON by its first bytes, once unwrapped.
func unwrapZip(ctx context.Context, r io.ReaderAt, size int64, wraps []container, limit int64) (*input, error) {
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("the archive's list of members, at its end, can't be read (it may be cut): %w", err)
	}
	in := &input{wraps: append(wraps, zipped), size: size}
	var parts []io.Reader
	for i, f := range archive.File {
		if f.FileInfo().IsDir() {
			continue
		}
		if i >= maxMembers {
			in.skipped = append(in.skipped, f.Name)
			continue
		}
		part, err := openMember(f)
		if err != nil {
			in.skipped = append(in.skipped, f.Name)
			continue
		}
		parts = append(parts, part, strings.NewReader("\n"))
		in.members = append(in.members, f.Name)
	}
	if len(in.members) == 0 {
		return nil, fmt.Errorf("%w: none of the archive's %d members is a trace", ErrNotTrace, len(archive.File))
	}
	in.source, err = spool(ctx, io.MultiReader(parts...), limit)
	if err != nil {
		return nil, err
	}
	return in, nil
}

// openMember looks into a member of an archive and returns a reader of it that
// opens it anew when its turn comes, so that only one is open at a time.
func openMember(f *zip.File) (io.Reader, error) {
	open := func() (io.Reader, io.Closer, error) {
		c, err := f.Open()
		if err != nil {
			return nil, nil, err
		}
		r, wraps, err := unwrapLayers(c, nil)
		if err == nil && len(wraps) > 0 && wraps[len(wraps)-1] == zipped {
			err = fmt.Errorf("%w: an archive in an archive", ErrNotTrace)
		}
		if err != nil {
			c.Close()
			return nil, nil, err
		}
		return r, c, nil
	}
	r, c, err := open()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	head, err := bufio.NewReaderSize(r, sniffLen).Peek(sniffLen)
	if len(head) == 0 && err != io.EOF {
		return nil, err
	}
	if !looksLikeJSON(head) {
		return nil, ErrNotTrace
	}
	return &memberReader{open: open}, nil
}

// memberReader opens a member when it is first read and closes it at its end.
type memberReader struct {
	open func() (io.Reader, io.Closer, error)
	r    io.Reader
	c    io.Closer
}

func (m *memberReader) Read(b []byte) (int, error) {
	if m.r == nil {
		r, c, err := m.open()
		if err != nil {
			return 0, err
		}
		m.r, m.c = r, c
	}
	n, err := m.r.Read(b)
	if err != nil && m.c != nil {
		m.c.Close()
		m.c = nil
	}
	return n, err
}
