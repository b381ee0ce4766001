//go:build cgo

package query

import (
	"errors"
	"math"
	"slices"
	"strings"
	"unsafe"

	duckdb "github.com/duckdb/duckdb-go-bindings"

	"github.com/weft-trace/weft/trace"
)

// tableFunctions are the engine's table functions; functions.go documents them.
func tableFunctions() []*tableFunction {
	number := []duckdb.Type{duckdb.TypeBigInt}
	return []*tableFunction{
		{name: tableSource, params: []duckdb.Type{duckdb.TypeVarchar}, bind: bindTable},
		{name: "args_of", params: number, bind: bindArgsOf},
		{name: "ancestor_slice", params: number, bind: bindSlices(ancestors)},
		{name: "descendant_slice", params: number, bind: bindSlices(descendants)},
		{name: "following_flow", params: number, bind: bindFlows(true)},
		{name: "preceding_flow", params: number, bind: bindFlows(false)},
	}
}

func bindTable(db *engine, params []duckdb.Value) (*scan, error) {
	name := duckdb.GetVarchar(params[0])
	t := tableByName[name]
	if t == nil || t.View != "" {
		return nil, errors.New("no table " + name)
	}
	s := &scan{db: db, columns: t.Columns}
	switch {
	case name == argsTable:
		sets := db.trace.Args.Len()
		s.args, s.rows = &argRange{1, trace.ArgSetID(sets)}, 3*sets
	case t.len != nil:
		s.rows = t.len(db.trace)
	}
	return s, nil
}

func bindArgsOf(db *engine, params []duckdb.Value) (*scan, error) {
	s := &scan{db: db, columns: argColumns, args: &argRange{1, 0}}
	if set, ok := rowParam(params[0], db.trace.Args.Len()+1); ok && set > 0 {
		s.args, s.rows = &argRange{trace.ArgSetID(set), trace.ArgSetID(set)}, 16
	}
	return s, nil
}

// rowParam reads an id that must be a row of a table of n rows.
func rowParam(v duckdb.Value, n int) (uint32, bool) {
	if duckdb.IsNullValue(v) {
		return 0, false
	}
	i := duckdb.GetInt64(v)
	return uint32(i), i >= 0 && i < int64(n)
}

func bindSlices(related func(*trace.Slices, trace.SliceID) []uint32) func(*engine, []duckdb.Value) (*scan, error) {
	return func(db *engine, params []duckdb.Value) (*scan, error) {
		s := &scan{db: db, columns: sliceColumns, pick: []uint32{}}
		if id, ok := rowParam(params[0], db.trace.Slices.Len()); ok {
			s.pick = related(&db.trace.Slices, trace.SliceID(id))
			s.rows = len(s.pick)
		}
		return s, nil
	}
}

func bindFlows(following bool) func(*engine, []duckdb.Value) (*scan, error) {
	return func(db *engine, params []duckdb.Value) (*scan, error) {
		s := &scan{db: db, columns: flowColumns, pick: []uint32{}}
		if id, ok := rowParam(params[0], db.trace.Slices.Len()); ok {
			s.pick = db.flowIndex().reach(db.trace.Flows, trace.SliceID(id), following)
			s.rows = len(s.pick)
		}
		return s, nil
	}
}

// scalarFunctions are the engine's functions of values; functions.go documents
// them. A NULL argument gives NULL.
func scalarFunctions() []*scalarFunction {
	lookup := []duckdb.Type{duckdb.TypeBigInt, duckdb.TypeVarchar}
	number := []duckdb.Type{duckdb.TypeBigInt}
	return []*scalarFunction{
		{name: "extract_arg", params: lookup, returns: duckdb.TypeVarchar, call: extractText},
		{name: "extract_arg_int", params: lookup, returns: duckdb.TypeBigInt, call: extractInt},
		{name: "extract_arg_real", params: lookup, returns: duckdb.TypeDouble, call: extractReal},
		{name: "slice_is_ancestor", params: []duckdb.Type{duckdb.TypeBigInt, duckdb.TypeBigInt}, returns: duckdb.TypeBoolean, call: sliceIsAncestor},
		{name: "ancestor_slice_ids", params: number, returns: duckdb.TypeBigInt, list: true, call: sliceLists(ancestors)},
		{name: "descendant_slice_ids", params: number, returns: duckdb.TypeBigInt, list: true, call: sliceLists(descendants)},
		{name: "pretty_dur", params: number, returns: duckdb.TypeVarchar, call: prettyDur},
	}
}

// eachArg finds, for every row, the first leaf of the set with the key; nil
// where there is none.
func eachArg(db *engine, in []column, n int, found func(row int, a *trace.Arg)) {
	for i := range n {
		var hit bool
		if !in[0].null(i) && !in[1].null(i) {
			key := in[1].text(i)
			set := in[0].int(i)
			if set > 0 && set <= int64(db.trace.Args.Len()) {
				db.trace.Args.Decode(trace.ArgSetID(set), func(a *trace.Arg) bool {
					if string(a.Key) != string(key) {
						return true
					}
					hit = true
					found(i, a)
					return false
				})
			}
		}
		if !hit {
			found(i, nil)
		}
	}
}

func extractText(db *engine, in []column, n int, out *output) {
	out.texts.reset()
	eachArg(db, in, n, func(_ int, a *trace.Arg) {
		if a == nil {
			out.texts.add(nil)
			return
		}
		out.texts.add(argText(a, argDisplayValue))
	})
	out.storeTexts(&out.texts, 0, n)
}

func extractInt(db *engine, in []column, n int, out *output) {
	d := vector[int64](out, n)
	eachArg(db, in, n, func(i int, a *trace.Arg) {
		ok := a != nil
		if ok {
			d[i], ok = argInt(a.Kind, a.Int)
		}
		if !ok {
			out.setNull(i)
		}
	})
}

func extractReal(db *engine, in []column, n int, out *output) {
	d := vector[float64](out, n)
	eachArg(db, in, n, func(i int, a *trace.Arg) {
		if a == nil {
			out.setNull(i)
			return
		}
		switch a.Kind {
		case trace.ArgReal:
			d[i] = a.Real
		case trace.ArgUint:
			d[i] = float64(uint64(a.Int))
		case trace.ArgInt, trace.ArgBool:
			d[i] = float64(a.Int)
		default:
			out.setNull(i)
		}
	})
}

func sliceIsAncestor(db *engine, in []column, n int, out *output) {
	d := vector[bool](out, n)
	s := &db.trace.Slices
	for i := range n {
		a, okA := in[0].row(i, s.Len())
		b, okB := in[1].row(i, s.Len())
		if !okA || !okB {
			out.setNull(i)
			continue
		}
		p := s.Parent[b]
		for p != trace.NoSlice && s.Depth[p] > s.Depth[a] {
			p = s.Parent[p]
		}
		d[i] = p == trace.SliceID(a)
	}
}

// row reads an id that must be a row of a table of n rows.
func (c column) row(i, n int) (uint32, bool) {
	if c.null(i) {
		return 0, false
	}
	v := c.int(i)
	return uint32(v), v >= 0 && v < int64(n)
}

func sliceLists(related func(*trace.Slices, trace.SliceID) []uint32) func(*engine, []column, int, *output) {
	return func(db *engine, in []column, n int, out *output) {
		type entry struct{ offset, length uint64 }
		entries := make([]entry, n)
		var all []uint32
		for i := range n {
			id, ok := in[0].row(i, db.trace.Slices.Len())
			if !ok {
				out.setNull(i)
				continue
			}
			list := related(&db.trace.Slices, trace.SliceID(id))
			entries[i] = entry{uint64(len(all)), uint64(len(list))}
			all = append(all, list...)
		}
		duckdb.ListVectorReserve(out.vec, duckdb.IdxT(len(all)))
		duckdb.ListVectorSetSize(out.vec, duckdb.IdxT(len(all)))
		copy(vector[entry](out, n), entries)
		child := duckdb.VectorGetData(duckdb.ListVectorGetChild(out.vec))
		for i, id := range all {
			*(*int64)(unsafe.Add(child, i*8)) = int64(id)
		}
	}
}

func prettyDur(_ *engine, in []column, n int, out *output) {
	out.texts.reset()
	for i := range n {
		if in[0].null(i) {
			out.texts.add(nil)
			continue
		}
		out.texts.add([]byte(PrettyDuration(in[0].int(i))))
	}
	out.storeTexts(&out.texts, 0, n)
}

// ancestors are the slices that a slice lies in, the outermost first.
func ancestors(s *trace.Slices, id trace.SliceID) []uint32 {
	var out []uint32
	for p := s.Parent[id]; p != trace.NoSlice; p = s.Parent[p] {
		out = append(out, uint32(p))
	}
	slices.Reverse(out)
	return out
}

// descendants are the slices that lie in a slice, in time order. Slices stand
// in time order and a child starts within its parent, so that only the rows
// between the slice's start and end are looked at, each once.
func descendants(s *trace.Slices, id trace.SliceID) []uint32 {
	start, end := s.TS[id], int64(math.MaxInt64)
	if dur := s.Dur[id]; dur != trace.Unfinished && start <= math.MaxInt64-dur {
		end = start + dur
	}
	first, _ := slices.BinarySearch(s.TS, start)
	inside := map[trace.SliceID]bool{id: true} // of rows at id's depth and below it
	var out []uint32
	var chain []trace.SliceID
	for row := first; row < s.Len() && s.TS[row] <= end; row++ {
		p := trace.SliceID(row)
		if s.Track[p] != s.Track[id] || s.Depth[p] <= s.Depth[id] {
			continue
		}
		chain = chain[:0]
		in, known := inside[p]
		for !known {
			chain = append(chain, p)
			p = s.Parent[p]
			if p == trace.NoSlice || s.Depth[p] < s.Depth[id] {
				break
			}
			in, known = inside[p]
		}
		for _, c := range chain {
			inside[c] = in
		}
		if in {
			out = append(out, uint32(row))
		}
	}
	return out
}

// flowIndex finds the arrows that leave or reach a slice.
type flowIndex struct{ byOut, byIn []uint32 }

func newFlowIndex(flows []trace.Flow) *flowIndex {
	sorted := func(end func(*trace.Flow) trace.SliceID) []uint32 {
		order := make([]uint32, len(flows))
		for i := range order {
			order[i] = uint32(i)
		}
		slices.SortStableFunc(order, func(a, b uint32) int {
			return int(int64(end(&flows[a])) - int64(end(&flows[b])))
		})
		return order
	}
	return &flowIndex{sorted(func(f *trace.Flow) trace.SliceID { return f.Out }), sorted(func(f *trace.Flow) trace.SliceID { return f.In })}
}

// reach is every arrow on a way that leaves a slice, or that leads to it, in
// the order of the table.
func (x *flowIndex) reach(flows []trace.Flow, from trace.SliceID, following bool) []uint32 {
	index, near, far := x.byOut, func(f *trace.Flow) trace.SliceID { return f.Out }, func(f *trace.Flow) trace.SliceID { return f.In }
	if !following {
		index, near, far = x.byIn, far, near
	}
	seen := map[trace.SliceID]bool{from: true}
	out := []uint32{}
	for todo := []trace.SliceID{from}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		i, _ := slices.BinarySearchFunc(index, id, func(row uint32, id trace.SliceID) int {
			return int(int64(near(&flows[row])) - int64(id))
		})
		for ; i < len(index) && near(&flows[index[i]]) == id; i++ {
			out = append(out, index[i])
			if next := far(&flows[index[i]]); !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
	slices.Sort(out)
	return out
}

// quote makes a name an identifier of SQL.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
