//go:build race

package query_test

// underRace says that the race detector slows everything down: tests over many
// real files take the small ones only.
const underRace = true
