package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kver-cli/kver/internal/negotiate"
)

// departure is a key on which a table is not as a recording has it.
type departure struct {
	key              int16
	rows             []negotiate.Row  // as advertised; none, or several that contradict each other
	theirs, recorded *negotiate.Range // nil for none; theirs is nil with several rows too
}

// departures compares the rows of a peer with those of a recording.
func (e Entry) departures(p *negotiate.Peer) []departure {
	var all []departure
	mine, rest := e.Rows, p.Rows
	for len(mine) > 0 || len(rest) > 0 {
		var d departure
		if len(rest) == 0 || len(mine) > 0 && mine[0].Key <= rest[0].Key {
			d.key, d.recorded = mine[0].Key, &mine[0].Range
			mine = mine[1:]
		} else {
			d.key = rest[0].Key
		}
		n := 0
		for n < len(rest) && rest[n].Key == d.key {
			n++
		}
		d.rows, rest = rest[:n], rest[n:]
		if n == 1 {
			d.theirs = &d.rows[0].Range
		}
		if n > 1 || !equal(d.theirs, d.recorded) {
			all = append(all, d)
		}
	}
	return all
}

func equal(a, b *negotiate.Range) bool { return a == b || a != nil && b != nil && *a == *b }

// String says what was seen and what was recorded: Fetch (1) 0-17 instead of 4-18.
func (d departure) String() string {
	name := fmt.Sprintf("%s (%d)", negotiate.Name(d.key), d.key)
	switch {
	case len(d.rows) > 1:
		return name + " advertised with different ranges"
	case d.theirs == nil:
		return fmt.Sprintf("%s is not offered, instead of %s", name, d.recorded)
	case d.recorded == nil:
		return fmt.Sprintf("%s %s, which is not offered there", name, d.theirs)
	}
	return fmt.Sprintf("%s %s instead of %s", name, d.theirs, d.recorded)
}

// fit compares a peer with a recording: its features, and its rows with what
// is known to change them.
func (e Entry) fit(p *negotiate.Peer, entries []Entry) fit {
	f := fit{entry: e, sameLevel: equal(supported(e.Features, metadataVersion), supported(p.Features, metadataVersion))}
	left := e.departures(p)
	left = f.setting(p, left, e.with(Telemetry, entries), "offered by a broker with a telemetry receiver")
	unstable := e.with(Unstable, entries)
	left = f.setting(p, left, unstable, "offered with unstable versions switched on")
	if p.Mode == negotiate.ZooKeeper {
		left = f.explain(left, gated, "hidden while inter.broker.protocol.version is below 0.11")
	}
	left = f.forwarded(p, left, entries)
	for _, d := range left {
		f.differs = append(f.differs, d.String())
	}
	f.features(p, unstable)
	return f
}

// with is the recording of the same releases and kind under a setting.
func (e Entry) with(s Setting, entries []Entry) *Entry {
	i := slices.IndexFunc(entries, func(x Entry) bool {
		return x.Setting == s && x.Listener == e.Listener && x.Mode == e.Mode && slices.Contains(e.Releases, x.Releases[0])
	})
	if i < 0 {
		return nil
	}
	return &entries[i]
}

// setting takes away the departures that a setting explains. It is on or off:
// a peer with only some of the rows that it changes has other reasons.
func (f *fit) setting(p *negotiate.Peer, left []departure, with *Entry, reason string) []departure {
	if with == nil {
		return left
	}
	changed := with.departures(&negotiate.Peer{Rows: f.entry.Rows})
	all := !slices.ContainsFunc(changed, func(c departure) bool {
		theirs, ok := p.Usable(c.key)
		return !p.Forwards(c.key) && (!ok || c.recorded == nil || theirs != *c.recorded)
	})
	if !all {
		return left
	}
	covers := func(d departure) bool {
		return d.theirs != nil && slices.ContainsFunc(changed, func(c departure) bool { return c.key == d.key && equal(c.recorded, d.theirs) })
	}
	return f.explain(left, covers, reason)
}

func (e Entry) row(key int16) *negotiate.Range {
	for i := range e.Rows {
		if e.Rows[i].Key == key {
			return &e.Rows[i].Range
		}
	}
	return nil
}

// gated are the keys of transactions that an old setting hides.
func gated(d departure) bool {
	return d.theirs == nil && len(d.rows) == 0 && 24 <= d.key && d.key <= 28
}

// explain takes away the departures that a reason covers, and notes it.
func (f *fit) explain(left []departure, covers func(departure) bool, reason string) []departure {
	var keys []int16
	rest := slices.DeleteFunc(slices.Clone(left), func(d departure) bool {
		if covers(d) {
			keys = append(keys, d.key)
			return true
		}
		return false
	})
	if len(keys) > 0 {
		f.reasons = append(f.reasons, names(keys)+": "+reason)
	}
	return rest
}

func names(keys []int16) string {
	all := make([]string, len(keys))
	for i, k := range keys {
		all[i] = fmt.Sprintf("%s (%d)", negotiate.Name(k), k)
	}
	return strings.Join(all, ", ")
}

// forwarded takes away the departures that an active controller of another
// release explains. A KRaft broker that has forwarded a request advertises, for
// every key it forwards, what it has in common with that controller; so all of
// those keys have to agree with one controller, and not only the ones that
// depart.
func (f *fit) forwarded(p *negotiate.Peer, left []departure, entries []Entry) []departure {
	own := slices.ContainsFunc(left, func(d departure) bool { return !p.Forwards(d.key) || len(d.rows) > 1 })
	if len(left) == 0 || own || p.Listener != negotiate.BrokerListener {
		return left
	}
	var releases []string
	for _, c := range entries {
		if c.Listener == negotiate.ControllerListener && c.Setting == Default && f.entry.under(c, p) {
			releases = append(releases, c.Releases...)
		}
	}
	if len(releases) == 0 {
		return left
	}
	slices.SortFunc(releases, compare)
	first, last := Minor(releases[0]), Minor(releases[len(releases)-1])
	controller := "a " + first
	if first != last {
		controller += "-" + last
	}
	keys := make([]int16, len(left))
	for i, d := range left {
		keys[i] = d.key
	}
	f.reasons = append(f.reasons, fmt.Sprintf("%s: as under %s controller; depends on the active controller", names(keys), controller))
	return nil
}

// under reports whether a peer advertises for every key that it forwards what
// the entry has in common with a controller.
func (e Entry) under(c Entry, p *negotiate.Peer) bool {
	for _, r := range e.Rows {
		if !p.Forwards(r.Key) {
			continue
		}
		var common *negotiate.Range
		if of := c.row(r.Key); of != nil {
			if both, ok := r.Range.Overlap(*of); ok {
				common = &both
			}
		}
		theirs, ok := p.Usable(r.Key)
		if ok != (common != nil) || ok && theirs != *common {
			return false
		}
	}
	return true
}

// features compares what the binaries support. Finalized levels are the
// cluster's. Answers below v3 have none.
func (f *fit) features(p *negotiate.Peer, unstable *Entry) {
	if p.Features == nil || f.entry.Features == nil {
		return
	}
	raised := false
	for _, name := range featureNames(f.entry.Features, p.Features) {
		mine, theirs := supported(f.entry.Features, name), supported(p.Features, name)
		switch {
		case equal(mine, theirs) || unsaid(p, name, mine, theirs):
		case unstable != nil && theirs != nil && equal(supported(unstable.Features, name), theirs):
			raised = true
		default:
			f.differs = append(f.differs, featureText(name, mine, theirs))
		}
	}
	if raised {
		f.reasons = append(f.reasons, "features go as far as with unstable versions switched on")
	}
}

// unsaid reports whether a difference means nothing: answers below v4 leave out
// features whose minimum is 0, and a broker that migrates from ZooKeeper has
// one more.
func unsaid(p *negotiate.Peer, name string, mine, theirs *negotiate.Range) bool {
	return theirs == nil && mine.Min == 0 && p.HiddenFeatures() ||
		mine == nil && name == metadataVersion && p.Mode == negotiate.ZooKeeper
}

func featureText(name string, mine, theirs *negotiate.Range) string {
	switch {
	case theirs == nil:
		return fmt.Sprintf("%s is not supported, instead of %s", name, mine)
	case mine == nil:
		return fmt.Sprintf("%s %s, which is not supported there", name, theirs)
	}
	return fmt.Sprintf("%s %s instead of %s", name, theirs, mine)
}

func featureNames(lists ...[]negotiate.Feature) []string {
	var all []string
	for _, list := range lists {
		for _, f := range list {
			if f.Supported != nil {
				all = append(all, f.Name)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func supported(features []negotiate.Feature, name string) *negotiate.Range {
	for i := range features {
		if features[i].Name == name {
			return features[i].Supported
		}
	}
	return nil
}
