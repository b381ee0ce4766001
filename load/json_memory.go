package load

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// memoryEvents are the memory dumps (phases v and V).
type memoryEvents struct {
	index map[memoryKey]int // into dumps
	dumps []memoryDump
}

// memoryKey tells dumps apart: all events of one process and one dump id are
// one dump of that process. NoProcess is what concerns the system as a whole.
type memoryKey struct {
	process trace.UPID
	id      trace.StringID
}

type memoryDump struct {
	memoryKey
	ts     int64 // of its first event
	level  trace.StringID
	args   trace.ArgSetID
	totals bool // args are those of the event with the totals
	parts  []memoryPart
}

// memoryPart is what one event brought.
type memoryPart struct {
	dumps  traceevent.Raw
	offset int64
	args   trace.ArgSetID // of the event
}

// addMemoryDump handles an event of phase v or V.
func (j *jsonBuild) addMemoryDump(e *traceevent.Event) {
	ts, ok := j.placedAt(e)
	if !ok {
		return
	}
	key := memoryKey{trace.NoProcess, j.text(e.Get(traceevent.FieldID))}
	if e.Phase() == traceevent.PhaseMemoryProcess {
		key.process = j.process(e)
	}
	dumps, at := j.memberAt(e.Get(traceevent.FieldArgs), "dumps")
	if dumps.Kind() != traceevent.KindObject {
		j.problem(problemMemoryDump, e)
	}
	if key.process != trace.NoProcess && bytes.Contains(dumps, []byte(`"global/`)) {
		j.memoryDump(memoryKey{trace.NoProcess, key.id}, ts)
	}
	d := j.memoryDump(key, ts)
	args := j.argSet(e, placedMemory)
	if totals := j.member(dumps, "process_totals") != nil; d.args == 0 || totals && !d.totals {
		d.args, d.totals = args, totals
	}
	if level := j.member(dumps, "level_of_detail"); level != nil {
		d.level = j.text(level)
	}
	if dumps != nil {
		d.parts = append(d.parts, memoryPart{dumps, e.FieldOffset(traceevent.FieldArgs) + int64(at), args})
	}
}

// memoryDump is the dump of a key, which an event at ts belongs to.
func (j *jsonBuild) memoryDump(key memoryKey, ts int64) *memoryDump {
	m := &j.cold.memory
	i, ok := m.index[key]
	if !ok {
		if m.index == nil {
			m.index = map[memoryKey]int{}
		}
		i = len(m.dumps)
		m.index[key] = i
		m.dumps = append(m.dumps, memoryDump{memoryKey: key, ts: ts})
	}
	d := &m.dumps[i]
	d.ts = min(d.ts, ts)
	return d
}

// finishMemory makes the tables of memory dumps. Dumps of one id were taken
// together, and what one process holds another may own: they are sized
// together.
func (j *jsonBuild) finishMemory() {
	dumps := j.cold.memory.dumps
	j.cold.memory = memoryEvents{}
	slices.SortStableFunc(dumps, func(a, b memoryDump) int { return cmp.Compare(a.ts, b.ts) })
	tracks := map[trace.UPID]trace.TrackID{}
	groups := map[trace.StringID]int{}
	var byID [][]uint32 // rows of MemorySnapshots
	for row, d := range dumps {
		track, ok := tracks[d.process]
		if !ok {
			t := trace.NewTrack(trace.TrackMemory)
			t.Process = d.process
			track = j.b.AddTrack(t)
			tracks[d.process] = track
		}
		j.t.MemorySnapshots = append(j.t.MemorySnapshots, trace.MemorySnapshot{
			TS: d.ts, Track: track, DetailLevel: d.level, DumpID: d.id, Process: d.process, ArgSet: d.args,
		})
		group, ok := groups[d.id]
		if !ok {
			group = len(byID)
			groups[d.id] = group
			byID = append(byID, nil)
		}
		byID[group] = append(byID[group], uint32(row))
	}
	for _, rows := range byID {
		g := newMemoryGraph()
		for _, row := range rows {
			if dumps[row].process == trace.NoProcess {
				g.whole = row
			}
		}
		for _, row := range rows {
			for _, part := range dumps[row].parts {
				j.readMemoryPart(g, row, part)
			}
		}
		j.sizeMemory(g)
		j.addMemoryNodes(g)
	}
}

// readMemoryPart reads what one event says about a snapshot.
func (j *jsonBuild) readMemoryPart(g *memoryGraph, row uint32, part memoryPart) {
	members(part.dumps, func(key []byte, value traceevent.Raw, offset int) bool {
		at := part.offset + int64(offset)
		switch string(key) {
		case "allocators":
			g.walkPaths.visit(value, func(path []byte, dump traceevent.Raw, offset int) bool {
				snapshot := row
				if rest, ok := bytes.CutPrefix(path, []byte("global/")); ok && g.whole != noSnapshotRow {
					path = rest
					snapshot = g.whole
				}
				j.memoryNode(g, snapshot, path, dump, at+int64(offset))
				return true
			})
		case "allocators_graph":
			eachElement(value, func(edge traceevent.Raw, offset int) bool {
				j.memoryEdge(g, edge, at+int64(offset))
				return true
			})
		case "process_mmaps":
			regions, offset := j.memberAt(value, "vm_regions")
			at += int64(offset)
			eachElement(regions, func(region traceevent.Raw, offset int) bool {
				j.memoryRegion(row, region, at+int64(offset))
				return true
			})
		case "level_of_detail": // the snapshot has it
		default: // totals, heaps: they stay in the args
			if part.args != j.t.MemorySnapshots[row].ArgSet {
				j.log.add(problemMemoryApart, at, j.t.MemorySnapshots[row].TS, key)
			}
		}
		return true
	})
}

// memoryRegion reads one region of a process's address space.
func (j *jsonBuild) memoryRegion(row uint32, region traceevent.Raw, offset int64) {
	r := trace.MemoryRegion{Snapshot: row, Size: trace.NoInt, Protection: trace.NoInt}
	good := region.Kind() == traceevent.KindObject
	j.walk.visit(region, func(key []byte, value traceevent.Raw, _ int) bool {
		switch string(key) {
		case "sa":
			start, ok := hexNumber(value)
			r.Start, good = start, good && ok
		case "sz":
			size, ok := hexNumber(value)
			r.Size, good = int64(size), good && ok && size < 1<<63
		case "pf":
			r.Protection = integer(value)
		case "mf":
			r.Name = j.text(value)
		default: // byte statistics: they stay in the args
		}
		return true
	})
	if !good {
		j.log.add(problemMemoryRegion, offset, j.t.MemorySnapshots[row].TS, region)
		return
	}
	r.ArgSet = j.argsFrom("args", offset)
	j.t.MemoryRegions = append(j.t.MemoryRegions, r)
}

// hexNumber reads a number of a memory dump: hexadecimal in a string, with or
// without 0x, or a plain JSON number.
func hexNumber(r traceevent.Raw) (uint64, bool) {
	text, ok := r.Plain()
	if !ok {
		return r.Uint64()
	}
	if len(text) > 2 && text[0] == '0' && text[1]|0x20 == 'x' {
		text = text[2:]
	}
	return hexDigits(text)
}
