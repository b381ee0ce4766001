package load

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapGrows says that a mapping shows what is written to the file later, also
// behind what was its end when it was mapped.
const mapGrows = true

var pageSize = os.Getpagesize()

// willRead has the pages of a mapped stretch made ready at once, which costs
// less than a fault for every few of them. It is no more than a hint.
func willRead(doc []byte, from, to int) {
	from -= from % pageSize
	to = min(to, len(doc))
	if from < to {
		_ = unix.Madvise(doc[from:to], unix.MADV_POPULATE_READ)
	}
}

// wasRead lets go of the pages of a stretch of a mapped file: what of it is
// looked at again comes back from the system's cache. It keeps a large file from
// filling the process. Other memory than a file's would lose its contents.
func wasRead(doc []byte, from, to int) {
	from += (pageSize - from%pageSize) % pageSize
	to = min(to, len(doc))
	to -= to % pageSize
	if from < to {
		_ = unix.Madvise(doc[from:to], unix.MADV_DONTNEED)
	}
}
