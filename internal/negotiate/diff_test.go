package negotiate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// onBoth compares two peers on one key; nil is not offered.
func onBoth(a, b *Range) Difference {
	peers := brokersWith(a, b)
	return Diff(peers, Selection{})
}

// changesOf are the changes of the only key that can differ.
func changesOf(t *testing.T, d Difference) ([]Change, bool) {
	t.Helper()
	switch {
	case len(d.APIs) == 0:
		return nil, false
	case len(d.APIs) > 1 || len(d.Features) > 0 || d.KindsDiffer:
		t.Fatalf("one key can differ: %+v", d)
	}
	return d.APIs[0].Changes, d.APIs[0].Breaking
}

// eachTwo tries every small range and none on both sides.
func eachTwo(try func(a, b *Range)) {
	sides := []*Range{nil}
	for _, r := range smallRanges() {
		sides = append(sides, &r)
	}
	for _, a := range sides {
		for _, b := range sides {
			try(a, b)
		}
	}
}

// held is what a side can be held to: nothing where a range contradicts itself.
func held(r *Range) *Range {
	if contradicts(r) {
		return nil
	}
	return r
}

func TestChangesByDefinition(t *testing.T) {
	eachTwo(func(from, to *Range) {
		d := onBoth(from, to)
		got, breaking := changesOf(t, d)
		var want []Change
		switch a, b := held(from), held(to); {
		case a == nil && b == nil:
		case a == nil:
			want = []Change{Added}
		case b == nil:
			want = []Change{Removed}
		default:
			for _, c := range []struct {
				holds  bool
				change Change
			}{{b.Min > a.Min, MinRaised}, {b.Min < a.Min, MinLowered}, {b.Max > a.Max, MaxRaised}, {b.Max < a.Max, MaxLowered}} {
				if c.holds {
					want = append(want, c.change)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s to %s: %v, want %v", text(from), text(to), got, want)
		}
		if breaking != slices.ContainsFunc(got, Change.Breaking) {
			t.Errorf("%s to %s: %v, breaking is %v", text(from), text(to), got, breaking)
		}
		if d.Differs() == equal(from, to) {
			t.Errorf("%s to %s: differs is %v", text(from), text(to), d.Differs())
		}
	})
}

// TestBreakingIsLosingAVersion counts versions: a change breaks if and only if
// one that could be used before cannot be used after, so that widening never
// does and narrowing always.
func TestBreakingIsLosingAVersion(t *testing.T) {
	set := func(r *Range) map[int16]bool {
		if r == nil {
			return nil
		}
		return members(*r)
	}
	eachTwo(func(a, b *Range) {
		before, after := set(a), set(b)
		lost := false
		for v := range before {
			lost = lost || !after[v]
		}
		if _, breaking := changesOf(t, onBoth(a, b)); breaking != lost {
			t.Errorf("%s to %s: breaking is %v, a version is lost: %v", text(a), text(b), breaking, lost)
		}
	})
}

func TestDiffIsMirrored(t *testing.T) {
	mirror := map[Change]Change{
		Added: Removed, MinRaised: MinLowered, MaxRaised: MaxLowered, FinalizedRaised: FinalizedLowered,
		Removed: Added, MinLowered: MinRaised, MaxLowered: MaxRaised, FinalizedLowered: FinalizedRaised,
	}
	eachTwo(func(a, b *Range) {
		there, _ := changesOf(t, onBoth(a, b))
		back, _ := changesOf(t, onBoth(b, a))
		var mirrored []Change
		for _, c := range there {
			mirrored = append(mirrored, mirror[c])
		}
		if !slices.Equal(union(mirrored, nil), back) {
			t.Errorf("%s to %s: %v, and back: %v", text(a), text(b), there, back)
		}
	})
	for _, c := range Changes() {
		if mirror[mirror[c]] != c {
			t.Errorf("%s has no mirror", c)
		}
	}
}

func TestNothingDiffersFromItself(t *testing.T) {
	for _, c := range columns {
		a, b := peerOf("a", column(t, c.name)), peerOf("b", column(t, c.name))
		b.Handshake, b.Address = Handshake{Requests: 3, ThrottleMillis: 9}, "elsewhere"
		for i := range b.Rows {
			b.Rows[i].Times = 2 // said twice, and no more than said once
		}
		d := Diff([]*Peer{a, b}, Selection{})
		if d.Differs() || len(d.Groups) != 1 || len(d.Groups[0].Peers) != 2 || len(d.Notes) != 0 {
			t.Errorf("%s differs from itself: %+v", c.name, d)
		}
	}
}

// several are peers that differ in one thing each.
func several(t *testing.T) []*Peer {
	meta := func(level int16) Feature { return feature("metadata.version", 7, 27, level) }
	table := "0:0-13 3:0-13 18:0-4 55:0-2"
	later := featured(peer(t, "epoch", table), 4, meta(27))
	*later.FinalizedEpoch = 1000
	return []*Peer{
		peer(t, "plain", table), peer(t, "plain again", table), peer(t, "repeated", table+" 0:0-13"),
		peer(t, "lower", "0:0-12 3:0-13 18:0-4 55:0-2"), peer(t, "zookeeper", "0:0-13 3:0-13 4:0-7 18:0-4"),
		peer(t, "controller", "1:4-18 18:0-4 52:0-2"), peer(t, "invalid", "0:9-3 3:0-13 18:0-4 55:0-2"),
		featured(peer(t, "no features", table), 4), featured(peer(t, "features", table), 4, meta(27)), later,
		featured(peer(t, "level", table), 4, meta(26)), featured(peer(t, "other feature", table), 4, feature("x", 0, 1, 0)),
	}
}

// TestGroupingIsAnEquivalence holds that being in one group is symmetric and
// transitive, and that groups do not depend on the order of peers.
func TestGroupingIsAnEquivalence(t *testing.T) {
	for _, sel := range []Selection{{}, {APIs: []int16{0}}, {APIs: []int16{18}}, {APIs: []int16{9999}}} {
		peers := several(t)
		together := func(a, b *Peer) bool { return len(Diff([]*Peer{a, b}, sel).Groups) == 1 }
		for _, a := range peers {
			for _, b := range peers {
				for _, c := range peers {
					if together(a, b) != together(b, a) || together(a, b) && together(b, c) && !together(a, c) {
						t.Errorf("%v: %s, %s, %s", sel.APIs, a.Target, b.Target, c.Target)
					}
				}
			}
		}
		for range peers {
			peers = append(peers[1:], peers[0])
			grouped := 0
			for _, g := range Diff(peers, sel).Groups {
				grouped += len(g.Peers)
				for _, a := range g.Peers {
					for _, b := range peers {
						if together(a, b) != slices.Contains(g.Peers, b) {
							t.Errorf("%v: %s and %s", sel.APIs, a.Target, b.Target)
						}
					}
				}
			}
			if grouped != len(peers) {
				t.Errorf("%v: %d of %d peers are in a group", sel.APIs, grouped, len(peers))
			}
		}
	}
}

func TestGroups(t *testing.T) {
	var groups []string
	for _, g := range Diff(several(t), Selection{}).Groups {
		var names []string
		for _, p := range g.Peers {
			names = append(names, p.Target)
		}
		groups = append(groups, g.Name+": "+strings.Join(names, ", "))
	}
	wantText(t, "groups", strings.Join(groups, "\n"), `
A: plain, plain again, repeated
B: lower
C: zookeeper
D: controller
E: invalid
F: no features
G: features, epoch
H: level
I: other feature`)
}

func TestGroupNames(t *testing.T) {
	for i, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA"} {
		if got := groupName(i); got != want {
			t.Errorf("group %d is %s, want %s", i, got, want)
		}
	}
	seen := make(map[string]bool)
	for i := range 2000 {
		if seen[groupName(i)] {
			t.Fatalf("two groups are called %s", groupName(i))
		}
		seen[groupName(i)] = true
	}
}

func TestChangesOfSeveralGroupsAreTheirUnion(t *testing.T) {
	d := Diff([]*Peer{peer(t, "a", "0:1-5 3:0-1"), peer(t, "b", "0:2-4 3:0-1"), peer(t, "c", "3:0-1"), peer(t, "d", "0:0-9 3:0-1")}, Selection{})
	wantText(t, "changes", fmt.Sprint(d.APIs[0].Ranges[2], d.APIs[0].Changes, d.APIs[0].Breaking), "<nil> [removed min-raised min-lowered max-raised max-lowered] true")
	if len(d.APIs) != 1 || d.APIs[0].Name != "Produce" || *d.APIs[0].Ranges[3] != (Range{0, 9}) {
		t.Errorf("%+v", d.APIs)
	}
}

func TestDiffOfFailures(t *testing.T) {
	down := &Peer{Target: "down", Failure: &Failure{}}
	d := Diff([]*Peer{down, peer(t, "a", "0:0-1"), down}, Selection{})
	if d.Differs() || len(d.Failed) != 2 || len(d.Groups) != 1 || d.Groups[0].Name != "A" {
		t.Errorf("%+v", d)
	}
	if d := Diff(nil, Selection{}); d.Differs() || len(d.Groups) != 0 {
		t.Errorf("%+v", d)
	}
}

// Two peers that contradict themselves in different ways differ, though there
// is no word for how.
func TestDiffOfRowsThatContradictThemselves(t *testing.T) {
	d := Diff([]*Peer{peer(t, "a", "0:0-3 1:9-3 2:0-4 3:0-1"), peer(t, "b", "0:-1-5 1:9-4 2:0-4 2:0-5 3:0-1")}, Selection{})
	var lines []string
	for _, a := range d.APIs {
		lines = append(lines, fmt.Sprintf("%s %s %s %v %v %q", a.Name, a.Ranges[0].text(), a.Ranges[1].text(), a.Changes, a.Breaking, a.Notes))
	}
	wantText(t, "changes", strings.Join(lines, "\n"), `
Produce 0-3 -1..5 [removed] true ["B: the row contradicts itself"]
Fetch 9-3 9-4 [] false ["A: the row contradicts itself" "B: the row contradicts itself"]
ListOffsets 0-4 none [removed] true ["B: advertised with different ranges, 0-4 and 0-5"]`)
}
