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
	for _, g := range d.Groups {
		switch p := g.Peers[0]; {
		case p.Features == nil:
			d.Notes = append(d.Notes, fmt.Sprintf("features are not compared: %s could not report them at ApiVersions v%d", g.Name, *p.layout()))
			return
		case p.Mode == ZooKeeper && d.KindsDiffer:
			d.Notes = append(d.Notes, "features are not compared: ZooKeeper brokers have none")
			return
		}
	}
	unsaid := make([][]string, len(d.Groups)) // features that a group could not report
	for _, name := range d.featureNames() {
		f := FeatureChange{Name: name}
		for _, g := range d.Groups {
			f.Sides = append(f.Sides, g.Peers[0].feature(name))
		}
		d.compareFeature(&f, unsaid)
		if len(f.Changes) > 0 {
			f.Breaking = slices.ContainsFunc(f.Changes, Change.Breaking)
			d.Features = append(d.Features, f)
		}
	}
	for i, names := range unsaid {
		if g := d.Groups[i]; len(names) > 0 {
			d.Notes = append(d.Notes, fmt.Sprintf("features that %s could not report at ApiVersions v%d are not compared: %s",
				g.Name, *g.Peers[0].layout(), strings.Join(slices.Compact(names), ", ")))
		}
	}
}

// layout is the ApiVersions version whose layout the table came in; 0 where a
// snapshot does not say.
func (p *Peer) layout() *int16 {
	if p.Handshake.Layout == nil {
		return new(int16)
	}
	return p.Handshake.Layout
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

func (d *Difference) compareFeature(f *FeatureChange, unsaid [][]string) {
	base := d.Groups[0].Peers[0]
	for i, g := range d.Groups[1:] {
		a, b, other := f.Sides[0], f.Sides[i+1], g.Peers[0]
		switch {
		case hides(base, a, b):
			unsaid[0] = append(unsaid[0], f.Name)
		case hides(other, b, a):
			unsaid[i+1] = append(unsaid[i+1], f.Name)
		default:
			f.Changes = union(f.Changes, featureChanges(a, b))
			f.Changes = union(f.Changes, levelChanges(level(base, a), level(other, b)))
		}
	}
}

// hides reports whether p, of which f is known, may have a feature that the
// other side has without having been able to say so.
func hides(p *Peer, f, other *Feature) bool {
	unsaid := func(f *Feature) bool { return f == nil || f.Supported == nil }
	return unsaid(f) && !unsaid(other) && other.Supported.Min == 0 && p.HiddenFeatures()
}

func featureChanges(a, b *Feature) []Change {
	switch {
	case a == nil && b == nil:
		return nil
	case a == nil:
		return []Change{Added}
	case b == nil:
		return []Change{Removed}
	case a.Supported == nil || b.Supported == nil:
		return nil
	}
	return rangeChanges(a.Supported, b.Supported)
}

// level is the finalized level of a feature: nil where the peer has not the
// feature or does not know the levels.
func level(p *Peer, f *Feature) *int16 {
	if f == nil || p.FinalizedEpoch == nil {
		return nil
	}
	return f.Finalized
}

func levelChanges(a, b *int16) []Change {
	if a == nil || b == nil {
		return nil
	}
	return step(*a, *b, FinalizedRaised, FinalizedLowered)
}
