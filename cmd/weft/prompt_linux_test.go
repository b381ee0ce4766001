//go:build cgo

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a program that runs on a terminal of its own.
type terminal struct {
	t      *testing.T
	master *os.File
	cmd    *exec.Cmd
	ended  chan struct{} // closed when all that was shown is read

	mu   sync.Mutex
	seen bytes.Buffer
	read int // of seen, by expect
}

// onTerminal starts weft on a terminal that is columns wide.
func onTerminal(t *testing.T, columns uint16, args ...string) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Skip("no terminals here: ", err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	defer slave.Close()
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: columns}); err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, master: master, cmd: exec.Command("weft", args...), ended: make(chan struct{})}
	term.cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir(), "TERM=xterm")
	term.cmd.Stdin, term.cmd.Stdout, term.cmd.Stderr = slave, slave, slave
	term.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := term.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { term.cmd.Process.Kill() })
	go func() {
		defer close(term.ended)
		var b [4096]byte
		for {
			n, err := master.Read(b[:])
			term.mu.Lock()
			term.seen.Write(b[:n])
			term.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return term
}

func (p *terminal) send(keys string) {
	p.t.Helper()
	if _, err := p.master.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// expect waits until text shows up after what was expected before.
func (p *terminal) expect(text string) {
	p.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		p.mu.Lock()
		at := strings.Index(p.seen.String()[p.read:], text)
		if at >= 0 {
			p.read += at + len(text)
		}
		all := p.seen.String()
		p.mu.Unlock()
		if at >= 0 {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%q does not show; there is %q", text, all)
		}
	}
}

// screen is all that was shown.
func (p *terminal) screen() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen.String()
}

// expectExit waits for the program's end.
func (p *terminal) expectExit(code int) {
	p.t.Helper()
	select {
	case <-p.ended:
		p.cmd.Wait()
	case <-time.After(20 * time.Second):
		p.t.Fatal("the program does not end")
	}
	if got := p.cmd.ProcessState.ExitCode(); got != code {
		p.t.Errorf("exit code %d, want %d", got, code)
	}
}

func smallTrace(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "trace.json")
	if err := os.WriteFile(path, []byte(`[{"ph": "X", "pid": 1, "tid": 1, "ts": 10, "dur": 90, "name": "outer"}]`), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPromptOnTerminal(t *testing.T) {
	p := onTerminal(t, 80, "query", "-i", smallTrace(t))
	p.expect("weft> ")

	p.send("SELECT 40 + 1 AS a; SELECT 40 + 2 AS b;\r")
	p.expect("41\r\n")
	p.expect("42\r\n") // each has its result
	p.expect("weft> ")

	// Ctrl-C drops a line, and a statement of several.
	p.send("SELECT 40 + 3 AS c;\x03")
	p.expect("^C")
	p.expect("weft> ")
	p.send("SELECT\r")
	p.expect("  ..> ")
	p.send("nonsense\x03")
	p.expect("weft> ")
	p.send("SELECT 40 + 4 AS d;\r")
	p.expect("44\r\n")
	p.expect("weft> ")
	p.send("\x03")
	p.expect("Ctrl-D or .quit leaves.")
	p.expect("weft> ")

	// It stops a statement that runs.
	p.send("SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b;\r")
	p.expect("b;\r\n")
	time.Sleep(300 * time.Millisecond)
	p.send("\x03")
	p.expect("interrupted")
	p.expect("weft> ")

	// A paste of several lines, and the statement from the history.
	p.send("\x1b[200~SELECT\n\t40 + 5\nAS e;\n\x1b[201~")
	p.expect("45\r\n")
	p.expect("weft> ")
	p.send("\x1b[A")
	p.expect("40 + 5 AS e;")
	p.send("\r")
	p.expect("45\r\n")
	p.expect("weft> ")

	p.send(".nonsense\r")
	p.expect("no command .nonsense: .help lists all")
	p.expect("weft> ")
	p.send("\x04")
	p.expectExit(0)
	if s := p.screen(); strings.Contains(s, "43\r\n") || strings.Contains(s, "Parser") {
		t.Errorf("a dropped statement ran: %q", s)
	}
}

// What a statement gives back can't speak to the terminal in any format.
func TestControlCharactersOnTerminal(t *testing.T) {
	for _, format := range []string{"table", "csv", "json", "jsonl", "markdown"} {
		p := onTerminal(t, 80, "query", smallTrace(t), "SELECT chr(27) || '[31m' || chr(155) AS a", "--format", format)
		p.expect(`\u001b[31m\u009b`)
		p.expectExit(0)
	}
	path := filepath.Join(t.TempDir(), "trace.json")
	if err := os.WriteFile(path, []byte("[{\"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": 10, \"dur\": 90, \"name\": \"a\u009b31m\"}]"), 0o666); err != nil {
		t.Fatal(err)
	}
	p := onTerminal(t, 80, "info", "--json", path)
	p.expect(`a\u009b31m`)
	p.expectExit(0)
}

// Ctrl-D leaves, and does not run what is half typed.
func TestPromptEndsHalfWay(t *testing.T) {
	p := onTerminal(t, 80, "query", "-i", smallTrace(t))
	p.expect("weft> ")
	p.send("SELECT 40 + 6\r")
	p.expect("  ..> ")
	p.send("\x04")
	p.expectExit(0)
	if strings.Contains(p.screen(), "46") {
		t.Errorf("it ran: %q", p.screen())
	}
}

func TestPromptLeaves(t *testing.T) {
	for _, word := range []string{"exit", "quit;", ".quit"} {
		p := onTerminal(t, 80, "query", "-i", smallTrace(t))
		p.expect("weft> ")
		p.send(word + "\r")
		p.expectExit(0)
	}
}
