package traceevent_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/weft-trace/weft/traceevent"
)

func ExampleScanner() {
	doc := []byte(`[{"name":"Layout","ph":"X","ts":1600000000154123.457,"dur":12.034,"pid":4242,"tid":17}`)
	s := traceevent.NewScanner(doc)
	s.OnIssue(func(i traceevent.Issue) { fmt.Println(i.Code, "at", i.Offset) })
	for k := s.Next(); k != traceevent.ItemEnd; k = s.Next() {
		if k != traceevent.ItemEvent {
			continue
		}
		e := s.Event()
		name, _ := e.Text(traceevent.FieldName)
		ts, _ := e.Time(traceevent.FieldTS)
		dur, _ := e.Time(traceevent.FieldDur)
		fmt.Printf("%s %s at %d ns for %d ns\n", e.Phase().Name(), name, ts, dur)
	}
	// Output:
	// complete Layout at 1600000000154123457 ns for 12034 ns
	// truncated at 86
}

func ExampleReader() {
	stream := strings.NewReader(`{"displayTimeUnit":"ns","traceEvents":[{"ph":"B","name":"a","ts":1},{"ph":"E","ts":2.5}]}`)
	r := traceevent.NewReader(stream)
	for k := r.Next(); k != traceevent.ItemEnd; k = r.Next() {
		switch k {
		case traceevent.ItemEvent:
			ts, _ := r.Event().Time(traceevent.FieldTS)
			fmt.Println(r.Event().Phase(), ts)
		case traceevent.ItemMember:
			fmt.Printf("%s is %s\n", r.Member().Key, r.Member().Value)
		}
	}
	if err := r.Err(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// displayTimeUnit is "ns"
	// B 1000
	// E 2500
}

func ExampleWriter() {
	w, err := traceevent.NewWriter(os.Stdout, traceevent.WriterOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	w.ThreadName(1, 1, "main")
	w.Complete("Layout", "blink", 1, 1, 1600000000154123457, 12034, traceevent.Int("frame", 7))
	w.Counter("heap", 1, 1600000000154200000, traceevent.Uint("bytes", 1<<20))
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [
	// {"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"main"}},
	// {"ph":"X","name":"Layout","cat":"blink","pid":1,"tid":1,"ts":1600000000154123.457,"dur":12.034,"args":{"frame":7}},
	// {"ph":"C","name":"heap","pid":1,"ts":1600000000154200,"args":{"bytes":1048576}}
	// ]
}

func ExampleTokenizer() {
	t := traceevent.NewTokenizer(traceevent.Raw(`{"url":"a\/b","size":[1,2]}`))
	for k := t.Next(); k != traceevent.TokenEnd; k = t.Next() {
		if k == traceevent.TokenArrayStart {
			fmt.Printf("array %s\n", t.Skip())
			continue
		}
		fmt.Printf("%s %s\n", k, t.Raw().AppendText(nil))
	}
	// Output:
	// object start {
	// key url
	// string a/b
	// key size
	// array [1,2]
	// object end }
}
