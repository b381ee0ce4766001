package traceevent

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// forms are the forms of input, and what is read of each: phases of the events,
// members by key, frames and samples in <>, [ where an array opens, ! and the code of
// an issue, and "not a trace".
var forms = []struct{ name, in, want string }{
	{"empty file", ``, ``},
	{"white space", " \n\t", ``},
	{"byte order mark alone", "\ufeff", ``},
	{"empty array", `[]`, `[`},
	{"empty object", `{"traceEvents":[]}`, `[`},
	{"array", `[{"ph":"B"},{"ph":"E"}]`, `[ B E`},
	{"byte order mark", "\ufeff" + `[{"ph":"B"}]`, `[ B`},
	{"object", `{"traceEvents":[{"ph":"B"},{"ph":"E"}]}`, `[ B E`},
	{"members before and after", `{"a":1,"traceEvents":[{"ph":"B"}],"displayTimeUnit":"ns","b":{}}`, `a [ B displayTimeUnit b`},
	{"stack frames and samples", `{"stackFrames":{"1":{"name":"x"},"2":{}},"traceEvents":[],"samples":[{"cpu":0},{}]}`, `<1> <2> [ <> <>`},
	{"stack frames and samples of other kinds", `{"stackFrames":[],"samples":{},"traceEvents":[]}`, `stackFrames samples [`},
	{"only stack frames", `{"stackFrames":{}}`, ``},
	{"no brackets", "{\"ph\":\"B\"}\n{\"ph\":\"E\"}\n", `B E`},
	{"no brackets, commas", "{\"ph\":\"B\"},\n{\"ph\":\"E\"}", `B !nonstandard_json E`},
	{"no brackets, one without phase", "{\"ph\":\"B\"}\n{\"name\":\"a\"}\n", `B -`},
	{"no opening bracket", `{"ph":"B"},{"ph":"E"}]`, `B !nonstandard_json E !nonstandard_json`},
	{"no commas", "[\n{\"ph\":\"B\"}\n{\"ph\":\"E\"}\n]", `[ B !missing_comma E`},
	{"no comma between members", `{"traceEvents":[] "a":1}`, `[ !missing_comma a`},
	{"two arrays", `[{"ph":"B"}][{"ph":"E"}]`, `[ B [ E`},
	{"two objects", `{"traceEvents":[{"ph":"B"}]} {"traceEvents":[{"ph":"E"}]}`, `[ B [ E`},
	{"array and lines", `[{"ph":"B"}]` + "\n" + `{"ph":"E"}`, `[ B E`},
	{"an array appended to one cut short", `[{"ph":"B"},` + "\n" + `[{"ph":"E"}]`, `[ B !not_an_object E`},

	{"cut: no bracket", `[{"ph":"B"}`, `[ B !truncated`},
	{"cut: comma", `[{"ph":"B"},`, `[ B !truncated`},
	{"cut in an event", `[{"ph":"B"},{"ph":"E`, `[ B !truncated`},
	{"cut in args", `[{"ph":"B"},{"ph":"E","args":{"a":[{"b":`, `[ B !truncated`},
	{"cut in the object", `{"traceEvents":[{"ph":"B"}]`, `[ B !truncated`},
	{"cut in a member", `{"traceEvents":[{"ph":"B"}],"a":{"b`, `[ B !truncated`},
	{"cut in a key", `{"traceEvents":[{"ph":"B"}],"a`, `[ B !truncated`},
	{"cut in a number", `{"traceEvents":[],"a":12`, `[ !truncated`},
	{"cut in the first key", `{"trac`, `!truncated`},
	{"cut in frames", `{"traceEvents":[],"stackFrames":{"1":{},"2":{"na`, `[ <1> !truncated`},
	{"cut in samples", `{"traceEvents":[],"samples":[{},{"a"`, `[ <> !truncated`},
	{"cut in a line", "{\"ph\":\"B\"}\n{\"ph\":\"E\",\"n", `B !truncated`},

	{"comma before the bracket", `[{"ph":"B"},]`, `[ B !nonstandard_json`},
	{"comma after the bracket", `[,{"ph":"B"}]`, `[ !nonstandard_json B`},
	{"two commas", `[{"ph":"B"},,{"ph":"E"}]`, `[ B !nonstandard_json E`},
	{"comma before the brace", `{"traceEvents":[],}`, `[ !nonstandard_json`},
	{"comma in an event", `[{"ph":"B",}]`, `[ !nonstandard_json B`},
	{"comma in args", `[{"ph":"B","args":{"a":[1,],}}]`, `[ !nonstandard_json B`},
	{"control character", "[{\"ph\":\"B\",\"name\":\"a\nb\"}]", `[ !nonstandard_json B`},
	{"NaN", `[{"ph":"B","dur":NaN}]`, `[ !nonstandard_json B`},
	{"infinities", `[{"ph":"B","dur":-Infinity,"ts":Infinity}]`, `[ !nonstandard_json B`},
	{"numbers", `[{"ph":"B","dur":+1},{"ph":"E","ts":.5},{"ph":"X","ts":1.},{"ph":"i","ts":01},{"ph":"C","id":0x1f}]`,
		`[ !nonstandard_json B !nonstandard_json E !nonstandard_json X !nonstandard_json i !nonstandard_json C`},
	{"escape", `[{"ph":"B","name":"\x41"}]`, `[ !nonstandard_json B`},
	{"escape of a digit short", `[{"ph":"B","name":"\u12"}]`, `[ !nonstandard_json B`},
	{"duplicate key", `[{"ph":"B","ts":1,"ph":"E"}]`, `[ !duplicate_key E`},
	{"escaped key", `[{"p\u0068":"B"}]`, `[ B`},
	{"standard numbers", `[{"ph":"B","ts":-1.5e+3,"dur":0,"tts":0.0,"args":[1E9,-0,10]}]`, `[ B`},

	{"elements that are no objects", `[null,1,"a",[2],true,{"ph":"B"}]`,
		`[ !not_an_object !not_an_object !not_an_object !not_an_object !not_an_object B`},
	{"traceEvents is no array", `{"traceEvents":{"a":1}}`, `traceEvents !not_an_array`},
	{"unescaped quotes", `[{"ph":"B","name":"a "b" c"},{"ph":"E"}]`, `[ !malformed_event E`},
	{"unescaped quotes in the last event", `{"traceEvents":[{"ph":"E"},{"ph":"B","name":"a "b" c"}],"otherData":{}}`, `[ E !malformed_event otherData`},
	{"a bracket missing", `[{"ph":"B","args":{"a":[1,2},"ts":1},{"ph":"E"},{"ph":"X"}]`, `[ !malformed_event E X`},
	{"a bracket missing, the rest swallowed", "[{\"ph\":\"B\",\"args\":{\"a\":[\n{\"ph\":\"E\"},\n{\"ph\":\"X\"}\n]", `[ !malformed_event E X`},
	{"a brace missing", `[{"ph":"B","name":"a",{"ph":"E"}]`, `[ !malformed_event E`},
	{"a quote missing", "[{\"ph\":\"B\",\"name\":\"a},\n{\"ph\":\"E\"},\n{\"ph\":\"X\"}]", `[ !malformed_event E X`},
	{"words between events", "[{\"ph\":\"B\"},\nmade by x\n{\"ph\":\"E\"}]", `[ B !malformed_event E`},
	{"words between lines", "{\"ph\":\"B\"}\nmade by x\n{\"ph\":\"E\"}", `B !trailing_garbage E`},
	{"words after the end", `[{"ph":"B"}] that's all`, `[ B !trailing_garbage`},
	{"zeros after the end", "[{\"ph\":\"B\"},\n\x00\x00\x00\x00", `[ B !malformed_event`},
	{"a broken member", `{"a":{"b" 1},"traceEvents":[{"ph":"B"}]}`, `!malformed_member [ B`},
	{"a broken frame", `{"traceEvents":[],"stackFrames":{"1":{"n"}},"displayTimeUnit":"ns"}`, `[ !malformed_member displayTimeUnit`},
	{"a broken sample", `{"traceEvents":[],"samples":[{},{"n"}],"displayTimeUnit":"ns"}`, `[ <> !malformed_member displayTimeUnit`},
	{"a broken first line", "{\"name\":\"a \"b\"\",\"ph\":\"B\"}\n{\"ph\":\"E\"}", `!malformed_event E`},

	{"words", `hello`, `not a trace`},
	{"a number", `17`, `not a trace`},
	{"another object", `{"foo":1}`, `foo not a trace`},
	{"an object of nothing", `{}`, `not a trace`},
	{"words in braces", `{hello}`, `!malformed_event not a trace`},
	{"an array of numbers", `[1,2]`, `[ !not_an_object !not_an_object not a trace`},
}

// outline is what a source yields in the words of forms.
func outline(s source) string {
	var out []string
	s.OnIssue(func(i Issue) { out = append(out, "!"+string(i.Code)) })
	for {
		n := len(out)
		k := s.Next()
		switch k {
		case ItemEnd:
			if s.Err() != nil {
				out = append(out, "not a trace")
			}
			return strings.Join(out, " ")
		case ItemArray:
			out = append(out, "[")
		case ItemEvent:
			if p := s.Event().Phase(); p != 0 {
				out = append(out, p.String())
			} else {
				out = append(out, "-")
			}
		case ItemMember:
			m := string(s.Member().Key)
			if len(out) > n && out[len(out)-1] == "!not_an_array" {
				out = append(out[:len(out)-1], m, "!not_an_array")
			} else {
				out = append(out, m)
			}
		default:
			out = append(out, "<"+string(s.Member().Key)+">")
		}
	}
}

func TestForms(t *testing.T) {
	for _, c := range forms {
		t.Run(c.name, func(t *testing.T) {
			if got := outline(NewScanner([]byte(c.in))); got != c.want {
				t.Errorf("scanner\n got %s\nwant %s", got, c.want)
			}
			if got := outline(smallReader([]byte(c.in), 1, 1)); got != c.want {
				t.Errorf("reader\n got %s\nwant %s", got, c.want)
			}
			if s := NewScanner([]byte(c.in)); strings.Contains(c.want, "not a trace") {
				for s.Next() != ItemEnd {
				}
				if !errors.Is(s.Err(), ErrNotTrace) {
					t.Errorf("error %v", s.Err())
				}
			}
			want := listing(NewScanner([]byte(c.in)))
			for cut := range len(c.in) {
				same(t, fmt.Sprint("chunks cut at ", cut),
					strings.TrimSuffix(chunkListing([]byte(c.in), []int{cut}), " error"), strings.TrimSuffix(want, " error"))
			}
		})
	}
}

// cutAnywhere is a document with all regions and kinds of values.
const cutAnywhere = "\ufeff" + `{"a":{"b":[1,-2.5e3,"\u00e9\n",null]},"traceEvents":[
{"name":"x\"y","cat":"c,d","ph":"X","ts":1600000000154123.457,"dur":1.5,"pid":1,"tid":2,"args":{"k":[{"l":"é"},true]},"zz":false},
{"ph":"E","ts":3,"pid":1,"tid":2}
],"stackFrames":{"1":{"name":"main"},"2":{"name":"f","parent":"1"}},"samples":[{"cpu":0,"sf":1}],"displayTimeUnit":"ns"}`

// A document cut at any byte gives what came before the cut, and one issue.
func TestCutAnywhere(t *testing.T) {
	whole := strings.Split(listing(NewScanner([]byte(cutAnywhere))), "\n")
	lines := "{\"ph\":\"B\",\"name\":\"a\"}\n{\"name\":\"b\",\"ph\":\"E\"}\n{\"name\":\"b\",\"args\":{},\"ph\":\"E\"}"
	for cut := range len(cutAnywhere) {
		doc := []byte(cutAnywhere[:cut])
		s := NewScanner(doc)
		issues := 0
		got := strings.Split(listing(s), "\n")
		want := 0
		for _, line := range got[:len(got)-1] {
			if strings.HasPrefix(line, "issue truncated") {
				issues++
				continue
			}
			if want >= len(whole) || line != whole[want] {
				t.Errorf("cut at %d: %s, want %s", cut, line, whole[want])
			}
			want++
		}
		if s.Err() != nil {
			t.Errorf("cut at %d: %v", cut, s.Err())
		}
		if white := cut == 0 || cut == 3; issues != 1 && !white {
			t.Errorf("cut at %d: %d issues", cut, issues)
		}
		same(t, fmt.Sprint("reader, cut at ", cut), listing(smallReader(doc, 1, 1)), strings.Join(got, "\n"))
	}
	for cut := range len(lines) {
		s := NewScanner([]byte(lines[:cut]))
		out := outline(s)
		events := strings.Count(lines[:cut], "}\n")
		if cut > 0 && lines[cut-1] == '}' && lines[cut] == '\n' {
			events++
		}
		if n := len(strings.Fields(strings.ReplaceAll(out, "!truncated", ""))); n != events || s.Err() != nil {
			t.Errorf("lines cut at %d: %q, %v, want %d events", cut, out, s.Err(), events)
		}
	}
}

// Nothing takes time out of proportion: each text is read at two sizes.
func TestLinear(t *testing.T) {
	for name, make := range map[string]func(n int) string{
		"nested, never closed":        func(n int) string { return "[" + strings.Repeat(`{"a":[`, n/6) },
		"nested, good ones between":   func(n int) string { return "[" + strings.Repeat(`{"a":[{"ph":"X"},`, n/17) },
		"nested, closed, no event":    func(n int) string { return "[!" + strings.Repeat(`{"a":`, n/10) + strings.Repeat("}", n/10) },
		"half open keys":              func(n int) string { return "[" + strings.Repeat(`{"`, n/2) },
		"unclosed string":             func(n int) string { return `[{"a":"` + strings.Repeat(`{ `, n/2) },
		"bad every few bytes":         func(n int) string { return "[" + strings.Repeat(`{"x{"ph":"X"},`, n/14) },
		"bad at the end of each 4 kB": func(n int) string { return "[" + strings.Repeat(strings.Repeat(`{"a":[{"ph":"X"},`, 240)+"!", n/4081) },
		"brackets":                    func(n int) string { return strings.Repeat("[", n) },
		"colons after white space":    func(n int) string { return `[!` + strings.Repeat("{          \"a\" ", n/15) },
		"strings of events":           func(n int) string { return `[{"a":"` + strings.Repeat(`,{"ph":"X","b":["`, n/17) },
		"args of 100,000 levels": func(n int) string {
			return `[{"ph":"X","args":` + strings.Repeat("[", n/2) + strings.Repeat("]", n/2) + "}]"
		},
		"a long string":   func(n int) string { return `[{"ph":"X","name":"` + strings.Repeat("a", n) + `"}]` },
		"commas":          func(n int) string { return "[" + strings.Repeat(",", n) },
		"nulls":           func(n int) string { return "[" + strings.Repeat("null,", n/5) },
		"unknown members": func(n int) string { return "{" + strings.Repeat(`"a":1,`, n/6) },
		"empty lines":     func(n int) string { return `{"ph":"X"}` + strings.Repeat("\n", n) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, read := range []struct {
				name string
				of   func(doc []byte) source
			}{
				{"scanner", func(doc []byte) source { return NewScanner(doc) }},
				{"reader", func(doc []byte) source { return smallReader(doc, 4096, 4096) }},
			} {
				spend := func(n int) time.Duration {
					doc := []byte(make(n))
					s := read.of(doc)
					start := time.Now()
					for s.Next() != ItemEnd {
					}
					return time.Since(start)
				}
				small, big := spend(linearSize), spend(8*linearSize)
				if big > 32*small+200*time.Millisecond {
					t.Errorf("%s: %v for %d bytes, %v for 8 times as many", read.name, small, linearSize, big)
				}
				if big > 5*time.Second {
					t.Errorf("%s: %v for %d bytes", read.name, big, 8*linearSize)
				}
			}
		})
	}
}
