// Command yardstick is what Weft's speed is measured against: Go's
// encoding/json decoding a Trace Event JSON file of the generator's kind "x"
// into typed structs.
//
//	yardstick [-how unmarshal|decoder] FILE
//
// It prints the number of slices and the sum of their durations in
// microseconds, so that whoever compares can see that both did the same work.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

// event has exactly the fields that the file has: no maps, no interfaces, so
// that encoding/json is at its best.
type event struct {
	PID  int64   `json:"pid"`
	TID  int64   `json:"tid"`
	Ph   string  `json:"ph"`
	TS   float64 `json:"ts"`
	Dur  float64 `json:"dur"`
	Cat  string  `json:"cat"`
	Name string  `json:"name"`
	Args args    `json:"args"`
}

type args struct {
	Frame  int64  `json:"frame"`
	URL    string `json:"url"`
	Detail string `json:"detail"`
	Name   string `json:"name"` // of the metadata events
}

func main() {
	how := flag.String("how", "decoder", "unmarshal: the whole file at once; decoder: event by event from a stream")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: yardstick [-how unmarshal|decoder] FILE")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	var events []event
	var err error
	switch *how {
	case "unmarshal":
		events, err = unmarshal(flag.Arg(0))
	case "decoder":
		events, err = decode(flag.Arg(0))
	default:
		err = fmt.Errorf("no way %q to decode", *how)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "yardstick:", err)
		os.Exit(1)
	}
	count, sum := 0, 0.0
	for i := range events {
		if events[i].Ph == "X" {
			count++
			sum += events[i].Dur
		}
	}
	fmt.Printf("%d,%.3f\n", count, sum)
}

func unmarshal(path string) ([]event, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		TraceEvents []event `json:"traceEvents"`
	}
	err = json.Unmarshal(data, &file)
	return file.TraceEvents, err
}

func decode(path string) ([]event, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d := json.NewDecoder(bufio.NewReaderSize(f, 1<<20))
	for { // up to the array of events
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		if token == json.Delim('[') {
			break
		}
	}
	var events []event
	for d.More() {
		var e event
		if err := d.Decode(&e); err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, nil
}
