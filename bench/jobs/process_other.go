//go:build !linux

package main

import "os"

// anonymous and maxRSS are only known on Linux; elsewhere memory is 0 in the
// tables.

func anonymous(int) int64 { return 0 }

func maxRSS(*os.ProcessState) int64 { return 0 }
