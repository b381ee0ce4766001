//go:build !cgo

package query

import (
	"context"
	"errors"

	"github.com/weft-trace/weft/trace"
)

// ErrNoEngine is what SQL says in a program that was built without it.
var ErrNoEngine = errors.New("this program was built without SQL: build it again with CGO_ENABLED=1 and a C compiler")

// DB is a trace opened for SQL.
type DB struct{}

// Open returns ErrNoEngine: the SQL engine is written in C++ and needs cgo.
func Open(*trace.Trace, Options) (*DB, error) { return nil, ErrNoEngine }

// Starting is the SQL engine getting ready.
type Starting struct{}

// Start does nothing: there is no engine.
func Start(Options) *Starting { return &Starting{} }

// Open returns ErrNoEngine.
func (*Starting) Open(*trace.Trace) (*DB, error) { return nil, ErrNoEngine }

// Close does nothing.
func (*Starting) Close() {}

// Query returns ErrNoEngine.
func (*DB) Query(context.Context, string) (*Rows, error) { return nil, ErrNoEngine }

// Export returns ErrNoEngine.
func (*DB) Export(context.Context, string) error { return ErrNoEngine }

// Close does nothing.
func (*DB) Close() error { return nil }
