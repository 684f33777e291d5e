// Package negotiate holds kver's rules: what two sides of a Kafka connection
// can use, what stands in the way, and where tables disagree.
//
// It is pure. It does no I/O, reads no clock, starts no goroutine and prints
// nothing; it imports kmsg and the standard library only (a test in the root
// of the module holds both). Everything else in the house feeds it or shows
// what it says:
//
//	argument → target → dial.Ask (or a snapshot) → Peer
//	         → Negotiate / Diff → report → render or snapshot → writer
//
// A broker that was asked, a broker read from a snapshot, a recorded release
// and another client are all the same type, Peer. The exit status comes from
// the report, never from a renderer.
//
// Rows are keyed by the wire number and never by name, so that a key which
// nobody here can name survives as Unknown(code) in every table, filter,
// difference and document. Advertised numbers are kept as they came; what is
// known to be untrue about them is said in a note (facts.go).
package negotiate
