package main

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// anonymous is how much anonymous memory a process has now, in bytes; 0 when
// it has ended.
func anonymous(pid int) int64 {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("\nRssAnon:"))
	line, _, _ := bytes.Cut(rest, []byte(" kB"))
	kb, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 10, 64)
	if err != nil {
		return 0
	}
	return kb << 10
}

// maxRSS is the most that an ended process had resident, in bytes.
func maxRSS(s *os.ProcessState) int64 {
	if u, ok := s.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}
