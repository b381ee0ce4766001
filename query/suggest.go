package query

import (
	"fmt"
	"slices"
	"strings"
)

// DidYouMean is "; did you mean slice?" for a name that is nearly that of a
// table or function, and "" for others.
func DidYouMean(name string) string {
	names := tableNames()
	for _, f := range allFunctions {
		names = append(names, f.Name)
	}
	return didYouMean("", name, names, "")
}

func tableNames() []string {
	var names []string
	for _, t := range allTables {
		names = append(names, t.Name)
	}
	return names
}

// didYouMean adds the nearest of the names to a message, or the hint when none
// is near.
func didYouMean(message, name string, names []string, hint string) string {
	if best := nearest(name, names); best != "" {
		return fmt.Sprintf("%s; did you mean %s?", message, best)
	}
	if hint != "" {
		return message + "; " + hint
	}
	return message
}

// nearest is the name with the fewest edits, if those are few for its length.
func nearest(name string, names []string) string {
	name = strings.ToLower(name)
	best, fewest := "", len(name)/3+2
	for _, n := range names {
		if d := edits(name, strings.ToLower(n)); d < fewest {
			best, fewest = n, d
		}
	}
	return best
}

// edits is the number of letters to insert, delete, replace or swap with their
// neighbour that make b of a.
func edits(a, b string) int {
	x, y := []rune(a), []rune(b)
	before := make([]int, len(y)+1)
	last := make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row := make([]int, len(y)+1)
		row[0] = i
		for j := 1; j <= len(y); j++ {
			row[j] = last[j-1]
			if x[i-1] != y[j-1] {
				row[j] = 1 + slices.Min([]int{last[j-1], last[j], row[j-1]})
				if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
					row[j] = min(row[j], before[j-2]+1)
				}
			}
		}
		before, last = last, row
	}
	return last[len(y)]
}
