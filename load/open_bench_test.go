package load

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/weft-trace/weft/bench/gen"
)

// generated writes a file of the generator's and returns its path and size.
func generated(b *testing.B, spec gen.Spec) (path string, size int64) {
	b.Helper()
	path = filepath.Join(b.TempDir(), spec.String()+".json")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if err := spec.Write(f); err != nil {
		b.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	return path, info.Size()
}

func BenchmarkOpen(b *testing.B) {
	for _, kind := range []string{"x", "mix", "onethreadBE"} {
		b.Run(kind, func(b *testing.B) {
			path, size := generated(b, gen.Spec{Kind: kind, N: 500_000, Seed: 1})
			b.SetBytes(size)
			for b.Loop() {
				t, err := Open(context.Background(), path, Options{})
				if err != nil {
					b.Fatal(err)
				}
				t.Close()
			}
		})
	}
	b.Run("x by encoding/json", func(b *testing.B) {
		path, size := generated(b, gen.Spec{Kind: "x", N: 100_000, Seed: 1})
		b.SetBytes(size)
		type event struct {
			Name, Cat, Ph string
			TS, Dur       float64
			PID, TID      int64
			Args          struct {
				Frame int64
				URL   string
			}
		}
		for b.Loop() {
			text, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			var doc struct{ TraceEvents []event }
			if err := json.Unmarshal(text, &doc); err != nil {
				b.Fatal(err)
			}
		}
	})
}
