package negotiate

import (
	"fmt"
	"slices"
	"strings"
)

// compareFeatures fills d.Features. What only one side could report is a note
// and never a difference: answers below ApiVersions v3 carry no features, and
// those at v3 leave out features whose minimum is 0.
func (d *Difference) compareFeatures() {
	groups := d.withFeatures()
	if len(groups) < 2 {
		return
	}
	unsaid := make([][]string, len(d.Groups)) // features that a group could not report
	for _, name := range d.featureNames() {
		f := FeatureChange{Name: name}
		for _, g := range d.Groups {
			f.Sides = append(f.Sides, g.Peers[0].feature(name))
		}
		for _, i := range groups[1:] {
			d.compareFeature(&f, i, unsaid)
		}
		if len(f.Changes) > 0 {
			f.Breaking = slices.ContainsFunc(f.Changes, Change.Breaking)
			d.Features = append(d.Features, f)
		}
	}
	d.noteFeatures(groups, unsaid)
}

// noteFeatures says what was not compared of the groups that could be.
func (d *Difference) noteFeatures(groups []int, unsaid [][]string) {
	var levelless []string
	for _, i := range groups {
		g := d.Groups[i]
		p := g.Peers[0]
		if len(unsaid[i]) > 0 {
			d.note("features that %s could not report at ApiVersions v%d are not compared: %s",
				g.Name, *p.Handshake.Layout, strings.Join(slices.Compact(unsaid[i]), ", "))
		}
		if len(p.Features) > 0 && p.FinalizedEpoch == nil {
			levelless = append(levelless, g.Name)
		}
	}
	if n := len(levelless); 0 < n && n < len(groups) {
		d.note("finalized levels are not compared with %s, which named none", strings.Join(levelless, ", "))
	}
}

// withFeatures returns the groups whose features can be compared, and notes why
// the others' cannot. Without the baseline there are none.
func (d *Difference) withFeatures() []int {
	var groups []int
	for i, g := range d.Groups {
		why := d.silent(g.Peers[0])
		switch {
		case why == "":
			groups = append(groups, i)
			continue
		case i == 0:
			d.note("features are not compared: %s %s", g.Name, why)
			return nil
		}
		d.note("features are not compared with %s: it %s", g.Name, why)
	}
	return groups
}

// silent says why a peer's features cannot be compared, "" where they can.
func (d *Difference) silent(p *Peer) string {
	switch {
	case p.Features == nil && p.Handshake.Layout == nil:
		return "did not report them"
	case p.Features == nil:
		return fmt.Sprintf("could not report them at ApiVersions v%d", *p.Handshake.Layout)
	case len(p.Features) == 0 && p.Mode == ZooKeeper && d.KindsDiffer:
		return "is a ZooKeeper broker, which has none"
	}
	return ""
}

func (d *Difference) featureNames() []string {
	var names []string
	for _, g := range d.Groups {
		for _, f := range g.Peers[0].Features {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (p *Peer) feature(name string) *Feature {
	for i := range p.Features {
		if p.Features[i].Name == name {
			return &p.Features[i]
		}
	}
	return nil
}

// compareFeature compares one feature of a group with the baseline's: what the
// binaries support, and, unless one lacks it, the level their clusters run at.
func (d *Difference) compareFeature(f *FeatureChange, group int, unsaid [][]string) {
	base, other := d.Groups[0].Peers[0], d.Groups[group].Peers[0]
	a, b := f.Sides[0], f.Sides[group]
	var changes []Change
	switch {
	case hides(base, a, b):
		unsaid[0] = append(unsaid[0], f.Name)
	case hides(other, b, a):
		unsaid[group] = append(unsaid[group], f.Name)
	default:
		changes = rangeChanges(a.supported(), b.supported())
	}
	if !slices.Contains(changes, Added) && !slices.Contains(changes, Removed) {
		changes = append(changes, levelChanges(base.level(a), other.level(b))...)
	}
	f.Changes = union(f.Changes, changes)
}

// hides reports whether p, of which f is known, may support a feature that the
// other side supports without having been able to say so.
func hides(p *Peer, f, other *Feature) bool {
	theirs := other.supported()
	return f.supported() == nil && theirs != nil && theirs.Min == 0 && p.HiddenFeatures()
}

func (f *Feature) supported() *Range {
	if f == nil {
		return nil
	}
	return f.Supported
}

// level is the finalized level of a feature, nil where the peer does not know
// the levels. Those that it does not list are at 0.
func (p *Peer) level(f *Feature) *int16 {
	switch {
	case p.FinalizedEpoch == nil:
		return nil
	case f == nil:
		return new(int16)
	}
	return f.Finalized
}

func levelChanges(a, b *int16) []Change {
	if a == nil || b == nil {
		return nil
	}
	return step(*a, *b, FinalizedRaised, FinalizedLowered)
}
