//go:build race

package load_test

// underRace: comparing half a gigabyte of dumps teaches the race detector
// nothing, and takes it minutes.
const underRace = true
