package load

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/weft-trace/weft/trace"
)

// dump is everything that a trace holds, a line a row, with strings and args
// in full: two traces with equal dumps give equal tables.
func dump(t *trace.Trace) []string {
	d := &dumper{t: t}
	d.line("bounds", reflect.ValueOf([]any{t.Start, t.End, t.TimeUnit}))
	v := reflect.ValueOf(t).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case !f.IsExported() || f.Name == "Strings" || f.Name == "Args" || f.Name == "Sources":
		case f.Type.Kind() == reflect.Slice:
			for row := range v.Field(i).Len() {
				d.line(fmt.Sprintf("%s[%d]", f.Name, row), v.Field(i).Index(row))
			}
		case f.Type.Kind() == reflect.Struct: // a table of columns
			d.columns(f.Name, v.Field(i))
		}
	}
	return d.lines
}

type dumper struct {
	t     *trace.Trace
	lines []string
	b     strings.Builder
}

func (d *dumper) line(name string, v reflect.Value) {
	d.b.Reset()
	d.b.WriteString(name)
	d.value(v)
	d.lines = append(d.lines, d.b.String())
}

func (d *dumper) columns(name string, table reflect.Value) {
	for row := range table.FieldByName("TS").Len() {
		d.b.Reset()
		fmt.Fprintf(&d.b, "%s[%d]", name, row)
		for i := range table.NumField() {
			if col := table.Field(i); col.Len() > 0 {
				d.b.WriteString(" " + table.Type().Field(i).Name)
				d.value(col.Index(row))
			}
		}
		d.lines = append(d.lines, d.b.String())
	}
}

func (d *dumper) value(v reflect.Value) {
	switch x := v.Interface().(type) {
	case trace.StringID:
		if x == 0 {
			d.b.WriteString(" null")
		} else {
			fmt.Fprintf(&d.b, " %q", d.t.Strings.Bytes(x))
		}
		return
	case trace.ArgSetID:
		fmt.Fprintf(&d.b, " #%d{", x)
		d.t.Args.Decode(x, func(a *trace.Arg) bool {
			fmt.Fprintf(&d.b, "%s|%s=%v:%d:%v:%s;", a.Key, a.FlatKey, a.Kind, a.Int, a.Real, a.Text)
			return true
		})
		d.b.WriteString("}")
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		d.value(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			d.b.WriteString(" " + v.Type().Field(i).Name)
			d.value(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			d.value(v.Index(i))
		}
	default:
		fmt.Fprintf(&d.b, " %v", v.Interface())
	}
}

// sameTrace fails the test at the first row in which two dumps differ.
func sameTrace(t testing.TB, what string, got, want []string) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("%s:\ngot  %s\nwant %s", what, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d rows, want %d", what, len(got), len(want))
	}
}

// openText opens a trace given as text.
func openText(t testing.TB, text string, opts Options) *trace.Trace {
	t.Helper()
	tr, err := tryText(t, text, opts)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func tryText(t testing.TB, text string, opts Options) (*trace.Trace, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace.json")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	tr, err := Open(context.Background(), path, opts)
	if err == nil {
		t.Cleanup(func() { tr.Close() })
	}
	return tr, err
}
