//go:build !race

package query_test

const underRace = false
