package load

// mapGrows says that a mapping shows what is written to the file later, also
// behind what was its end when it was mapped.
const mapGrows = true
