package query

import (
	"fmt"
	"strconv"
	"strings"
)

// PrettyDuration writes nanoseconds for people, to about four digits: "950 ns",
// "1.234 ms", "12.35 s", "2 min 3.4 s", "1 h 2 min". The function pretty_dur of
// SQL is the same.
func PrettyDuration(ns int64) string {
	sign, n := "", uint64(ns)
	if ns < 0 {
		sign, n = "-", -n
	}
	const second = 1e9
	switch {
	case n < 1e3:
		return fmt.Sprintf("%s%d ns", sign, n)
	case n < 999_950:
		return sign + digits(float64(n)/1e3) + " µs"
	case n < 999_950_000:
		return sign + digits(float64(n)/1e6) + " ms"
	case n < 60*second:
		return sign + digits(float64(n)/second) + " s"
	case n < 3600*second:
		tenths := (n + second/20) / (second / 10) // rounded first, so that 59.99 s carries over
		return fmt.Sprintf("%s%d min %d.%d s", sign, tenths/600, tenths%600/10, tenths%10)
	default:
		minutes := (n + 30*second) / (60 * second)
		return fmt.Sprintf("%s%d h %d min", sign, minutes/60, minutes%60)
	}
}

// digits writes x to four significant digits, without zeros at the end.
func digits(x float64) string {
	decimals := 3
	for limit := 10.0; decimals > 0 && x >= limit; limit *= 10 {
		decimals--
	}
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
