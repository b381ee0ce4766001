//go:build !race

package load

const UnderRace = false
