//go:build cgo

package main

// hasSQL says whether the program was built with the SQL engine.
const hasSQL = true
