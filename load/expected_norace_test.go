//go:build !race

package load_test

const underRace = false
