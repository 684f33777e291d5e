package negotiate

import (
	"fmt"
	"slices"
	"strings"
)

// Difference is where peers disagree. Peers with the same table form a group;
// the first group holds the first peer and is the baseline.
type Difference struct {
	Selection   Selection
	Groups      []Group
	APIs        []APIChange     // only keys that differ, in order
	Features    []FeatureChange // only features that differ, by name
	Failed      []*Peer         // the peers that could not be read
	KindsDiffer bool            // the groups are different kinds of listener
	Notes       []string        // what could not be compared, and why
}

// Group is peers that advertised the same table.
type Group struct {
	Name     string // A, B, …
	Peers    []*Peer
	Listener Listener
	Mode     Mode
}

// APIChange is one key on which groups differ.
type APIChange struct {
	Key      int16
	Name     string
	Ranges   []*Range // one entry a group, nil where it is not offered
	Changes  []Change // the union of the changes from the first group to each other
	Breaking bool
	Notes    []string
}

// FeatureChange is one feature on which groups differ.
type FeatureChange struct {
	Name     string
	Sides    []*Feature // one entry a group, nil where it is not there
	Changes  []Change
	Breaking bool
	Notes    []string
}

// Differs reports whether the peers that could be read disagree on anything
// that was compared.
func (d Difference) Differs() bool {
	return d.KindsDiffer || len(d.APIs) > 0 || len(d.Features) > 0
}

// Label names a peer in a comparison, where the same target may stand on both
// sides: once as it was recorded, once as it answers now.
func Label(p *Peer) string {
	if p.Source == "" {
		return p.Target
	}
	return fmt.Sprintf("%s (%s)", p.Target, p.Source)
}

// Diff compares peers. Only sel.APIs narrows it: with it, only those keys are
// compared and no features.
func Diff(peers []*Peer, sel Selection) Difference {
	d := Difference{Selection: sel}
	for _, p := range peers {
		d.place(p)
	}
	if len(d.Groups) < 2 {
		return d
	}
	d.compareKinds()
	left := d.compareAPIs()
	if left > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("%d keys that only one of these kinds of listener offers are left out", left))
	}
	if sel.APIs == nil {
		d.compareFeatures()
	}
	return d
}

// place puts a peer into the group with its table.
func (d *Difference) place(p *Peer) {
	if p.Failure != nil {
		d.Failed = append(d.Failed, p)
		return
	}
	for i := range d.Groups {
		if sameTable(d.Groups[i].Peers[0], p) {
			d.Groups[i].Peers = append(d.Groups[i].Peers, p)
			return
		}
	}
	d.Groups = append(d.Groups, Group{groupName(len(d.Groups)), []*Peer{p}, p.Listener, p.Mode})
}

// groupName counts A to Z, then AA, AB and so on, as spreadsheets do.
func groupName(i int) string {
	const letters = 26
	name := string(rune('A' + i%letters))
	if i >= letters {
		return groupName(i/letters-1) + name
	}
	return name
}

// kindKnown reports whether the keys told what the listener is.
func (g Group) kindKnown() bool { return g.Listener != "" && g.Mode != "" }

func otherKind(a, b Group) bool {
	return a.kindKnown() && b.kindKnown() && (a.Listener != b.Listener || a.Mode != b.Mode)
}

// compareKinds says so where groups are different animals: a controller beside
// a broker, a ZooKeeper broker beside a KRaft one.
func (d *Difference) compareKinds() {
	var kinds []string
	for _, g := range d.Groups {
		kinds = append(kinds, fmt.Sprintf("%s is a %s", g.Name, Kind(g.Listener, g.Mode)))
		d.KindsDiffer = d.KindsDiffer || otherKind(d.Groups[0], g)
	}
	if d.KindsDiffer {
		d.Notes = append(d.Notes, "different kinds of listener: "+strings.Join(kinds, ", "))
	}
}

// Kind names a listener in words.
func Kind(l Listener, m Mode) string {
	switch {
	case l == ControllerListener:
		return "KRaft controller"
	case l == BrokerListener && m == KRaft:
		return "KRaft broker"
	case l == BrokerListener && m == ZooKeeper:
		return "ZooKeeper broker"
	case l == BrokerListener:
		return "broker of no known kind"
	}
	return "listener of no known kind"
}

// compareAPIs fills d.APIs and returns how many keys were left out because
// only one kind of listener has them.
func (d *Difference) compareAPIs() (left int) {
	var all Peer
	for _, g := range d.Groups {
		all.Rows = append(all.Rows, g.Peers[0].Rows...)
	}
	all.Rows = Tidy(all.Rows)
	for _, key := range all.Keys() {
		switch {
		case !d.Selection.wants(key) || !d.rowsDiffer(key):
		case d.Selection.APIs == nil && d.ofOneKind(key):
			left++
		default:
			d.APIs = append(d.APIs, d.apiChange(key))
		}
	}
	return left
}

func (d *Difference) rowsDiffer(key int16) bool {
	base := d.Groups[0].Peers[0].RowsOf(key)
	return slices.ContainsFunc(d.Groups[1:], func(g Group) bool {
		return !sameRows(base, g.Peers[0].RowsOf(key))
	})
}

// sameRows reports whether rows say the same. How often they say it does not
// count.
func sameRows(a, b []Row) bool {
	return slices.EqualFunc(a, b, func(a, b Row) bool { return a.Key == b.Key && a.Range == b.Range })
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

func (d *Difference) apiChange(key int16) APIChange {
	a := APIChange{Key: key, Name: Name(key)}
	forwards := false
	for _, g := range d.Groups {
		r, note := oneRange(g.Peers[0].RowsOf(key))
		if note != "" {
			a.Notes = append(a.Notes, fmt.Sprintf("%s: %s", g.Name, note))
		}
		a.Ranges = append(a.Ranges, r)
		a.Changes = union(a.Changes, rangeChanges(a.Ranges[0], r))
		forwards = forwards || g.Peers[0].forwards(key)
	}
	a.Breaking = slices.ContainsFunc(a.Changes, Change.Breaking)
	a.Notes = append(a.Notes, d.changeNotes(a, forwards)...)
	return a
}

func (d *Difference) changeNotes(a APIChange, forwards bool) []string {
	var notes []string
	if slices.Contains(a.Changes, MinRaised) {
		for _, r := range a.Ranges[1:] {
			if r == nil || a.Ranges[0] == nil || r.Min <= a.Ranges[0].Min {
				continue
			}
			if note := raisedNote(a.Key, r.Min); note != "" {
				notes = append(notes, note)
				break
			}
		}
	}
	for _, f := range rowFacts {
		if slices.ContainsFunc(d.Groups, func(g Group) bool {
			rows := g.Peers[0].RowsOf(a.Key)
			return len(rows) == 1 && f.applies(g.Peers[0], rows[0])
		}) {
			notes = append(notes, f.note)
		}
	}
	if forwards {
		notes = append(notes, forwardedNote)
	}
	return notes
}

// oneRange is the range a peer can be held to for one key. Rows that
// contradict each other hold it to none.
func oneRange(rows []Row) (*Range, string) {
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
