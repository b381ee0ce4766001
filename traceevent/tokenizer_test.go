package traceevent

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func tokens(v string) string {
	var out []string
	t := NewTokenizer(Raw(v))
	for {
		k := t.Next()
		switch k {
		case TokenEnd:
			return strings.Join(out, " ")
		case TokenInvalid:
			return strings.Join(append(out, "!"), " ")
		}
		out = append(out, fmt.Sprintf("%d:%s", t.Offset(), t.Raw()))
	}
}

func TestTokenizer(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{``, ``},
		{` 12 `, `1:12`},
		{`"a"`, `0:"a"`},
		{`{}`, `0:{ 1:}`},
		{`{"a" : [1, true,null,{"b":"c"}], "d":NaN}`,
			`0:{ 1:"a" 7:[ 8:1 11:true 16:null 21:{ 22:"b" 26:"c" 29:} 30:] 33:"d" 37:NaN 40:}`},
		{`[1}`, `0:[ 1:1 !`},
		{`{1:2}`, `0:{ !`},
		{`{"a"}`, `0:{ 1:"a" 4:}`},
		{`]`, `!`},
		{`"a`, `!`},
		{`{"a":?}`, `0:{ 1:"a" !`},
	} {
		if got := tokens(c.in); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestTokenizerSkip(t *testing.T) {
	tok := NewTokenizer(Raw(`{"a":{"b":[1,{}]},"c":2}`))
	for _, want := range []Token{TokenObjectStart, TokenKey, TokenObjectStart, TokenKey} {
		if k := tok.Next(); k != want {
			t.Fatalf("%s, want %s", k, want)
		}
	}
	if got := string(tok.Skip()); got != `{"b":[1,{}]}` {
		t.Errorf("skipped %s", got)
	}
	if k := tok.Next(); k != TokenKey || string(tok.Raw()) != `"c"` {
		t.Errorf("%s %s after it", k, tok.Raw())
	}
	if got := string(tok.Skip()); got != `{"a":{"b":[1,{}]},"c":2}` {
		t.Errorf("skipped %s", got)
	}
	if tok.Skip() != nil || tok.Next() != TokenEnd {
		t.Error("something is left")
	}
	tok.Reset(Raw(`[[1,`))
	tok.Next()
	if tok.Skip() != nil || tok.Next() != TokenEnd {
		t.Error("what doesn't end was skipped")
	}
}

func TestTokenizerDeep(t *testing.T) {
	const levels = 1 << 20
	v := Raw(strings.Repeat(`[{"a":`, levels) + "1" + strings.Repeat("}]", levels))
	start := time.Now()
	tok := NewTokenizer(v)
	n, deepest := 0, 0
	for k := tok.Next(); k != TokenEnd; k = tok.Next() {
		n++
		deepest = max(deepest, tok.Depth())
	}
	if n != 5*levels+1 || deepest != 2*levels {
		t.Errorf("%d tokens, %d levels", n, deepest)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}
