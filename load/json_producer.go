package load

import (
	"strings"

	"github.com/weft-trace/weft/traceevent"
)

// producerClue is a property of the container that only one producer writes.
type producerClue struct {
	property string
	member   string // that it must have; "" for none
	producer string // "" where the version says it all
	version  string // the member that is the version; "" for none
}

// producerClues are tried in order.
var producerClues = []producerClue{
	{"viztracer_metadata", "", "VizTracer", "version"},
	{"otherData", "bazel_version", "Bazel", "bazel_version"},
	{"otherData", "build_id", "Bazel", ""},
	{"metadata", "product-version", "", "product-version"}, // Chrome/120.0…
	{"metadata", "user-agent", "Chrome", ""},
	{"metadata", "clock-domain", "Chrome", ""},
	{"metadata", "source", "", "source"}, // DevTools
	{"clientInfo", "version", "", "version"},
	{"deviceProperties", "", "PyTorch Kineto", ""},
	{"distributedInfo", "", "PyTorch Kineto", ""},
	{"beginningOfTime", "", "clang -ftime-trace", ""},
	{"otherData", "version", "", "version"},
	{"metadata", "version", "", "version"},
	{"nodes", "", "V8 CPU profiler", ""},
}

// processClues are what producers call their processes.
var processClues = map[string]string{
	"Browser":         "Chrome",
	"HeadlessBrowser": "Chrome",
	"Renderer":        "Chrome",
	"clang":           "clang -ftime-trace",
	"clang.exe":       "clang -ftime-trace",
	"clangd":          "clangd",
	"hermes":          "Hermes",
	"tsc":             "tsc --generateTrace",
	"cmake":           "CMake",
}

// sliceClues are names of slices with which only one producer's traces begin.
var sliceClues = map[string]string{
	"Running build command": "go build -debug-trace",
	"model_loading_uri":     "ONNX Runtime",
	"model_loading_array":   "ONNX Runtime",
}

// fewSlices is how many slices are looked at for what they tell.
const fewSlices = 100

// producer says who wrote the trace, as far as it tells; "" where that isn't
// known.
func (j *jsonBuild) producer() string {
	for _, clue := range producerClues {
		for _, m := range j.cold.top.members {
			if string(m.Key) != clue.property {
				continue
			}
			if name := j.clueName(clue, m.Value); name != "" {
				return name
			}
		}
	}
	text := j.in.Strings()
	for _, row := range j.t.Metadata {
		if text.Get(row.Name) == "version.node" {
			return "Node.js " + text.Get(row.Str)
		}
	}
	for _, p := range j.t.Processes {
		name := text.Get(p.Name)
		if producer := processClues[name]; producer != "" {
			return producer
		}
		if strings.HasPrefix(name, "turbo ") {
			return name
		}
	}
	for _, name := range j.t.Slices.Name[:min(len(j.t.Slices.Name), fewSlices)] {
		if producer := sliceClues[text.Get(name)]; producer != "" {
			return producer
		}
	}
	return ""
}

// clueName is the producer that a property tells of, "" when it tells of none.
func (j *jsonBuild) clueName(clue producerClue, property traceevent.Raw) string {
	if clue.member != "" && j.member(property, clue.member) == nil {
		return ""
	}
	version := ""
	if clue.version != "" {
		version = string(j.member(property, clue.version).AppendText(nil))
	}
	if clue.producer == "" && strings.TrimLeft(version, "v0123456789.") == "" {
		return "" // the version of something without a name
	}
	return strings.TrimSpace(clue.producer + " " + version)
}
