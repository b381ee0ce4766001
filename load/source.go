package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// source is an input as one stretch of bytes: a mapped file, or what is still
// being decompressed into one. Readers get it as far as it has come.
type source struct {
	mu    sync.Mutex
	grown sync.Cond
	data  []byte // the whole mapping; beyond size it must not be touched
	size  int64  // bytes that are there
	done  bool   // no more will come
	err   error  // why it ended early
	gone  bool   // closed
	file  bool   // data is a mapped file, which the system can bring back
	close []func() error
}

func newSource() *source {
	s := &source{}
	s.grown.L = &s.mu
	return s
}

// upTo waits until n bytes are there, or the end, and returns all that is
// there and whether that is all there will be.
func (s *source) upTo(n int64) (doc []byte, end bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.size < n && !s.done {
		s.grown.Wait()
	}
	return s.data[:s.size:s.size], s.done
}

// all waits for the end and returns everything, and the error that ended it
// early.
func (s *source) all() ([]byte, error) {
	doc, _ := s.upTo(1 << 62)
	return doc, s.err
}

// endsAt says whether nothing comes at an offset or behind it. It waits until
// that is known.
func (s *source) endsAt(offset int) bool {
	doc, end := s.upTo(int64(offset) + 1)
	return end && offset >= len(doc)
}

// willRead and wasRead say which stretch is about to be read, and which was.
// What lies in a file is made ready at once, and let go of afterwards.
func (s *source) willRead(doc []byte, from, to int) {
	if s.file {
		willRead(doc, from, to)
	}
}

func (s *source) wasRead(doc []byte, from, to int) {
	if s.file {
		wasRead(doc, from, to)
	}
}

// total is how many bytes there will be; 0 as long as that is not known.
func (s *source) total() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.done {
		return 0
	}
	return s.size
}

// advance tells that the source has grown to size bytes.
func (s *source) advance(size int64) {
	s.mu.Lock()
	if !s.gone {
		s.size = size
	}
	s.mu.Unlock()
	s.grown.Broadcast()
}

// finish tells that no more will come.
func (s *source) finish(err error) {
	s.mu.Lock()
	if !s.done {
		s.done, s.err = true, err
	}
	s.mu.Unlock()
	s.grown.Broadcast()
}

// Close releases the bytes, which nobody may look at any more. It does not wait
// for a decompressor that hangs in a read: that ends by itself.
func (s *source) Close() error {
	s.mu.Lock()
	closers := s.close
	s.close, s.data, s.size, s.gone = nil, nil, 0, true
	s.mu.Unlock()
	var errs []error
	for i := len(closers) - 1; i >= 0; i-- {
		errs = append(errs, closers[i]())
	}
	return errors.Join(errs...)
}

// setData gives the source its bytes, and what releases them, unless it was
// closed meanwhile.
func (s *source) setData(data []byte, release func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return release()
	}
	s.data, s.file = data, true
	s.close = append(s.close, release)
	return nil
}

// fileSource maps a regular file.
func fileSource(f *os.File, size int64) (*source, error) {
	s := newSource()
	if size > 0 {
		data, unmap, err := mapFile(f, size)
		if err != nil {
			return nil, fmt.Errorf("map %s: %w", f.Name(), err)
		}
		s.data, s.file, s.close = data, true, []func() error{unmap}
	}
	s.size, s.done = size, true
	return s, nil
}

// spool reads r to its end on a goroutine of its own into a file without a
// name, so that what is decompressed takes no memory and can be decoded while
// more comes. At most limit bytes are taken.
func spool(ctx context.Context, r io.Reader, limit int64) (*source, error) {
	s := newSource()
	w, err := newSpoolWriter(s, limit)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	s.close = append(s.close, func() error { stop(); return nil })
	// Who waits for more must not wait for a read that never returns.
	context.AfterFunc(ctx, func() { s.finish(context.Cause(ctx)) })
	go func() {
		err := copySpool(ctx, w, r, limit)
		s.finish(errors.Join(err, w.end()))
	}()
	return s, nil
}

// spoolWriter takes what is decompressed.
type spoolWriter interface {
	write(b []byte) error // and lets the source grow, where it can before the end
	end() error           // nothing more will be written: the source has everything now
}

// spoolBuffer is how much is decompressed between two looks at whether to stop.
const spoolBuffer = 1 << 20

func copySpool(ctx context.Context, w spoolWriter, r io.Reader, limit int64) error {
	buf := make([]byte, spoolBuffer)
	var size int64
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := fill(r, buf)
		size += int64(n)
		if size > limit {
			return fmt.Errorf("more than %d bytes once decompressed", limit)
		}
		if n > 0 {
			if err := w.write(buf[:n]); err != nil {
				return fmt.Errorf("keep decompressed input: %w", err)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// fill reads until buf is full or an error comes, which is the reader's own.
func fill(r io.Reader, buf []byte) (n int, err error) {
	for n < len(buf) && err == nil {
		var m int
		m, err = r.Read(buf[n:])
		n += m
	}
	return n, err
}
