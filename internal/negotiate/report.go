package negotiate

import (
	"cmp"
	"fmt"
	"slices"
)

// Selection is what a run shows. Gates judge what APIs selects, whatever
// States leaves visible.
type Selection struct {
	APIs   []int16 // nil: every key
	States []State // nil: every state
}

func (s Selection) wants(key int16) bool { return s.APIs == nil || slices.Contains(s.APIs, key) }

// Report is what kver says of a list of peers.
type Report struct {
	Ours      Codec
	Selection Selection
	Brokers   []Broker // as asked
	Cluster   *Cluster // nil where fewer than two brokers can be compared
	Lore      Lore     // decides nothing; what it tells is shown
}

// Broker is one peer beside ours.
type Broker struct {
	*Peer
	// APIs are the rows that the selection shows, in the order of their keys.
	APIs []Verdict
	// Counts has the number of rows in APIs per state.
	Counts map[State]int
	// Notes say what has to be known about how the table was read.
	Notes []string

	judged []Verdict // what APIs selects, whatever States hides: for gates
}

// Negotiate puts peers beside ours.
func Negotiate(peers []*Peer, ours Codec, sel Selection) Report {
	r := Report{Ours: ours, Selection: sel}
	var distinct []Broker // one of each table: most clusters have one or two
	for _, p := range peers {
		i := slices.IndexFunc(distinct, func(b Broker) bool { return SameTable(b.Peer, p) })
		switch {
		case p.Failure != nil:
			r.Brokers = append(r.Brokers, Broker{Peer: p, Counts: map[State]int{}, Notes: p.notes()})
		case i >= 0:
			b := distinct[i]
			b.Peer, b.Notes = p, p.notes()
			r.Brokers = append(r.Brokers, b)
		default:
			distinct = append(distinct, newBroker(p, ours, sel))
			r.Brokers = append(r.Brokers, distinct[len(distinct)-1])
		}
	}
	r.Cluster = cluster(r.Brokers, ours, sel)
	return r
}

func newBroker(p *Peer, ours Codec, sel Selection) Broker {
	b := Broker{Peer: p, Counts: make(map[State]int), Notes: p.notes()}
	for _, key := range selectedKeys(p, ours, sel) {
		b.judged = append(b.judged, verdicts(p, ours, key, sel)...)
	}
	b.APIs = b.judged
	if sel.States != nil {
		b.APIs = b.inState(sel.States...)
	}
	for _, v := range b.APIs {
		b.Counts[v.State]++
	}
	return b
}

// selectedKeys returns the keys to judge: those named, or all that either side
// knows.
func selectedKeys(p *Peer, ours Codec, sel Selection) []int16 {
	keys := slices.Clone(sel.APIs)
	if keys == nil {
		keys = append(p.Keys(), ours.Keys()...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// verdicts judges one key. A key that the peer advertised with several ranges
// gives a row each, all invalid. A peer that does not offer a key which the
// user named is missing it.
func verdicts(p *Peer, ours Codec, key int16, sel Selection) []Verdict {
	v := Verdict{Key: key, Name: Name(key), Ours: ours.Range(key)}
	rows := p.RowsOf(key)
	if len(rows) == 0 {
		v.State, v.Use, v.Binds = judge(nil, v.Ours, sel.APIs != nil || Expected(p.Listener, p.Mode, key))
		v.Notes = gapNotes(p, key, sel)
		if v.State == Missing && p.Forwards(key) {
			v.Notes = append(v.Notes, forwardedNote)
		}
		return []Verdict{v}
	}
	all := make([]Verdict, 0, len(rows))
	for i := range rows {
		all = append(all, v.of(p, &rows[i], len(rows)))
	}
	return all
}

// of completes a verdict for one advertised row out of n for the same key.
func (v Verdict) of(p *Peer, row *Row, n int) Verdict {
	v.Theirs, v.Times, v.Notes = &row.Range, row.Times, rowNotes(p, *row)
	v.State, v.Use, v.Binds = judge(v.Theirs, v.Ours, true)
	if n > 1 || row.Key < 0 {
		v.State, v.Use, v.Binds = Invalid, nil, NoSide
	}
	if v.State == Behind && p.Forwards(row.Key) {
		v.Notes = append(v.Notes, forwardedNote)
	}
	if n > 1 {
		v.Notes = append(v.Notes, fmt.Sprintf("one of %d different ranges for this key", n))
	}
	if row.Times > 1 {
		v.Notes = append(v.Notes, fmt.Sprintf("advertised %d times", row.Times))
	}
	return v
}

// notes says what has to be known about how the peer's table was read.
func (p *Peer) notes() []string {
	var notes []string
	h := p.Handshake
	for _, r := range h.Refused {
		if r.Reason != UnsupportedVersion {
			notes = append(notes, fmt.Sprintf("the peer dropped the connection (%s) when asked with ApiVersions v%d", r.Reason, r.Version))
		}
	}
	switch {
	case h.FromRefusal():
		notes = append(notes, fmt.Sprintf("the table is the one that came with the refusal of ApiVersions v%d", *h.Version))
	case h.Version != nil && h.Layout != nil && *h.Version != *h.Layout:
		notes = append(notes, fmt.Sprintf("the peer answered ApiVersions v%d in the layout of v%d", *h.Version, *h.Layout))
	}
	if p.HiddenFeatures() && p.Features != nil {
		notes = append(notes, "features with minimum 0 are not reported below ApiVersions v4")
	}
	if h.ThrottleMillis > 0 {
		notes = append(notes, fmt.Sprintf("the broker throttles this client for %d ms", h.ThrottleMillis))
	}
	return notes
}

// firstFullFeatures is the ApiVersions version from which a broker reports
// features whose minimum is 0; older Java clients fail on them, so brokers
// since 3.9 leave them out below it (KAFKA-17011, KAFKA-17492).
const firstFullFeatures = 4

// HiddenFeatures reports whether the answer may have left features out.
func (p *Peer) HiddenFeatures() bool {
	return p.Handshake.Layout != nil && *p.Handshake.Layout < firstFullFeatures
}

// Failed returns the brokers that could not be read.
func (r Report) Failed() []Broker {
	var failed []Broker
	for _, b := range r.Brokers {
		if b.Failure != nil {
			failed = append(failed, b)
		}
	}
	return failed
}

// Groups returns the brokers that could be read, those with the same table
// together, in the order in which they were asked.
func (r Report) Groups() [][]Broker {
	var groups [][]Broker
	for _, b := range r.Brokers {
		if b.Failure != nil {
			continue
		}
		i := slices.IndexFunc(groups, func(g []Broker) bool { return SameTable(g[0].Peer, b.Peer) })
		if i < 0 {
			groups = append(groups, nil)
			i = len(groups) - 1
		}
		groups[i] = append(groups[i], b)
	}
	return groups
}

// SameTable reports whether two peers advertised the same. Epochs and notes of
// the handshake do not count.
func SameTable(a, b *Peer) bool {
	return a.Listener == b.Listener && a.Mode == b.Mode && slices.Equal(a.Rows, b.Rows) && sameFeatures(a, b)
}

func sameFeatures(a, b *Peer) bool {
	return (a.Features == nil) == (b.Features == nil) &&
		slices.EqualFunc(a.Features, b.Features, func(f, g Feature) bool {
			return f.Name == g.Name && equal(f.Supported, g.Supported) && equal(f.Finalized, g.Finalized)
		})
}

func equal[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// SortFeatures puts features in kver's order, by name.
func SortFeatures(features []Feature) {
	slices.SortFunc(features, func(a, b Feature) int { return cmp.Compare(a.Name, b.Name) })
}
