package traceevent

// Token is the kind of what a Tokenizer found.
type Token uint8

// The kinds of tokens.
const (
	TokenEnd         Token = iota // nothing more
	TokenInvalid                  // the rest is not JSON; nothing follows
	TokenObjectStart              // {
	TokenObjectEnd                // }
	TokenArrayStart               // [
	TokenArrayEnd                 // ]
	TokenKey                      // a key of an object, with its quotes
	TokenString
	TokenNumber
	TokenBool
	TokenNull
)

var tokenNames = [...]string{
	"end", "invalid", "object start", "object end", "array start", "array end",
	"key", "string", "number", "bool", "null",
}

// String is the kind's name, in lower case.
func (t Token) String() string {
	if int(t) < len(tokenNames) {
		return tokenNames[t]
	}
	return "unknown token"
}

// Tokenizer takes one value, such as an event's args, apart in a single pass. It
// expects what a Scanner found to be readable, and reads the same forms as meant;
// in any other text it stops with TokenInvalid. Depth has no limit: a level takes
// eight bytes.
type Tokenizer struct {
	p     parser
	doc   []byte
	pos   int
	from  int    // where the last token begins
	open  []open // containers, the innermost last
	value bool   // a key was read: its value is due
	dead  bool
}

// open is a container that hasn't ended: where it begins, and its kind.
type open struct {
	from   int
	object bool
}

// NewTokenizer makes a tokenizer of v.
func NewTokenizer(v Raw) *Tokenizer {
	t := new(Tokenizer)
	t.Reset(v)
	return t
}

// Reset makes the tokenizer read v, keeping its memory.
func (t *Tokenizer) Reset(v Raw) {
	t.doc, t.pos, t.from = v, 0, 0
	t.open, t.value, t.dead = t.open[:0], false, false
}

// Raw is the last token as it stands; of a container only the bracket.
func (t *Tokenizer) Raw() Raw { return Raw(t.doc[t.from:t.pos:t.pos]) }

// Offset is where in the value the last token begins, in bytes.
func (t *Tokenizer) Offset() int { return t.from }

// Depth is the number of containers open.
func (t *Tokenizer) Depth() int { return len(t.open) }

// Next goes to the next token.
func (t *Tokenizer) Next() Token {
	doc := t.doc
	i := t.pos
	for i < len(doc) && (isSpace(doc[i]) || doc[i] == ',' || doc[i] == ':') {
		i++
	}
	t.from, t.pos = i, i
	if t.dead || i == len(doc) {
		return TokenEnd
	}
	inObject := len(t.open) > 0 && t.open[len(t.open)-1].object
	key := inObject && !t.value
	t.value = false
	switch c := doc[i]; c {
	case '{', '[':
		if key {
			return t.invalid()
		}
		t.open = append(t.open, open{i, c == '{'})
		t.pos = i + 1
		if c == '{' {
			return TokenObjectStart
		}
		return TokenArrayStart
	case '}', ']':
		if len(t.open) == 0 || inObject != (c == '}') {
			return t.invalid()
		}
		t.open = t.open[:len(t.open)-1]
		t.pos = i + 1
		if c == '}' {
			return TokenObjectEnd
		}
		return TokenArrayEnd
	case '"':
		end, _ := t.p.str(doc, i+1)
		if end < 0 {
			return t.invalid()
		}
		t.pos = end
		if key {
			t.value = true
			return TokenKey
		}
		return TokenString
	}
	end := -1
	if !key {
		end = t.p.scalar(doc, i)
	}
	if end < 0 {
		return t.invalid()
	}
	t.pos = end
	switch doc[i] {
	case 't', 'f':
		return TokenBool
	case 'n':
		return TokenNull
	}
	return TokenNumber
}

func (t *Tokenizer) invalid() Token {
	t.dead = true
	t.pos = len(t.doc)
	return TokenInvalid
}

// Skip passes the rest of the innermost container that is open, its end included,
// and returns the whole of it; nil when none is open or it can't be read. After a
// start token that is the container which has just been opened.
func (t *Tokenizer) Skip() Raw {
	if len(t.open) == 0 || t.dead {
		return nil
	}
	depth := len(t.open)
	from := t.open[depth-1].from
	if t.from == from { // nothing of it was read yet: all of it can be passed at once
		if end := t.p.container(t.doc, from); end >= 0 {
			t.pos, t.value = end, false
			t.open = t.open[:depth-1]
			return Raw(t.doc[from:end:end])
		}
	}
	for len(t.open) >= depth {
		switch t.Next() {
		case TokenEnd, TokenInvalid:
			t.invalid()
			return nil
		}
	}
	return Raw(t.doc[from:t.pos:t.pos])
}
