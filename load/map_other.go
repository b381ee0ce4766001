//go:build !unix

package load

import (
	"io"
	"os"
)

// mapFile reads a file: what this system lacks is only the saving of memory.
func mapFile(f *os.File, size int64) (data []byte, unmap func() error, err error) {
	data = make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, size), data); err != nil {
		return nil, nil, err
	}
	return data, func() error { return nil }, nil
}

// spoolMemory keeps what is decompressed in memory.
type spoolMemory struct {
	s    *source
	data []byte
}

func newSpoolWriter(s *source, _ int64) (spoolWriter, error) {
	return &spoolMemory{s: s}, nil
}

func (w *spoolMemory) write(b []byte) error {
	w.data = append(w.data, b...)
	return nil
}

func (w *spoolMemory) end() error {
	if err := w.s.setData(w.data, func() error { return nil }); err != nil {
		return err
	}
	w.s.advance(int64(len(w.data)))
	return nil
}

// willRead is a hint that only Linux takes.
func willRead([]byte, int, int) {}

// wasRead is a hint that only Linux takes.
func wasRead([]byte, int, int) {}
