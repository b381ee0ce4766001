package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
)

// maxHistory is how many entries of history are kept.
const maxHistory = 1000

// history is the statements that were typed at the prompt, each on one line, kept
// in the user's state directory. Where that can't be written it lasts as long as the program.
type history struct {
	lines []string // oldest first
	file  *os.File // lines are appended to it; nil when it can't be
}

// historyPath is $XDG_STATE_HOME/weft/history, or what stands for it here.
func historyPath() (string, error) {
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "weft", "history"), nil
}

func openHistory() *history {
	h := &history{}
	path, err := historyPath()
	if err != nil {
		return h
	}
	if b, err := os.ReadFile(path); err == nil {
		s := bufio.NewScanner(strings.NewReader(string(b)))
		for s.Scan() {
			h.lines = append(h.lines, s.Text())
		}
	}
	if os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return h
	}
	if n := len(h.lines); n > 2*maxHistory {
		h.lines = h.lines[n-maxHistory:]
		os.WriteFile(path, []byte(strings.Join(h.lines, "\n")+"\n"), 0o600)
	}
	h.file, _ = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	return h
}

// Add remembers a statement. It is kept as one line, unless a comment in it
// ends where its line does.
func (h *history) Add(statement string) {
	if !strings.Contains(statement, "--") {
		h.add(strings.Join(strings.Split(strings.TrimSpace(statement), "\n"), " "))
		return
	}
	for line := range strings.Lines(statement) {
		h.add(line)
	}
}

// add remembers a line, unless it is empty or the one before.
func (h *history) add(line string) {
	line = strings.TrimSpace(line)
	if line == "" || len(h.lines) > 0 && h.lines[len(h.lines)-1] == line {
		return
	}
	h.lines = append(h.lines, line)
	if h.file != nil {
		h.file.WriteString(line + "\n")
	}
}

// Len is the number of lines.
func (h *history) Len() int { return len(h.lines) }

// At is a line, the latest first.
func (h *history) At(i int) string { return h.lines[len(h.lines)-1-i] }

func (h *history) close() {
	if h.file != nil {
		h.file.Close()
	}
}
