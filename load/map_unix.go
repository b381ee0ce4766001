//go:build unix

package load

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file for reading.
func mapFile(f *os.File, size int64) (data []byte, unmap func() error, err error) {
	if size > math.MaxInt {
		return nil, nil, fmt.Errorf("%d bytes are more than this machine can address", size)
	}
	data, err = unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return data, func() error { return unix.Munmap(data) }, nil
}

// spoolFile is a file without a name that grows under the source's mapping.
type spoolFile struct {
	f    *os.File
	s    *source
	size int64
	live bool // mapped already, beyond its end
}

func newSpoolWriter(s *source, limit int64) (spoolWriter, error) {
	f, err := os.CreateTemp("", "weft-*")
	if err != nil {
		return nil, err
	}
	// Without a name it is gone with the process, however that ends.
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	w := &spoolFile{f: f, s: s}
	if mapGrows {
		// Where so much can't be mapped, the file is mapped at its end.
		if data, unmap, err := mapFile(f, min(limit, math.MaxInt)); err == nil {
			w.live = true
			return w, s.setData(data, unmap)
		}
	}
	return w, nil
}

func (w *spoolFile) write(b []byte) error {
	n, err := w.f.Write(b)
	w.size += int64(n)
	if w.live {
		w.s.advance(w.size)
	}
	return err
}

func (w *spoolFile) end() error {
	defer w.f.Close()
	if w.live || w.size == 0 {
		return nil
	}
	data, unmap, err := mapFile(w.f, w.size)
	if err != nil {
		return err
	}
	if err := w.s.setData(data, unmap); err != nil {
		return err
	}
	w.s.advance(w.size)
	return nil
}
