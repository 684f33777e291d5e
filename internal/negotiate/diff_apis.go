package negotiate

import (
	"fmt"
	"slices"
	"strings"
)

// compareAPIs fills d.APIs. Keys that only one kind of listener has are counted
// in a note, unless the user named them.
func (d *Difference) compareAPIs() {
	var peers []*Peer
	for _, g := range d.Groups {
		peers = append(peers, g.Peers[0])
	}
	left := 0
	for _, key := range keysOf(peers) {
		switch {
		case !d.Selection.wants(key) || !rowsDiffer(peers, key):
		case d.Selection.APIs == nil && d.ofOneKind(key):
			left++
		default:
			d.APIs = append(d.APIs, d.apiChange(key))
		}
	}
	if left > 0 {
		d.note("%d keys that only one of these kinds of listener offers are left out", left)
	}
}

func rowsDiffer(peers []*Peer, key int16) bool {
	base := peers[0].RowsOf(key)
	return slices.ContainsFunc(peers, func(p *Peer) bool { return !sameRows(base, p.RowsOf(key)) })
}

// ofOneKind reports whether the key differs only because a group that lacks it
// is of a kind that never has it.
func (d *Difference) ofOneKind(key int16) bool {
	if !d.KindsDiffer {
		return false
	}
	var offered []Row
	for _, g := range d.Groups {
		rows := g.Peers[0].RowsOf(key)
		switch {
		case len(rows) == 0 && (!g.kindKnown() || Expected(g.Listener, g.Mode, key)):
			return false
		case len(rows) == 0:
		case offered != nil && !sameRows(offered, rows):
			return false
		default:
			offered = rows
		}
	}
	return true
}

// apiChange compares one key. Ranges are shown as advertised, but changes are
// those of what can be negotiated on: a row that contradicts itself takes
// something away as surely as one that is gone.
func (d *Difference) apiChange(key int16) APIChange {
	a := APIChange{Key: key, Name: Name(key)}
	base := d.Groups[0].Peers[0].usable(key)
	for _, g := range d.Groups {
		r, note := advertised(g.Peers[0].RowsOf(key))
		if note != "" {
			a.Notes = append(a.Notes, fmt.Sprintf("%s: %s", g.Name, note))
		}
		a.Ranges = append(a.Ranges, r)
		a.Changes = union(a.Changes, rangeChanges(base, g.Peers[0].usable(key)))
	}
	a.Breaking = slices.ContainsFunc(a.Changes, Change.Breaking)
	a.Forwarded = slices.ContainsFunc(d.Groups, func(g Group) bool { return g.Peers[0].Forwards(key) })
	a.Notes = append(a.Notes, d.changeNotes(key, base)...)
	if a.Forwarded {
		a.Notes = append(a.Notes, forwardedNote)
	}
	return a
}

// advertised is the one range in the rows of a key, and what is wrong with it.
func advertised(rows []Row) (*Range, string) {
	switch {
	case len(rows) == 0:
		return nil, ""
	case len(rows) == 1 && rows[0].Valid():
		return &rows[0].Range, ""
	case len(rows) == 1:
		return &rows[0].Range, "the row contradicts itself"
	}
	ranges := make([]string, len(rows))
	for i, r := range rows {
		ranges[i] = r.Range.String()
	}
	return nil, "advertised with different ranges, " + strings.Join(ranges, " and ")
}

// changeNotes returns what is known about a key that changed, each note once.
func (d *Difference) changeNotes(key int16, base *Range) []string {
	var notes []string
	for _, g := range d.Groups {
		p := g.Peers[0]
		if note := raisedNote(p, key, base); note != "" {
			notes = append(notes, note)
		}
		switch rows := p.RowsOf(key); len(rows) {
		case 0:
			notes = append(notes, gapNotes(p, key, d.Selection)...)
		case 1:
			notes = append(notes, rowNotes(p, rows[0])...)
		}
	}
	return once(notes)
}

// once drops what was said before.
func once(notes []string) []string {
	kept := notes[:0]
	for _, n := range notes {
		if !slices.Contains(kept, n) {
			kept = append(kept, n)
		}
	}
	return kept
}
