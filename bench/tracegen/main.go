// Command tracegen writes a generated Trace Event JSON file: the same kind,
// size and seed give the same bytes everywhere.
//
//	go run ./bench/tracegen -kind x -n 2000000 -seed 1 -o big.json
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/weft-trace/weft/bench/gen"
)

func main() {
	var s gen.Spec
	var output string
	flag.StringVar(&s.Kind, "kind", "x", "what to write; see the list below")
	flag.IntVar(&s.N, "n", 2_000_000, "how much: the kind says of what")
	flag.Uint64Var(&s.Seed, "seed", 1, "seed of the generator")
	flag.StringVar(&output, "o", "-", "`file` to write, - for standard output")
	flag.Usage = func() {
		w := flag.CommandLine.Output()
		fmt.Fprintln(w, "usage: tracegen [-kind K] [-n N] [-seed S] [-o FILE]")
		flag.PrintDefaults()
		fmt.Fprintln(w, "kinds:")
		for _, k := range gen.Kinds() {
			fmt.Fprintf(w, "  %-12s %s (-n counts %s)\n", k.Name, k.Doc, k.Size)
		}
	}
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := write(s, output); err != nil {
		fmt.Fprintln(os.Stderr, "tracegen:", err)
		os.Exit(1)
	}
}

func write(s gen.Spec, output string) error {
	if output == "-" {
		w := bufio.NewWriter(os.Stdout)
		return errors.Join(s.Write(w), w.Flush())
	}
	f, err := os.Create(output)
	if err != nil {
		return err
	}
	return errors.Join(s.Write(io.Writer(f)), f.Close())
}
