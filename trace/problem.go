package trace

// Severity says how bad a problem is.
type Severity uint8

// The severities, worst last.
const (
	Info     Severity = iota // worth knowing; nothing is wrong
	Warning                  // read as meant, or guessed
	DataLoss                 // the producer lost data, or wrote what can't be used
	Error                    // the input breaks its format
)

var severityNames = [...]string{"info", "warning", "data_loss", "error"}

// String is the severity's name as SQL shows it.
func (s Severity) String() string { return severityNames[s] }

// ProblemKind describes one kind of problem: its stable code and what to do
// about it. The kinds are data: docs and `weft check` print the same words.
type ProblemKind struct {
	Code     string // stable: "end_without_begin"
	Severity Severity
	Message  string // what happened, as a sentence
	Hint     string // what the reader of it can do
}

// MaxProblemSamples is how many places of each kind of problem are kept.
const MaxProblemSamples = 100

// Problem is one kind of problem and where it occurred.
type Problem struct {
	*ProblemKind
	Count   int64
	Samples []ProblemSample // the first MaxProblemSamples
}

// ProblemSample is one place where a problem occurred.
type ProblemSample struct {
	Offset int64  // byte offset in the (decompressed) input; -1 when it has none
	Line   int64  // from 1; 0 when not known
	TS     int64  // NoTime when it has none
	Text   string // the text itself, cut to MaxProblemText bytes
}

// MaxProblemText is how much of the input's text a sample keeps, in bytes.
const MaxProblemText = 200
