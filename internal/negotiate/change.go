package negotiate

import "slices"

// Change is one way in which a range or a level differs from the baseline's.
type Change string

// The changes. Both ends of a range count by themselves, so that one key may
// show two of them.
const (
	Added            Change = "added"
	Removed          Change = "removed"
	MinRaised        Change = "min-raised"
	MinLowered       Change = "min-lowered"
	MaxRaised        Change = "max-raised"
	MaxLowered       Change = "max-lowered"
	FinalizedRaised  Change = "finalized-raised"  // features only
	FinalizedLowered Change = "finalized-lowered" // features only
)

// Changes returns every kind of change in the order in which they are shown.
func Changes() []Change {
	return []Change{Added, Removed, MinRaised, MinLowered, MaxRaised, MaxLowered, FinalizedRaised, FinalizedLowered}
}

// Breaking reports whether a client that worked against the baseline may fail
// after the change: something it could use is no longer there. A widened range
// never is.
func (c Change) Breaking() bool {
	return c == Removed || c == MinRaised || c == MaxLowered
}

// rangeChanges compares a range with the baseline's; nil is not offered.
func rangeChanges(base, other *Range) []Change {
	switch {
	case base == nil && other == nil:
		return nil
	case base == nil:
		return []Change{Added}
	case other == nil:
		return []Change{Removed}
	}
	return append(step(base.Min, other.Min, MinRaised, MinLowered),
		step(base.Max, other.Max, MaxRaised, MaxLowered)...)
}

func step(from, to int16, raised, lowered Change) []Change {
	switch {
	case to > from:
		return []Change{raised}
	case to < from:
		return []Change{lowered}
	}
	return nil
}

// union adds changes to a set that stays in the order of Changes.
func union(set, more []Change) []Change {
	var all []Change
	for _, c := range Changes() {
		if slices.Contains(set, c) || slices.Contains(more, c) {
			all = append(all, c)
		}
	}
	return all
}
