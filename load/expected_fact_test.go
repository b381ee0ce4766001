package load_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A fact is one thing that a trace says, in a form that both a dump of the
// original Trace Viewer and a trace.Trace can be turned into. Two facts are
// about the same thing when kind, owner and name are equal and their times are
// equal but for rounding.
type fact struct {
	kind   string // "slice", "counter", …
	owner  string // "1/2" for thread 2 of process 1, "1" for process 1, "" for the trace
	name   string
	at     when
	fields []field
	parent *fact // slices and async slices: what they lie in
}

// field is one property of a fact. Only one of its values is used.
type field struct {
	name string
	text string // for most
	time when   // set when isTime
	json []byte // set when isJSON
	form byte
}

const (
	isText = iota
	isTime
	isJSON
)

func textField(name, v string) field        { return field{name: name, text: v} }
func intField(name string, v int64) field   { return textField(name, strconv.FormatInt(v, 10)) }
func boolField(name string, v bool) field   { return textField(name, strconv.FormatBool(v)) }
func timeField(name string, v when) field   { return field{name: name, time: v, form: isTime} }
func jsonField(name string, v []byte) field { return field{name: name, json: v, form: isJSON} }

// when is a time or a duration in nanoseconds, with how far off it may be: the
// dumps went through doubles of microseconds and of milliseconds.
type when struct{ ns, tolerance int64 }

func exactly(ns int64) when { return when{ns: ns} }

func (w when) equals(o when) bool {
	d := w.ns - o.ns
	return -w.tolerance-o.tolerance <= d && d <= w.tolerance+o.tolerance
}

func (w when) String() string { return strconv.FormatInt(w.ns, 10) }

// fromMillis is a time of a dump: a double of milliseconds that was made of a
// double of microseconds.
func fromMillis(ms float64) when {
	return when{int64(math.Round(ms * 1e6)), 1 + int64(math.Ceil(ulp(ms)*1e6+ulp(ms*1e3)*1e3))}
}

// durationFromMillis is a difference of two times of a dump, the first of
// which is given for its magnitude.
func durationFromMillis(start, dur float64) when {
	w := fromMillis(dur)
	w.tolerance += 2 * fromMillis(math.Abs(start)+math.Abs(dur)).tolerance
	return w
}

func ulp(v float64) float64 { v = math.Abs(v); return math.Nextafter(v, math.Inf(1)) - v }

func (f *fact) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q", f.kind, f.name)
	if f.owner != "" {
		fmt.Fprintf(&b, " of %s", f.owner)
	}
	fmt.Fprintf(&b, " at %v", f.at)
	for _, v := range f.fields {
		if v.text != "" || v.form != isText {
			fmt.Fprintf(&b, " %s=%s", v.name, v.value())
		}
	}
	return b.String()
}

func (v *field) value() string {
	switch v.form {
	case isTime:
		return v.time.String()
	case isJSON:
		if len(v.json) > 160 {
			return string(v.json[:160]) + "…"
		}
		return string(v.json)
	default:
		return strconv.Quote(v.text)
	}
}

func (f *fact) field(name string) *field {
	for i := range f.fields {
		if f.fields[i].name == name {
			return &f.fields[i]
		}
	}
	return nil
}

// A difference is a fact that only one side has, or a field in which the two
// sides differ.
type difference struct {
	kind      string // "slice.missing", "slice.extra", "slice.dur", …
	want, got *fact  // the dump's and ours; nil when that side lacks it
}

func (d difference) String() string {
	switch {
	case d.got == nil:
		return fmt.Sprintf("%s: we lack %v", d.kind, d.want)
	case d.want == nil:
		return fmt.Sprintf("%s: only we have %v", d.kind, d.got)
	}
	return fmt.Sprintf("%s:\n\t\ttheirs %v\n\t\tours   %v", d.kind, d.want, d.got)
}

// text is the value of a text field, "" when the fact hasn't got it.
func (f *fact) text(name string) string {
	if v := f.field(name); v != nil {
		return v.text
	}
	return ""
}

// unfinished says that the fact is a slice that has no end, or only a guessed
// one.
func (f *fact) unfinished() bool {
	return f != nil && (f.text("dur") == "unfinished" || f.text("error") != "")
}

// end is when a slice ends.
func (f *fact) end() when {
	dur := f.field("dur").time
	return when{f.at.ns + dur.ns, f.at.tolerance + dur.tolerance}
}

// compareFacts pairs the facts of the two sides and returns where they differ.
func compareFacts(want, got []*fact) []difference {
	type key struct{ kind, owner, name string }
	type pair struct{ want, got []*fact }
	groups := map[key]*pair{}
	var order []key
	group := func(f *fact) *pair {
		k := key{f.kind, f.owner, f.name}
		if groups[k] == nil {
			groups[k] = &pair{}
			order = append(order, k)
		}
		return groups[k]
	}
	for _, f := range want {
		g := group(f)
		g.want = append(g.want, f)
	}
	for _, f := range got {
		g := group(f)
		g.got = append(g.got, f)
	}
	var ds []difference
	for _, k := range order {
		ds = comparePairs(ds, groups[k].want, groups[k].got)
	}
	return ds
}

// comparePairs compares facts of one kind, owner and name. Of those at its
// time, a wanted one takes one that agrees with it in all fields, else, once
// all such pairs are found, the one that agrees best.
func comparePairs(ds []difference, want, got []*fact) []difference {
	byTime := func(a, b *fact) int { return cmp.Compare(a.at.ns, b.at.ns) }
	slices.SortStableFunc(want, byTime)
	slices.SortStableFunc(got, byTime)
	m := matching{want: want, got: got, partner: make([]int, len(want)), perfect: make([]bool, len(want)), taken: make([]bool, len(got))}
	for i := range m.partner {
		m.partner[i] = -1
	}
	m.pass(true)
	m.pass(false)
	for i, w := range want {
		if m.partner[i] < 0 {
			ds = append(ds, difference{w.kind + ".missing", w, nil})
			continue
		}
		if m.perfect[i] {
			continue
		}
		o := got[m.partner[i]]
		for i := range w.fields {
			if g := o.field(w.fields[i].name); g != nil && !w.fields[i].equals(g) {
				ds = append(ds, difference{w.kind + "." + g.name, w, o})
			}
		}
	}
	for i, g := range got {
		if !m.taken[i] {
			ds = append(ds, difference{g.kind + ".extra", nil, g})
		}
	}
	return ds
}

// matching pairs two lists of facts that are in order of time.
type matching struct {
	want, got []*fact
	partner   []int  // by want: its place in got, -1 for none
	perfect   []bool // by want: its partner agrees with it in all fields
	taken     []bool // by got
}

// pass gives partners to wanted facts that have none: only perfect ones, or
// the best there are.
func (m *matching) pass(perfect bool) {
	first := 0
	for i, w := range m.want {
		if m.partner[i] >= 0 {
			continue
		}
		for first < len(m.got) && (m.taken[first] || m.got[first].at.ns < w.at.ns-w.at.tolerance-m.got[first].at.tolerance) {
			first++
		}
		best, least := -1, math.MaxInt
		for j := first; j < len(m.got) && m.got[j].at.ns <= w.at.ns+w.at.tolerance+m.got[j].at.tolerance && least > 0; j++ {
			if m.taken[j] {
				continue
			}
			if n := disagreement(w, m.got[j]); n < least {
				best, least = j, n
			}
		}
		if best >= 0 && (least == 0 || !perfect) {
			m.partner[i] = best
			m.perfect[i] = least == 0
			m.taken[best] = true
		}
	}
}

// disagreement weighs the fields in which two facts differ; the first weigh
// most.
func disagreement(a, b *fact) (n int) {
	for i := range a.fields {
		if g := b.field(a.fields[i].name); g != nil && !a.fields[i].equals(g) {
			n += 1 << (len(a.fields) - i)
		}
	}
	return n
}

func (v *field) equals(o *field) bool {
	if v.form != o.form {
		return false
	}
	switch v.form {
	case isTime:
		return v.time.equals(o.time)
	case isJSON:
		return sameJSON(v.json, o.json)
	default:
		return v.text == o.text
	}
}

// sameJSON compares two JSON texts as JavaScript would see them: numbers are
// doubles, an absent value is an empty object. Members named event.… are fields
// of the event that its phase has no use for, which only we keep. The dumps
// show a reference to an object's snapshot as what it leads to, we as it
// stands: both become the object's id.
func sameJSON(a, b []byte) bool {
	if sameButSpace(a, b) {
		return true
	}
	va, errA := jsValue(a)
	vb, errB := jsValue(b)
	return errA == nil && errB == nil && reflect.DeepEqual(va, vb)
}

// sameButSpace says whether two JSON texts differ only in white space between
// tokens. Most do, and to tell costs much less than to decode them.
func sameButSpace(a, b []byte) bool {
	i, j, inString := 0, 0, false
	space := func(c byte) bool { return !inString && (c == ' ' || c == '\n' || c == '\r' || c == '\t') }
	for {
		for i < len(a) && space(a[i]) {
			i++
		}
		for j < len(b) && space(b[j]) {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if a[i] != b[j] {
			return false
		}
		switch {
		case a[i] == '"':
			inString = !inString
		case a[i] == '\\' && i+1 < len(a) && j+1 < len(b):
			i, j = i+1, j+1
			if a[i] != b[j] {
				return false
			}
		}
		i, j = i+1, j+1
	}
}

func jsValue(b []byte) (any, error) {
	if len(b) == 0 {
		return map[string]any{}, nil
	}
	var v any
	err := json.Unmarshal(b, &v)
	if m, ok := v.(map[string]any); ok {
		for k := range m {
			if strings.HasPrefix(k, "event.") {
				delete(m, k)
			}
		}
	}
	return references(v), err
}

// references puts "ref ID" in the place of each reference to a snapshot.
func references(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = references(v[i])
		}
	case map[string]any:
		if to, ok := v["$snapshot"].(map[string]any); ok {
			return fmt.Sprint("ref ", to["id"])
		}
		if id, ok := v["id_ref"]; ok {
			return fmt.Sprint("ref ", id)
		}
		if id, ok := v["id"].(string); ok && strings.Contains(id, "/0x") {
			return "ref " + id[strings.LastIndexByte(id, '/')+1:]
		}
		for k := range v {
			v[k] = references(v[k])
		}
	}
	return v
}

// labels is a process's labels, in one order.
func labels(ls []string) string {
	var all []string
	for _, l := range ls {
		for _, l := range strings.Split(l, ",") {
			if l = strings.TrimSpace(l); l != "" {
				all = append(all, l)
			}
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
