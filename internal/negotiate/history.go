package negotiate

import (
	"math"
	"slices"
)

// Introduction says what one version of an API brought. What an API is for is
// no part of a table: it is looked up (History), and never decides anything.
type Introduction struct {
	Key     int16
	Version int16
	Release string // the Apache Kafka minor release that first offered it: 4.1
	KIP     string // KIP-1166, an issue (KAFKA-17011) where there is no KIP, or ""
	Words   string // what it is for, at most 60 characters
}

// Text is what the version is for, and where to read of it.
func (i Introduction) Text() string { return cite(i.KIP, i.Words) }

// Text is what the level means, and where to read of it.
func (l LevelIntroduction) Text() string { return cite(l.KIP, l.Words) }

func cite(kip, words string) string {
	if kip == "" {
		return words
	}
	return kip + ": " + words
}

// History returns what the versions of a key that lie in the range brought,
// oldest first. Versions that nothing is known about are left out.
type History func(key int16, in Range) []Introduction

// LevelIntroduction says what one level of a feature means.
type LevelIntroduction struct {
	Feature string
	Level   int16
	Release string // the Apache Kafka minor release that first supported it: 4.1
	KIP     string // as in Introduction
	Words   string // likewise
}

// LevelHistory returns what a level of a feature means, and false where that is
// not known.
type LevelHistory func(feature string, level int16) (LevelIntroduction, bool)

// Lore is what is known about versions and levels beyond their numbers. Either
// part may be nil: then there is nothing to tell.
type Lore struct {
	Versions History
	Levels   LevelHistory
}

func (l Lore) versions(key int16, in Range) []Introduction {
	if l.Versions == nil {
		return nil
	}
	return l.Versions(key, in)
}

// Meaning returns what a level of a feature means, and false where that is not
// known.
func (l Lore) Meaning(feature string, level int16) (LevelIntroduction, bool) {
	if l.Levels == nil {
		return LevelIntroduction{}, false
	}
	return l.Levels(feature, level)
}

// Next returns what the levels above the finalized one mean that a binary
// supports: what the cluster gains when it is finalized.
func (l Lore) Next(f Feature) []LevelIntroduction {
	if f.Supported == nil || !f.Supported.Valid() || f.Finalized == nil {
		return nil
	}
	return l.between(f.Name, *f.Finalized, f.Supported.Max)
}

// between returns what the levels above one and up to another mean.
func (l Lore) between(feature string, above, upTo int16) []LevelIntroduction {
	var next []LevelIntroduction
	for level := max(above, 0); level < min(upTo, maxLevel); {
		level++
		if m, ok := l.Meaning(feature, level); ok {
			next = append(next, m)
		}
	}
	return next
}

// maxLevel is above every level that means something (metadata.version is at 33
// in 4.4); a peer may name any.
const maxLevel = 200

// Beyond returns what the versions brought that the peer offers and ours does
// not reach: what being clamped, or out of reach, costs.
func (r Report) Beyond(v Verdict) []Introduction {
	if v.Theirs == nil || !v.Theirs.Valid() {
		return nil
	}
	beyond := *v.Theirs
	if v.Ours != nil {
		beyond.Min = max(beyond.Min, v.Ours.Max+1)
	}
	return r.Lore.versions(v.Key, beyond)
}

// Since returns the release that first offered the peer's maximum of a row on
// which ours is behind, "" where that is not known.
func (r Report) Since(v Verdict) string {
	if all := r.Beyond(v); len(all) > 0 && all[len(all)-1].Version == v.Theirs.Max {
		return all[len(all)-1].Release
	}
	return ""
}

// Told returns what all versions of the keys brought that the user named, in
// the order of the keys; nil where every key is shown.
func (r Report) Told() []Introduction {
	var all []Introduction
	for _, key := range r.Selection.APIs {
		all = append(all, r.Lore.versions(key, Range{0, math.MaxInt16})...)
	}
	return all
}

// Gained returns what the versions brought that another group offers and the
// first does not; Lost those that the first offers and another does not.
func (d Difference) Gained(a APIChange) []Introduction {
	return d.told(a, func(base, other *Range, v int16) bool { return !base.offers(v) && other.offers(v) })
}

// Lost is described at Gained.
func (d Difference) Lost(a APIChange) []Introduction {
	return d.told(a, func(base, other *Range, v int16) bool { return base.offers(v) && !other.offers(v) })
}

func (d Difference) told(a APIChange, changed func(base, other *Range, v int16) bool) []Introduction {
	return slices.DeleteFunc(d.Lore.versions(a.Key, Range{0, math.MaxInt16}), func(i Introduction) bool {
		return !slices.ContainsFunc(a.Ranges[1:], func(r *Range) bool { return changed(a.Ranges[0], r, i.Version) })
	})
}

// GainedLevels returns what the levels of a feature mean that another group
// supports and the first does not or, where all support the same, that another
// group's cluster is finalized at.
func (d Difference) GainedLevels(f FeatureChange) []LevelIntroduction {
	from, to := f.Sides[0].reach(), int16(0)
	for _, side := range f.Sides[1:] {
		to = max(to, side.reach())
	}
	if from == to {
		from, to = f.Sides[0].finalized(), 0
		for _, side := range f.Sides[1:] {
			to = max(to, side.finalized())
		}
	}
	return d.Lore.between(f.Name, from, to)
}

// reach is the highest level that a side supports, 0 for none.
func (f *Feature) reach() int16 {
	if r := f.supported(); r != nil {
		return r.Max
	}
	return 0
}

// finalized is the level that a side is known to run at, 0 for none.
func (f *Feature) finalized() int16 {
	if f == nil || f.Finalized == nil {
		return 0
	}
	return *f.Finalized
}

// offers is Contains for a range that may be none, or contradict itself.
func (r *Range) offers(v int16) bool { return r != nil && r.Valid() && r.Contains(v) }
