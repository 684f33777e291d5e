package negotiate

import (
	"cmp"
	"slices"
)

// Peer is what one side offered on one connection to one address, as it came.
// It holds for that connection only: brokers change their answer without a
// restart (see forwarded in facts.go), so nothing is assumed about the next one.
type Peer struct {
	Target  string  // as the user named it: broker:9092
	Source  string  // the snapshot it was read from, "" where it was asked
	Address string  // the remote end that answered: 10.0.0.5:9092, "" where none did
	NodeID  *int32  // the node's id where it is known, from discovery
	Rack    *string // likewise

	// Recorded are the Apache Kafka releases that the table was recorded from,
	// oldest first; empty unless the peer is a release and not a listener.
	Recorded []string
	// Release is which release the table looks like, nil where nobody judged it.
	Release *Release

	Listener  Listener
	Mode      Mode
	Handshake Handshake
	Rows      []Row // in Tidy order

	// Features is nil where the answer had no room for them (ApiVersions below
	// v3, KIP-584) and empty where it had room and carried none.
	Features []Feature
	// FinalizedEpoch is nil where the peer named none. It is an offset that a
	// node has applied, not a constant of the cluster, and never a difference.
	FinalizedEpoch *int64
	// ZkMigrationReady is set by controllers of 3.4 to 3.9 that can take over
	// from ZooKeeper (KIP-866).
	ZkMigrationReady bool
	// UnknownTags are the numbers of tagged fields that nobody here can read.
	UnknownTags []uint32

	// Failure says why there is no table. Rows is empty then.
	Failure *Failure
}

// Row is one advertised API key with its range, and how often it was
// advertised exactly like that (once, unless the peer is confused).
type Row struct {
	Key int16
	Range
	Times int
}

// Valid reports whether the row can be negotiated on by itself.
func (r Row) Valid() bool { return r.Key >= 0 && r.Range.Valid() }

// Tidy puts advertised rows in kver's order (by key, then by range) and merges
// identical ones. Peers that are not Apache Kafka answer in any order.
func Tidy(rows []Row) []Row {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Min, b.Min), cmp.Compare(a.Max, b.Max))
	})
	tidy := rows[:0]
	for _, r := range rows {
		r.Times = max(r.Times, 1)
		if n := len(tidy); n > 0 && tidy[n-1].Key == r.Key && tidy[n-1].Range == r.Range {
			tidy[n-1].Times += r.Times
			continue
		}
		tidy = append(tidy, r)
	}
	return tidy
}

// RowsOf returns the rows the peer advertised under one key: none, one, or
// several that contradict each other. p.Rows must be in Tidy order.
func (p *Peer) RowsOf(key int16) []Row {
	first, _ := slices.BinarySearchFunc(p.Rows, key, func(r Row, k int16) int { return cmp.Compare(r.Key, k) })
	last := first
	for last < len(p.Rows) && p.Rows[last].Key == key {
		last++
	}
	return p.Rows[first:last]
}

// Offers reports whether the peer advertised the key at all.
func (p *Peer) Offers(key int16) bool { return len(p.RowsOf(key)) > 0 }

// Keys returns the distinct keys the peer advertised, in order.
func (p *Peer) Keys() []int16 {
	keys := make([]int16, 0, len(p.Rows))
	for _, r := range p.Rows {
		if n := len(keys); n == 0 || keys[n-1] != r.Key {
			keys = append(keys, r.Key)
		}
	}
	return keys
}

// Usable returns the one range the peer can be held to for a key, and false
// where it offers none or contradicts itself.
func (p *Peer) Usable(key int16) (Range, bool) {
	if r := p.usable(key); r != nil {
		return *r, true
	}
	return Range{}, false
}

// usable is Usable, nil where there is no such range.
func (p *Peer) usable(key int16) *Range {
	rows := p.RowsOf(key)
	if len(rows) != 1 || !rows[0].Valid() {
		return nil
	}
	return &rows[0].Range
}

// Feature is one feature of KIP-584.
type Feature struct {
	Name string
	// Supported is what the peer's binary can do, nil where it was not said
	// (see HiddenFeatures).
	Supported *Range
	// Finalized is the level the cluster runs at: 0 where the peer knows the
	// levels and lists none for this feature, nil where it does not know them.
	Finalized *int16
}

// Handshake is how the table was read.
type Handshake struct {
	// Version is the ApiVersions version of the request that was answered with
	// the table, nil where there is no table.
	Version *int16
	// Layout is the version whose layout the table came in. It is Version,
	// unless the table was taken from a refusal or the peer answered in the
	// layout of version 0.
	Layout *int16
	// Requests and Connections count what was sent and dialled.
	Requests, Connections int
	// Refused lists the versions that were asked before and why each failed.
	Refused []Refusal
	// ThrottleMillis is how long the peer wants to be left alone, in ms.
	ThrottleMillis int32
}

// Refusal is one ApiVersions version that did not bring a table.
type Refusal struct {
	Version int16
	Reason  Reason
}

// Reason is why a version did not bring a table.
type Reason string

// The reasons: error code 35, the connection closed or reset before the first
// byte of an answer.
const (
	UnsupportedVersion Reason = "unsupported-version"
	Closed             Reason = "closed"
	Reset              Reason = "reset"
)

// FromRefusal reports whether the table was taken from the answer that refused
// the version asked, as the last resort (Redpanda sends its whole table there).
func (h Handshake) FromRefusal() bool {
	return h.Version != nil && slices.Contains(h.Refused, Refusal{*h.Version, UnsupportedVersion})
}

// Failure says what went wrong with one target: the step, a stable code, what
// was seen, and what to try. It is an error, and part of every report.
type Failure struct {
	Stage   string // resolve, connect, tls, apiversions, decode, …
	Code    string // stable, for programs
	Message string // what was attempted and what was seen
	Hint    string // what to try; guesses are marked as such
	// Micros is how long the attempt took, in µs; 0 where that is not known. It
	// is for people: documents leave it out, so that two runs compare equal.
	Micros int64
}

func (f *Failure) Error() string { return f.Message }
