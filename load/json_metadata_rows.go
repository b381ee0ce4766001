package load

import (
	"strconv"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// What one property or one event may add to table metadata before the rest is
// kept as one text: rows, and levels of nesting.
const (
	maxMetadataRows  = 1000
	maxMetadataDepth = 16
)

// metadataRows flattens one property of the container, or the args of one
// metadata event, into rows of table metadata. A row is named by the prefix,
// the path of the leaf (otherData.version, otherData.list[3]) and the suffix.
// Equal rows are kept once. What is nested deeper than maxMetadataDepth is one
// row of JSON text; a property of more than maxMetadataRows leaves has, after
// these, one more row with the whole of it, named as the property itself.
type metadataRows struct {
	prefix, suffix string

	tok    traceevent.Tokenizer
	key    []byte // path of the value at hand, prefix included
	levels []metadataLevel
}

// metadataLevel is a container that is open.
type metadataLevel struct {
	key    int // length of its own path
	values int // so far
	object bool
}

// addMetadataRows adds the rows of a value.
func (j *jsonBuild) addMetadataRows(m *metadataRows, v traceevent.Raw) {
	m.tok.Reset(v)
	m.levels = m.levels[:0]
	m.key = append(m.key[:0], m.prefix...)
	for rows := 0; ; rows++ {
		leaf := m.next()
		if leaf == nil {
			return
		}
		if rows == maxMetadataRows {
			m.key = append(m.key[:0], m.prefix...)
			j.addMetadataRow(m, v)
			return
		}
		j.addMetadataRow(m, leaf)
	}
}

// next goes to the next leaf, nil at the end.
func (m *metadataRows) next() traceevent.Raw {
	for {
		kind := m.tok.Next()
		switch kind {
		case traceevent.TokenEnd, traceevent.TokenInvalid:
			return nil
		case traceevent.TokenKey:
			m.key = append(m.key[:m.levels[len(m.levels)-1].key], '.')
			m.key = m.tok.Raw().AppendText(m.key)
			continue
		case traceevent.TokenObjectEnd, traceevent.TokenArrayEnd:
			l := m.levels[len(m.levels)-1]
			m.levels = m.levels[:len(m.levels)-1]
			m.key = m.key[:l.key]
			if l.values > 0 {
				continue
			}
			if l.object {
				return traceevent.Raw("{}")
			}
			return traceevent.Raw("[]")
		default: // a value begins
		}
		if n := len(m.levels); n > 0 {
			l := &m.levels[n-1]
			if !l.object {
				m.key = append(m.key[:l.key], '[')
				m.key = strconv.AppendInt(m.key, int64(l.values), 10)
				m.key = append(m.key, ']')
			}
			l.values++
		}
		object := kind == traceevent.TokenObjectStart
		if !object && kind != traceevent.TokenArrayStart {
			return m.tok.Raw()
		}
		if len(m.levels) == maxMetadataDepth {
			return m.tok.Skip()
		}
		m.levels = append(m.levels, metadataLevel{key: len(m.key), object: object})
	}
}

// addMetadataRow adds one leaf.
func (j *jsonBuild) addMetadataRow(m *metadataRows, leaf traceevent.Raw) {
	length := len(m.key)
	m.key = append(m.key, m.suffix...)
	row := trace.Metadata{Name: j.in.Intern(m.key), Int: trace.NoInt}
	m.key = m.key[:length]
	switch leaf.Kind() {
	case traceevent.KindNull:
	case traceevent.KindNumber:
		if n, ok := leaf.Int64(); ok && isIntegerText(leaf) {
			row.Int = n
			break
		}
		row.Str = j.text(leaf)
	default: // texts, and whatever else as it stands
		row.Str = j.text(leaf)
	}
	seen := &j.cold.metadata.rows
	if *seen == nil {
		*seen = map[trace.Metadata]struct{}{}
	}
	if _, ok := (*seen)[row]; !ok {
		(*seen)[row] = struct{}{}
		j.t.Metadata = append(j.t.Metadata, row)
	}
}

// isIntegerText tells 5 from 5.0 and 5e0, which are kept as they stand.
func isIntegerText(number traceevent.Raw) bool {
	for _, c := range number {
		if c == '.' || c|0x20 == 'e' {
			return false
		}
	}
	return true
}
