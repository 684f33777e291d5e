package negotiate

import (
	"slices"
	"testing"
)

// told is a lore in which every version of key 1 and every level of two
// features brought something.
func told() Lore {
	return Lore{
		Versions: func(key int16, in Range) []Introduction {
			var all []Introduction
			for v := range int16(20) {
				if key == 1 && in.Contains(v) {
					all = append(all, Introduction{Key: key, Version: v, Release: "4." + Range{v, v}.String()[:1], Words: "w"})
				}
			}
			return all
		},
		Levels: func(feature string, level int16) (LevelIntroduction, bool) {
			return LevelIntroduction{Feature: feature, Level: level}, feature == "m" || feature == "s"
		},
	}
}

func versionsOf(all []Introduction) []int16 {
	var versions []int16
	for _, i := range all {
		versions = append(versions, i.Version)
	}
	return versions
}

// TestBeyond: what ours does not reach is what the peer offers above our
// maximum, all of it where ours has no schema, and nothing of a row that
// contradicts itself.
func TestBeyond(t *testing.T) {
	r := Report{Lore: told()}
	for _, c := range []struct {
		name         string
		theirs, ours *Range
		want         []int16
		since        string
	}{
		{"clamped", &Range{4, 9}, &Range{0, 6}, []int16{7, 8, 9}, "4.9"},
		{"same", &Range{4, 9}, &Range{0, 9}, nil, ""},
		{"behind", &Range{4, 6}, &Range{0, 9}, nil, ""},
		{"no schema", &Range{1, 3}, nil, []int16{1, 2, 3}, "4.3"},
		{"too new", &Range{7, 9}, &Range{0, 2}, []int16{7, 8, 9}, "4.9"},
		{"more than is known", &Range{0, 40}, &Range{0, 17}, []int16{18, 19}, ""},
		{"invalid", &Range{9, 3}, &Range{0, 2}, nil, ""},
		{"none", nil, &Range{0, 2}, nil, ""},
	} {
		v := Verdict{Key: 1, Theirs: c.theirs, Ours: c.ours}
		if got := versionsOf(r.Beyond(v)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if got := r.Since(v); got != c.since {
			t.Errorf("%s: since %q, want %q", c.name, got, c.since)
		}
	}
	if nothing := (Report{}).Beyond(Verdict{Key: 1, Theirs: &Range{0, 3}}); nothing != nil {
		t.Errorf("without lore: %v", nothing)
	}
}

func TestTold(t *testing.T) {
	r := Report{Lore: told(), Selection: Selection{APIs: []int16{0, 1}}}
	if n := len(r.Told()); n != 20 {
		t.Errorf("%d versions, want all 20 of key 1", n)
	}
	r.Selection.APIs = nil
	if r.Told() != nil {
		t.Error("nobody asked")
	}
}

// TestGainedAndLost holds them to the ranges, version by version, over all
// small ranges of three groups.
func TestGainedAndLost(t *testing.T) {
	d := Difference{Lore: told()}
	for _, base := range few() {
		for _, b := range few() {
			for _, c := range few() {
				a := APIChange{Key: 1, Ranges: []*Range{base, b, c}}
				gained, lost := versionsOf(d.Gained(a)), versionsOf(d.Lost(a))
				for v := range int16(5) {
					in := func(r *Range) bool { return r != nil && r.Min <= r.Max && r.Min <= v && v <= r.Max }
					if got, want := slices.Contains(gained, v), !in(base) && (in(b) || in(c)); got != want {
						t.Fatalf("%v: gained %v", a.Ranges, gained)
					}
					if got, want := slices.Contains(lost, v), in(base) && (!in(b) || !in(c)); got != want {
						t.Fatalf("%v: lost %v", a.Ranges, lost)
					}
				}
			}
		}
	}
}

func TestGainedLevels(t *testing.T) {
	d := Difference{Lore: told()}
	level := func(n int16) *int16 { return &n }
	for _, c := range []struct {
		name     string
		sides    []*Feature
		from, to int16
	}{
		{"raised", []*Feature{{Supported: &Range{7, 27}}, {Supported: &Range{7, 29}}}, 28, 29},
		{"added", []*Feature{nil, {Supported: &Range{0, 2}}}, 1, 2},
		{"lowered", []*Feature{{Supported: &Range{7, 29}}, {Supported: &Range{7, 27}}}, 1, 0},
		{"finalized", []*Feature{{Supported: &Range{7, 29}, Finalized: level(25)}, {Supported: &Range{7, 29}, Finalized: level(27)}}, 26, 27},
		{"supported goes first", []*Feature{{Supported: &Range{0, 1}, Finalized: level(0)}, {Supported: &Range{0, 2}, Finalized: level(1)}}, 2, 2},
		{"absurd", []*Feature{nil, {Supported: &Range{0, 32767}}}, 1, maxLevel},
	} {
		all := d.GainedLevels(FeatureChange{Name: "m", Sides: c.sides})
		if len(all) != int(c.to-c.from)+1 || len(all) > 0 && (all[0].Level != c.from || all[len(all)-1].Level != c.to) {
			t.Errorf("%s: %+v", c.name, all)
		}
	}
}

func TestNextLevels(t *testing.T) {
	level := func(n int16) *int16 { return &n }
	for _, c := range []struct {
		feature Feature
		want    int
	}{
		{Feature{Name: "m", Supported: &Range{7, 27}, Finalized: level(25)}, 2},
		{Feature{Name: "m", Supported: &Range{7, 27}, Finalized: level(27)}, 0},
		{Feature{Name: "m", Supported: &Range{7, 27}}, 0},
		{Feature{Name: "m", Finalized: level(3)}, 0},
		{Feature{Name: "m", Supported: &Range{0, 32767}, Finalized: level(-9)}, maxLevel},
		{Feature{Name: "other", Supported: &Range{0, 9}, Finalized: level(0)}, 0},
	} {
		if got := len(told().Next(c.feature)); got != c.want {
			t.Errorf("%+v: %d levels, want %d", c.feature, got, c.want)
		}
	}
}

func TestCitation(t *testing.T) {
	if got := (Introduction{KIP: "KIP-1", Words: "w"}).Text(); got != "KIP-1: w" {
		t.Error(got)
	}
	if got := (LevelIntroduction{Words: "w"}).Text(); got != "w" {
		t.Error(got)
	}
}
