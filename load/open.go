// Package load opens traces: it finds out what a file is, decompresses it while
// it decodes it, and builds the model of package trace.
//
// The way of a Trace Event file through the package:
//
//	open.go, detect.go, unwrap.go   the path: what is it, how is it wrapped
//	source.go, map_*.go             its bytes, mapped or still coming
//	json_load.go                    the document: members, and arrays cut in chunks
//	json_chunk.go, json_async.go …  one chunk, decoded on a goroutine of its own
//	json_join.go                    chunks joined, slices nested, flows bound
//	json_metadata.go, json_objects.go … the events of which traces have few
//	json_args.go, json_flatten.go   args, decoded when someone looks
//
// Nothing that the input holds is dropped without a word: what can't be used
// is a trace.Problem of one of the kinds in problems_*.go.
package load

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/weft-trace/weft/trace"
)

// Options say how to open a trace. The zero value is a good choice.
type Options struct {
	// Progress is told now and then how far the work has come. It is called
	// from one goroutine at a time and must return soon.
	Progress func(Progress)
	// Log is told what each step cost, and a detail about it.
	Log func(step string, took time.Duration, detail string)
	// Parallel is how many goroutines decode and build; 0 is one for each cpu.
	Parallel int
	// MaxSize is how many bytes an input may have once decompressed; 0 is
	// 64 GiB. It guards against archives made to fill disks.
	MaxSize int64

	chunkSize int // bytes of text that are decoded at once; 0 is a good size
}

// Progress says how far opening a trace has come.
type Progress struct {
	Stage string // what is being done: "decode" or "build"
	Done  int64  // bytes of the file that are dealt with
	Total int64  // bytes of the file; 0 when not known
}

// defaultMaxSize is Options.MaxSize when it is 0.
const defaultMaxSize = 64 << 30

// Open opens the trace at path, standard input for "-". It fails only when
// nothing can be read: with an error that wraps [ErrNotTrace] when the format
// is unknown, the context's when that is cancelled, or the system's. What is
// wrong with a trace that can be read is in its Problems.
//
// The caller must Close the trace.
func Open(ctx context.Context, path string, opts Options) (*trace.Trace, error) {
	limit := opts.MaxSize
	if limit <= 0 {
		limit = defaultMaxSize
	}
	in, err := openInput(ctx, path, limit)
	if err != nil {
		return nil, inputError(path, err)
	}
	t, err := openTrace(ctx, in, path, opts)
	if err != nil {
		return nil, inputError(path, errors.Join(err, in.Close()))
	}
	t.OnClose(in)
	return t, nil
}

// inputError names the input in an error that doesn't.
func inputError(path string, err error) error {
	if path == "-" {
		path = "standard input"
	}
	return fmt.Errorf("%s: %w", path, err)
}

func openTrace(ctx context.Context, in *input, path string, opts Options) (*trace.Trace, error) {
	doc, end := in.upTo(sniffLen)
	if end && in.err != nil && len(doc) == 0 {
		return nil, in.err
	}
	head := doc[:min(len(doc), sniffLen)]
	if !looksLikeJSON(head) {
		return nil, errUnknown(head)
	}
	return loadJSON(ctx, in, path, opts)
}
