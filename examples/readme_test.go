package examples_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadmeTour runs each command that the README shows and compares what it
// prints with what stands there.
func TestReadmeTour(t *testing.T) {
	if out, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err != nil || strings.TrimSpace(string(out)) != "1" {
		t.Skip("the tour is made of queries, which need cgo")
	}
	weft := filepath.Join(t.TempDir(), "weft")
	if out, err := exec.Command("go", "build", "-o", weft, "../cmd/weft").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	const prompt = "    $ weft "
	shown := 0
	for rest := string(readme); ; {
		_, after, found := strings.Cut(rest, "\n"+prompt)
		if !found {
			break
		}
		command, after, _ := strings.Cut(after, "\n")
		var want strings.Builder
		for strings.HasPrefix(after, "    ") {
			var line string
			line, after, _ = strings.Cut(after, "\n")
			want.WriteString(line[4:] + "\n")
		}
		cmd := exec.Command(weft, words(command)...)
		cmd.Dir = ".."
		var out, errOut bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errOut
		if err := cmd.Run(); err != nil {
			t.Errorf("weft %s: %v\n%s", command, err, &errOut)
		}
		if trimmed(out.String()) != trimmed(want.String()) {
			t.Errorf("weft %s prints\n%s\nand the README says\n%s", command, &out, &want)
		}
		shown++
		rest = "\n" + after
	}
	if shown == 0 {
		t.Error("no commands found in the README")
	}
}

// words splits a command line whose only quotes are double ones.
func words(line string) []string {
	var ws []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			ws = append(ws, part)
		} else {
			ws = append(ws, strings.Fields(part)...)
		}
	}
	return ws
}

// trimmed is text without spaces at the ends of its lines.
func trimmed(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
