package load_test

import (
	"bytes"
	"strings"
)

// A rule is a decision by which our reading of a file differs from the
// original Trace Viewer's, and the differences that follow from it.
type rule struct {
	name     string
	decision string
	explains func(c *comparison, d difference) bool
}

// rules are tried in order; the first that explains a difference counts it.
var rules = []rule{
	{
		"gave_up", "the original stops at the first thing it can't take; we read on",
		func(c *comparison, d difference) bool { return c.dump.Error != nil && d.got != nil },
	},
	{
		"named_end", "an E with a name closes the innermost slice of that name; the original closes the innermost and warns",
		func(c *comparison, d difference) bool {
			if !c.warns("title_match_error") {
				return false
			}
			if d.kind == "slice.dur" || d.kind == "slice.args" {
				return true
			}
			return nested(d, func(n nesting) bool { return n.differ(c) })
		},
	},
	{
		"unfinished", "a slice without an end has none; the original guesses one, and nests by it",
		func(c *comparison, d difference) bool {
			return nested(d, func(n nesting) bool {
				return n.want.unfinished() || n.got.unfinished() || n.wantParent.unfinished() || n.gotParent.unfinished()
			})
		},
	},
	{
		"async_error", "an async slice without begin or end is unfinished or a problem; the original invents the missing side",
		func(c *comparison, d difference) bool {
			return d.want != nil && d.want.text("error") != "" && (d.kind == "async.missing" || d.kind == "async.dur")
		},
	},
	{
		"longest_first", "of slices that start together the longest is the parent, and an instant is inside; the original goes by their order in the file",
		func(c *comparison, d difference) bool {
			return nested(d, func(n nesting) bool {
				return n.gotParent != nil && n.gotParent.at == n.got.at || n.wantParent != nil && n.wantParent.at == n.want.at ||
					n.gotParent != nil && n.wantParent != nil && n.gotParent.at.equals(n.wantParent.at)
			})
		},
	},
	{
		"exact_nesting", "a slice lies in one that is still open when it starts, to the nanosecond; the original rounds to microseconds",
		func(c *comparison, d difference) bool {
			return nested(d, func(n nesting) bool {
				return n.wantParent != nil && n.got.at.ns >= n.wantParent.end().ns-n.wantParent.end().tolerance
			})
		},
	},
	{
		"overlap_kept", "a slice that truly outlasts the one it starts in is kept on an overflow track; the original nests it all the same",
		func(c *comparison, d difference) bool {
			return nested(d, func(n nesting) bool {
				return n.got.text("overflow") == "true" || n.wantParent != nil && (c.overflowed(n.wantParent) ||
					n.want.end().ns > n.wantParent.end().ns+n.wantParent.end().tolerance)
			})
		},
	},
	{
		"doubles", "times are exact; the original's are doubles, which at this magnitude are a quarter of a microsecond apart",
		func(c *comparison, d difference) bool {
			return nested(d, func(n nesting) bool {
				return n.want.at.tolerance > 100 && (n.got.meets(n.gotParent, n.want.at.tolerance) || n.want.meets(n.wantParent, n.want.at.tolerance))
			})
		},
	},
	{
		"tolerated_overlap", "a child may outlast its parent by less than a microsecond",
		func(c *comparison, d difference) bool {
			return nested(d, func(n nesting) bool {
				return n.gotParent != nil && n.got.end().ns > n.gotParent.end().ns && n.got.end().ns-n.gotParent.end().ns < 1000
			})
		},
	},
	{
		"overhead", "events of the category trace_event_overhead are slices like any other; the original hides them",
		func(c *comparison, d difference) bool {
			return d.kind == "slice.extra" && d.got.text("cat") == "trace_event_overhead" ||
				strings.HasPrefix(d.kind, "flow.") && d.got != nil && (d.got.text("from_name") == "overhead" || d.got.text("to_name") == "overhead")
		},
	},
	{
		"zero_dur", "dur has no meaning on B and i; the original drops those with a dur of 0",
		func(c *comparison, d difference) bool {
			return d.kind == "slice.extra" && bytes.Contains(d.got.field("args").json, []byte(`"event.dur":0`))
		},
	},
	{
		"bad_scope", "an instant of unknown scope is one of the thread; the original drops it",
		func(c *comparison, d difference) bool {
			return d.kind == "slice.extra" && d.got.text("scope") == "t" && c.warns("instant_parse_error")
		},
	},
	{
		"every_thread", "every process and thread that an event names is there; the original has none for events that it draws elsewhere or drops",
		func(c *comparison, d difference) bool {
			return (d.kind == "process.extra" || d.kind == "thread.extra") && !c.theirOwners[d.got.owner]
		},
	},
	{
		"text_id", "a pid or tid that is text is a name, too",
		func(c *comparison, d difference) bool {
			return (d.kind == "process.name" || d.kind == "thread.name") && d.want.text("name") == "" &&
				(d.got.owner == d.got.text("name") || strings.HasSuffix(d.got.owner, "/"+d.got.text("name")))
		},
	},
	{
		"no_guessed_name", "a process without a name has none; the original guesses one by the names of its threads",
		func(c *comparison, d difference) bool {
			return d.kind == "process.name" && d.got.text("name") == "" && guessedNames[d.want.text("name")]
		},
	},
	{
		"every_sample", "a sample of a thread that nothing else names is kept; the original drops it",
		func(c *comparison, d difference) bool {
			return d.kind == "sample.extra" && !c.theirOwners[d.got.owner] && c.warns("sample_import_error")
		},
	},
	{
		"delete_only", "an object of which only the end is known has no life: a problem",
		func(c *comparison, d difference) bool {
			return d.kind == "object.missing" && d.want.text("created") == "unknown" && d.want.text("snapshots") == "0"
		},
	},
	{
		"series_later", "a counter's series may appear at any time; the original has those of the first event only, and 0 where an event lacks one",
		func(c *comparison, d difference) bool {
			switch d.kind {
			case "counter.extra":
				return !c.theirSeries[d.got.owner+"\x00"+d.got.name]
			case "counter.missing":
				return d.want.text("value") == "0"
			}
			return false
		},
	},
	{
		"flow_edge", "a flow event at the very edge of slices is bound to the deepest of them, the latest if equal; the original takes another",
		func(c *comparison, d difference) bool {
			if !strings.HasPrefix(d.kind, "flow.") || d.want == nil || d.got == nil || d.kind == "flow.ts_out" {
				return false
			}
			at := func(end string, ts int64) bool {
				return d.got.field(end+"_start").equals(d.want.field(end+"_start")) && d.got.text(end+"_name") == d.want.text(end+"_name") ||
					d.got.field(end+"_start").time.ns == ts || d.got.field(end+"_end").time.ns == ts
			}
			return at("from", d.got.field("ts_out").time.ns) && at("to", d.got.at.ns)
		},
	},
	{
		"flow_link", "an arrow made by bind_id joins the slices that carry it, start to start; the original has it leave at its producer's end, and looks for slices at those times; it calls it as the producer, we as the consumer",
		func(c *comparison, d difference) bool {
			if !strings.HasPrefix(d.kind, "flow.") || d.want == nil {
				return false
			}
			return c.linking[d.want.text("name")]
		},
	},
}

// guessedNames are the names that the original gives to processes of Chrome.
var guessedNames = map[string]bool{"Browser": true, "Renderer": true, "GPU Process": true, "Worker Process": true, "Plugin": true}

// nesting is a slice that the two sides put into different parents.
type nesting struct {
	want, got             *fact
	wantParent, gotParent *fact // nil for none
}

// differ says whether the two parents, or the slice itself, end at different
// times on the two sides.
func (n nesting) differ(c *comparison) bool {
	for _, f := range []*fact{n.want, n.wantParent} {
		if f != nil && c.durDiffers[f] {
			return true
		}
	}
	for _, f := range []*fact{n.got, n.gotParent} {
		if f != nil && c.durDiffers[f] {
			return true
		}
	}
	return false
}

// meets says whether one end of a slice is at one end of another, but for
// rounding.
func (f *fact) meets(o *fact, tolerance int64) bool {
	if o == nil {
		return false
	}
	for _, a := range []int64{f.at.ns, f.end().ns} {
		for _, b := range []int64{o.at.ns, o.end().ns} {
			if a-b <= 2*tolerance && b-a <= 2*tolerance {
				return true
			}
		}
	}
	return false
}

// nested calls check for the place where the two sides begin to differ in how
// they nest a slice: at itself or at one of those that it lies in.
func nested(d difference, check func(nesting) bool) bool {
	switch d.kind {
	case "slice.depth", "slice.parent", "slice.parent_start", "async.depth":
	default:
		return false
	}
	n := nesting{d.want, d.got, d.want.parent, d.got.parent}
	for n.wantParent != nil && n.gotParent != nil && n.wantParent.name == n.gotParent.name && n.wantParent.at.equals(n.gotParent.at) {
		n = nesting{n.wantParent, n.gotParent, n.wantParent.parent, n.gotParent.parent}
	}
	return check(n)
}

// An exception is differences of one kind in one file that no rule explains.
type exception struct {
	file   string
	kind   string
	count  int
	reason string
}

// exceptions are all of them. One that no longer holds fails the test, too.
var exceptions = []exception{
	{"catapult/nestable_async.json", "async.args", 8, "an e's args replace a b's of the same name; the original merges those named params"},
	{"gen/parcel2-profile-v8cpu.trace.gz", "sample.extra", 7221, "the one-event form of a V8 profile is read; the original reads only chunks"},
	{"json/twxs_cxxtracing__traces__trace.json", "process.missing", 1, "its times leave the range of 64-bit nanoseconds"},
	{"json/twxs_cxxtracing__traces__trace.json", "slice.missing", 30, "its times leave the range of 64-bit nanoseconds"},
	{"json/twxs_cxxtracing__traces__trace.json", "thread.missing", 2, "its times leave the range of 64-bit nanoseconds"},
	{"lighthouse/GoogleChrome_lighthouse__lr__trace.json.gz", "flow.extra", 1, "an end at the edge of a slice is bound; the original finds no slice there"},
	{"lighthouse/GoogleChrome_lighthouse__step3__trace.json.gz", "flow.extra", 1, "an end at an instant is bound to it; the original finds no slice there"},
	{"perfetto/flow_events_json_v2.json", "flow.extra", 1, "bind_id counts on B, too; the original knows it on X only"},
	{"probes/a_legacy_double_S.json", "async.dur", 1, "an S of an id that is open begins another slice; the original drops it"},
	{"probes/a_legacy_double_S.json", "async.extra", 1, "an S of an id that is open begins another slice; the original drops it"},
	{"probes/a_legacy_no_id.json", "async.extra", 1, "a missing id is the empty one"},
	{"probes/c_id.json", "counter.missing", 1, "id2 names a counter as id does; the original ignores it"},
	{"probes/f2_on_B.json", "flow.extra", 1, "bind_id counts on B, too; the original knows it on X only"},
	{"probes/f_id2.json", "flow.extra", 1, "id2 names a flow as id does; the original drops the events"},
	{"probes/f_id_number_vs_string.json", "flow.extra", 1, "an id that is an integer equals its decimal text"},
	{"probes/n_args_merge.json", "async.args", 1, "an e's args replace a b's of the same name; the original merges those named params"},
	{"probes/tid_missing.json", "thread.missing", 1, "a missing tid is the main thread; the original makes a thread without an id"},
	{"probes/ts_hex_string.json", "process.missing", 1, "a time in hex is none"},
	{"probes/ts_hex_string.json", "slice.missing", 1, "a time in hex is none"},
	{"probes/ts_hex_string.json", "thread.missing", 1, "a time in hex is none"},
	{"probes/ts_null.json", "slice.missing", 1, "a time that is null is none; the original takes it for 0"},
	{"probes/x_dur_negative.json", "slice.dur", 1, "a negative duration becomes 0, with a problem"},
	{"speedscope/jlfwong_speedscope__65__simple.cpuprofile", "sample.extra", 29, "a V8 profile that stands alone is a trace; the original finds no events in it"},
	{"speedscope/jlfwong_speedscope__65__sucrase.cpuprofile.gz", "sample.extra", 17138, "a V8 profile that stands alone is a trace; the original finds no events in it"},
	{"speedscope/jlfwong_speedscope__141__no-arg-data.json", "sample.extra", 7, "samples of nodes that the profile doesn't name are kept, without a stack"},
	{"speedscope/jlfwong_speedscope__trace-event__out-of-order-unbalanced-name.json", "slice.dur", 2, "B and E are paired in order of time; the original goes by the file's"},
}
