//go:build race

package load

// UnderRace makes tests read less: what the race detector looks for shows in a
// few files and cuts, and it takes ten times as long for each.
const UnderRace = true
