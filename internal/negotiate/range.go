package negotiate

import "strconv"

// Range is a span of versions of one API key, both ends inclusive. A range
// that came from a peer may contradict itself; see Valid.
type Range struct {
	Min, Max int16
}

// Valid reports whether r can be negotiated on: versions are never negative
// and the minimum is never above the maximum.
func (r Range) Valid() bool { return r.Min >= 0 && r.Min <= r.Max }

// Contains reports whether v lies in r.
func (r Range) Contains(v int16) bool { return r.Min <= v && v <= r.Max }

// Clamp returns the version of r that is nearest to v.
func (r Range) Clamp(v int16) int16 { return max(r.Min, min(v, r.Max)) }

// Overlap returns the versions that lie in both ranges, and whether there are
// any. A range that is not valid overlaps with nothing.
func (r Range) Overlap(o Range) (Range, bool) {
	both := Range{max(r.Min, o.Min), min(r.Max, o.Max)}
	return both, r.Valid() && o.Valid() && both.Valid()
}

// Highest returns the version to use between two sides, the highest in the
// overlap, and whether there is one. Nothing else may ever be sent (KIP-35).
func (r Range) Highest(o Range) (int16, bool) {
	both, ok := r.Overlap(o)
	return both.Max, ok
}

// String writes the range as users read it: 0-13, 5-5. Negative numbers, which
// only a confused peer has, are kept apart: -1..2.
func (r Range) String() string {
	if r.Min < 0 || r.Max < 0 {
		return strconv.Itoa(int(r.Min)) + ".." + strconv.Itoa(int(r.Max))
	}
	return strconv.Itoa(int(r.Min)) + "-" + strconv.Itoa(int(r.Max))
}

// text is String for a range that may be none.
func (r *Range) text() string {
	if r == nil {
		return "none"
	}
	return r.String()
}
