package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/weft-trace/weft/bench/gen"
)

// input is a generated file.
type input struct {
	gen.Spec
	path string
	size int64
}

// generate returns the file of a Spec, which it makes unless an earlier run
// did.
func generate(dir string, s gen.Spec) (input, error) {
	path := filepath.Join(dir, s.String()+".json")
	if info, err := os.Stat(path); err == nil {
		return input{s, path, info.Size()}, nil
	}
	f, err := os.CreateTemp(dir, s.String()+"-*.part")
	if err != nil {
		return input{}, err
	}
	defer os.Remove(f.Name())
	err = errors.Join(s.Write(f), f.Close())
	if err != nil {
		return input{}, err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return input{}, err
	}
	return generate(dir, s)
}

// build builds the program of a package of this module and returns its path.
func build(ctx context.Context, dir, pkg string) (string, error) {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("no module here: run it inside Weft's: %w", err)
	}
	program := filepath.Join(dir, filepath.Base(pkg))
	cmd := exec.CommandContext(ctx, "go", "build", "-o", program, pkg)
	cmd.Dir = string(bytes.TrimSpace(root))
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s: %w\n%s", pkg, err, out)
	}
	return program, nil
}
