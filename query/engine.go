//go:build cgo

package query

/*
#include <stdint.h>
#include <stdlib.h>

// DuckDB's own header lies inside another module's package, out of reach of
// this one; this is the one function that is called from C below.
void duckdb_unsafe_vector_assign_string_element_len(void *vector, uint64_t index, const char *str, uint64_t len);

// box keeps a Go handle in C memory: DuckDB carries a pointer around for us,
// and a small number in the place of a pointer would upset Go's stack scanner.
static void *weft_box(uintptr_t handle) {
	uintptr_t *p = malloc(sizeof *p);
	if (p) *p = handle;
	return p;
}
static uintptr_t weft_unbox(void *p) { return *(uintptr_t *)p; }

// weft_assign_strings puts n strings that lie end to end in text, the first at
// start, into a vector from row 0 on: one crossing from Go to C instead of n.
// Those whose end is negative are NULL and skipped.
static void weft_assign_strings(void *vector, const char *text, int64_t start, const int64_t *ends, uint64_t n) {
	for (uint64_t i = 0; i < n; i++) {
		if (ends[i] < 0) continue;
		duckdb_unsafe_vector_assign_string_element_len(vector, i, text + start, (uint64_t)(ends[i] - start));
		start = ends[i];
	}
}

void weftTableBind(void *);
void weftTableInit(void *);
void weftTableLocalInit(void *);
void weftTableScan(void *, void *);
void weftScalar(void *, void *, void *);
void weftRelease(void *);
*/
import "C"

import (
	"bytes"
	"errors"
	"fmt"
	"runtime/cgo"
	"runtime/debug"
	"unicode/utf8"
	"unsafe"

	duckdb "github.com/duckdb/duckdb-go-bindings"
)

// box makes a Go value something that DuckDB can carry. DuckDB gives it back to
// weftRelease when it needs it no more.
func box(v any) unsafe.Pointer { return C.weft_box(C.uintptr_t(cgo.NewHandle(v))) }

// unbox is the value that box was given.
func unbox[T any](p unsafe.Pointer) T { return cgo.Handle(C.weft_unbox(p)).Value().(T) }

//export weftRelease
func weftRelease(p unsafe.Pointer) {
	cgo.Handle(C.weft_unbox(p)).Delete()
	C.free(p)
}

// guard turns a panic in a callback into an error of the statement. A panic
// must not unwind through DuckDB's frames.
func guard(fail func(string), f func() error) {
	defer func() {
		if r := recover(); r != nil {
			fail(fmt.Sprintf("internal error: %v\n%s", r, debug.Stack()))
		}
	}()
	if err := f(); err != nil {
		fail(err.Error())
	}
}

// tableFunction is a table of the engine: a name, parameters, and what makes a
// scan of them.
type tableFunction struct {
	db     *engine
	name   string
	params []duckdb.Type
	bind   func(db *engine, params []duckdb.Value) (*scan, error)
}

func (f *tableFunction) register(conn duckdb.Connection) error {
	fn := duckdb.CreateTableFunction()
	defer duckdb.DestroyTableFunction(&fn)
	duckdb.TableFunctionSetName(fn, f.name)
	for _, p := range f.params {
		t := duckdb.CreateLogicalType(p)
		duckdb.TableFunctionAddParameter(fn, t)
		duckdb.DestroyLogicalType(&t)
	}
	duckdb.TableFunctionSetExtraInfo(fn, box(f), C.weftRelease)
	duckdb.TableFunctionSupportsProjectionPushdown(fn, true)
	duckdb.TableFunctionSetBind(fn, C.weftTableBind)
	duckdb.TableFunctionSetInit(fn, C.weftTableInit)
	duckdb.TableFunctionSetLocalInit(fn, C.weftTableLocalInit)
	duckdb.TableFunctionSetFunction(fn, C.weftTableScan)
	if duckdb.RegisterTableFunction(conn, fn) == duckdb.StateError {
		return errors.New("query: can't register table function " + f.name)
	}
	return nil
}

//export weftTableBind
func weftTableBind(p unsafe.Pointer) {
	info := duckdb.BindInfo{Ptr: p}
	guard(func(msg string) { duckdb.BindSetError(info, msg) }, func() error {
		f := unbox[*tableFunction](duckdb.BindGetExtraInfo(info))
		var params []duckdb.Value
		defer func() {
			for i := range params {
				duckdb.DestroyValue(&params[i])
			}
		}()
		for i := range duckdb.BindGetParameterCount(info) {
			params = append(params, duckdb.BindGetParameter(info, i))
		}
		s, err := f.bind(f.db, params)
		if err != nil {
			return err
		}
		var client duckdb.ClientContext
		duckdb.TableFunctionGetClientContext(info, &client)
		s.stopped = f.db.stopFlag(client)
		duckdb.DestroyClientContext(&client)
		s.declare(info)
		duckdb.BindSetBindData(info, box(s), C.weftRelease)
		return nil
	})
}

//export weftTableInit
func weftTableInit(p unsafe.Pointer) {
	info := duckdb.InitInfo{Ptr: p}
	guard(func(msg string) { duckdb.InitSetError(info, msg) }, func() error {
		s := unbox[*scan](duckdb.InitGetBindData(info))
		columns := make([]int, duckdb.InitGetColumnCount(info))
		for i := range columns {
			columns[i] = int(duckdb.InitGetColumnIndex(info, duckdb.IdxT(i)))
		}
		r, threads, err := s.start(columns)
		if err != nil {
			return err
		}
		duckdb.InitSetInitData(info, box(r), C.weftRelease)
		duckdb.InitSetMaxThreads(info, duckdb.IdxT(threads))
		return nil
	})
}

//export weftTableLocalInit
func weftTableLocalInit(p unsafe.Pointer) {
	info := duckdb.InitInfo{Ptr: p}
	guard(func(msg string) { duckdb.InitSetError(info, msg) }, func() error {
		duckdb.InitSetInitData(info, box(new(worker)), C.weftRelease)
		return nil
	})
}

//export weftTableScan
func weftTableScan(p, out unsafe.Pointer) {
	info, chunk := duckdb.FunctionInfo{Ptr: p}, duckdb.DataChunk{Ptr: out}
	guard(func(msg string) { duckdb.FunctionSetError(info, msg) }, func() error {
		r := unbox[runner](duckdb.FunctionGetInitData(info))
		w := unbox[*worker](duckdb.FunctionGetLocalInitData(info))
		n, err := r.fill(w, chunk)
		duckdb.DataChunkSetSize(chunk, duckdb.IdxT(n))
		return err
	})
}

// scalarFunction is a function of the engine that works on columns of values.
type scalarFunction struct {
	db      *engine
	name    string
	params  []duckdb.Type
	returns duckdb.Type
	list    bool // returns a list of returns
	call    func(db *engine, in []column, n int, out *output)
}

func (f *scalarFunction) register(conn duckdb.Connection) error {
	fn := duckdb.CreateScalarFunction()
	defer duckdb.DestroyScalarFunction(&fn)
	duckdb.ScalarFunctionSetName(fn, f.name)
	for _, p := range f.params {
		t := duckdb.CreateLogicalType(p)
		duckdb.ScalarFunctionAddParameter(fn, t)
		duckdb.DestroyLogicalType(&t)
	}
	t := duckdb.CreateLogicalType(f.returns)
	defer duckdb.DestroyLogicalType(&t)
	if f.list {
		list := duckdb.CreateListType(t)
		defer duckdb.DestroyLogicalType(&list)
		duckdb.ScalarFunctionSetReturnType(fn, list)
	} else {
		duckdb.ScalarFunctionSetReturnType(fn, t)
	}
	duckdb.ScalarFunctionSetExtraInfo(fn, box(f), C.weftRelease)
	duckdb.ScalarFunctionSetFunction(fn, C.weftScalar)
	if duckdb.RegisterScalarFunction(conn, fn) == duckdb.StateError {
		return errors.New("query: can't register function " + f.name)
	}
	return nil
}

//export weftScalar
func weftScalar(p, in, out unsafe.Pointer) {
	info, chunk := duckdb.FunctionInfo{Ptr: p}, duckdb.DataChunk{Ptr: in}
	guard(func(msg string) { duckdb.ScalarFunctionSetError(info, msg) }, func() error {
		f := unbox[*scalarFunction](duckdb.ScalarFunctionGetExtraInfo(info))
		columns := make([]column, len(f.params))
		for i := range columns {
			columns[i] = readVector(duckdb.DataChunkGetVector(chunk, duckdb.IdxT(i)))
		}
		f.call(f.db, columns, int(duckdb.DataChunkGetSize(chunk)), &output{vec: duckdb.Vector{Ptr: out}})
		return nil
	})
}

// column is an input of a scalar function.
type column struct {
	data unsafe.Pointer
	mask unsafe.Pointer // validity; nil when no value is NULL
}

func readVector(v duckdb.Vector) column {
	return column{duckdb.VectorGetData(v), duckdb.VectorGetValidity(v)}
}

func (c column) null(row int) bool { return !valid(c.mask, row) }

func (c column) int(row int) int64 { return *(*int64)(unsafe.Add(c.data, row*8)) }

func (c column) text(row int) []byte { return (*stringT)(unsafe.Add(c.data, row*16)).bytes() }

// valid reads a validity mask.
func valid(mask unsafe.Pointer, row int) bool {
	return mask == nil || *(*uint64)(unsafe.Add(mask, row/64*8))>>(row%64)&1 != 0
}

// output is a vector being written.
type output struct {
	vec   duckdb.Vector
	mask  unsafe.Pointer // made at the first NULL
	texts textBuffer
}

// begin turns to a new vector.
func (o *output) begin(vec duckdb.Vector) {
	o.vec, o.mask = vec, nil
	o.texts.reset()
}

func (o *output) data() unsafe.Pointer { return duckdb.VectorGetData(o.vec) }

func (o *output) setNull(row int) {
	if o.mask == nil {
		duckdb.VectorEnsureValidityWritable(o.vec)
		o.mask = duckdb.VectorGetValidity(o.vec)
	}
	*(*uint64)(unsafe.Add(o.mask, row/64*8)) &^= 1 << (row % 64)
}

// storeTexts puts strings from to to of a buffer into the vector, from row 0.
func (o *output) storeTexts(b *textBuffer, from, to int) {
	if from == to {
		return
	}
	ends := b.ends[from:to]
	for i, end := range ends {
		if end < 0 {
			o.setNull(i)
		}
	}
	// The vector copies the bytes; cgo pins both arguments during the call.
	C.weft_assign_strings(o.vec.Ptr, (*C.char)(unsafe.Pointer(unsafe.SliceData(b.text))), C.int64_t(b.start(from)),
		(*C.int64_t)(unsafe.Pointer(unsafe.SliceData(ends))), C.uint64_t(len(ends)))
}

// textBuffer holds strings that wait to be stored in a vector.
type textBuffer struct {
	text []byte  // end to end
	ends []int64 // where each ends; ^end for NULL
}

func (b *textBuffer) reset() {
	b.ends = b.ends[:0]
	if b.text = b.text[:0]; b.text == nil {
		b.text = make([]byte, 0, 4096)
	}
}

// start is where string i begins.
func (b *textBuffer) start(i int) int64 {
	if i == 0 {
		return 0
	}
	if end := b.ends[i-1]; end >= 0 {
		return end
	}
	return ^b.ends[i-1]
}

// add puts text behind the others; nil is NULL. What is not UTF-8 becomes
// U+FFFD: DuckDB relies on it.
func (b *textBuffer) add(text []byte) {
	switch {
	case text == nil:
		b.ends = append(b.ends, ^int64(len(b.text)))
		return
	case utf8.Valid(text):
		b.text = append(b.text, text...)
	default:
		b.text = append(b.text, bytes.ToValidUTF8(text, []byte("\uFFFD"))...)
	}
	b.ends = append(b.ends, int64(len(b.text)))
}
