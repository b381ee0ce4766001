//go:build cgo

package query

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What stands where a database is to go is somebody's.
func TestExportKeepsWhatIsThere(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	path := filepath.Join(t.TempDir(), "x.duckdb")
	if err := os.WriteFile(path, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	err := db.Export(context.Background(), path)
	if err == nil || !strings.Contains(err.Error(), path+" exists already: remove it first") {
		t.Errorf("error %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "mine" {
		t.Errorf("the file is now %q", b)
	}
}

// An export that is stopped leaves no folder that it made, and only those.
func TestExportStopped(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	if err := db.Export(ctx, filepath.Join(dir, "a", "b")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
	if err := db.Export(ctx, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("a folder that was there is gone: %v", err)
	}
}

// An error names the path that was given, not a temporary one.
func TestExportErrorNamesPath(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	path := filepath.Join(t.TempDir(), "missing", "x.duckdb")
	if err := db.Export(context.Background(), path); err == nil || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), ".weft-") {
		t.Errorf("error %v", err)
	}
}
