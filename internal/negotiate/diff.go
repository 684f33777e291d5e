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
	// BaselineFailed is set where the first peer, which is what the others were
	// to be compared with, could not be read. The first group stands in for it.
	BaselineFailed bool
	Notes          []string // what could not be compared, and why
	Lore           Lore     // decides nothing; what it tells is shown
}

// Group is peers that advertised the same table.
type Group struct {
	Name     string // A, B, …
	Peers    []*Peer
	Listener Listener
	Mode     Mode
}

// Release is which release the peers of the group look like, nil where they look
// like several, as those may that agree on the selected keys.
func (g Group) Release() *Release {
	first := g.Peers[0].Release
	for _, p := range g.Peers {
		if first == nil || p.Release == nil || p.Release.String() != first.String() {
			return nil
		}
	}
	return first
}

// APIChange is one key on which groups differ.
type APIChange struct {
	Key      int16
	Name     string
	Ranges   []*Range // one entry a group, nil where it is not offered
	Changes  []Change // the union of the changes from the first group to each other
	Breaking bool
	// Forwarded is set where a group forwards the key: its range is then also
	// the active controller's, and may change without an upgrade of the broker.
	Forwarded bool
	Notes     []string
}

// FeatureChange is one feature on which groups differ.
type FeatureChange struct {
	Name     string
	Sides    []*Feature // one entry a group, nil where it is not there
	Changes  []Change
	Breaking bool
}

// Differs reports whether the peers that could be read disagree on anything
// that was compared. Where only some keys are, their kinds are not.
func (d Difference) Differs() bool {
	return d.kindsCount() || len(d.APIs) > 0 || len(d.Features) > 0
}

func (d Difference) kindsCount() bool { return d.KindsDiffer && d.Selection.APIs == nil }

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
	d.BaselineFailed = len(peers) > 0 && peers[0].Failure != nil
	if len(d.Groups) < 2 {
		return d
	}
	if d.BaselineFailed {
		d.note("the baseline %s could not be read; changes are from %s", Label(peers[0]), d.Groups[0].Name)
	}
	d.compareKinds()
	d.compareAPIs()
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
		if d.Selection.same(d.Groups[i].Peers[0], p) {
			d.Groups[i].Peers = append(d.Groups[i].Peers, p)
			return
		}
	}
	d.Groups = append(d.Groups, Group{groupName(len(d.Groups)), []*Peer{p}, p.Listener, p.Mode})
}

// same reports whether two peers are of one kind and agree on all that is
// compared. Epochs, the handshake and how often a row came do not count.
func (s Selection) same(a, b *Peer) bool {
	switch {
	case a.Listener != b.Listener || a.Mode != b.Mode:
		return false
	case s.APIs == nil:
		return sameRows(a.Rows, b.Rows) && sameFeatures(a, b)
	}
	return !slices.ContainsFunc(s.APIs, func(key int16) bool { return !sameRows(a.RowsOf(key), b.RowsOf(key)) })
}

// sameRows reports whether rows say the same. How often they say it does not
// count.
func sameRows(a, b []Row) bool {
	return slices.EqualFunc(a, b, func(a, b Row) bool { return a.Key == b.Key && a.Range == b.Range })
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

// compareKinds says so where groups are different animals: a controller beside
// a broker, a ZooKeeper broker beside a KRaft one.
func (d *Difference) compareKinds() {
	var known, kinds []string
	for _, g := range d.Groups {
		kind := Kind(g.Listener, g.Mode)
		kinds = append(kinds, fmt.Sprintf("%s is a %s", g.Name, kind))
		if g.kindKnown() {
			known = append(known, kind)
		}
	}
	slices.Sort(known)
	d.KindsDiffer = len(slices.Compact(known)) > 1
	if d.KindsDiffer {
		d.note("%s: %s", kindsDiffer, strings.Join(kinds, ", "))
	}
}

func (d *Difference) note(format string, args ...any) {
	d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
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
