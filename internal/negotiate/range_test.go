package negotiate

import "testing"

// members are the versions of a range, by counting; none where it contradicts
// itself.
func members(r Range) map[int16]bool {
	in := make(map[int16]bool)
	if r.Min < 0 || r.Max < r.Min {
		return in
	}
	for v := r.Min; v <= r.Max; v++ {
		in[v] = true
	}
	return in
}

func TestOverlapIsTheSetOfSharedVersions(t *testing.T) {
	for _, a := range smallRanges() {
		for _, b := range smallRanges() {
			both, ok := a.Overlap(b)
			inA, inB := members(a), members(b)
			shared, highest := 0, int16(-1)
			for v := int16(low); v <= high; v++ {
				in := inA[v] && inB[v]
				if in {
					shared, highest = shared+1, v
				}
				if ok && in != both.Contains(v) {
					t.Errorf("%v and %v: overlap %v is wrong about %d", a, b, both, v)
				}
			}
			if ok != (shared > 0) {
				t.Errorf("%v and %v: overlap %v, %d versions shared", a, b, ok, shared)
			}
			if v, ok := a.Highest(b); ok != (shared > 0) || ok && v != highest {
				t.Errorf("%v and %v: highest %d %v, want %d", a, b, v, ok, highest)
			}
		}
	}
}

func TestOverlapIsSymmetric(t *testing.T) {
	for _, a := range smallRanges() {
		for _, b := range smallRanges() {
			ab, ok := a.Overlap(b)
			ba, okBA := b.Overlap(a)
			if ok != okBA || ok && ab != ba {
				t.Errorf("%v with %v is %v %v, the other way %v %v", a, b, ab, ok, ba, okBA)
			}
		}
	}
}

// TestHighestIsTheLowerMaximum is the formula of KIP-35, beside the count of
// versions above.
func TestHighestIsTheLowerMaximum(t *testing.T) {
	for _, a := range smallRanges() {
		for _, b := range smallRanges() {
			v, ok := a.Highest(b)
			usable := a.Valid() && b.Valid() && min(a.Max, b.Max) >= max(a.Min, b.Min)
			if ok != usable || ok && v != min(a.Max, b.Max) {
				t.Errorf("%v and %v: %d %v", a, b, v, ok)
			}
		}
	}
}

func TestClamp(t *testing.T) {
	for _, r := range smallRanges() {
		if !r.Valid() {
			continue
		}
		for v := int16(low - 2); v <= high+2; v++ {
			c := r.Clamp(v)
			switch {
			case !r.Contains(c):
				t.Errorf("%v clamps %d to %d, outside", r, v, c)
			case r.Contains(v) && c != v:
				t.Errorf("%v moves %d, which it contains, to %d", r, v, c)
			case v < r.Min && c != r.Min, v > r.Max && c != r.Max:
				t.Errorf("%v clamps %d to %d, not to the nearer end", r, v, c)
			case r.Clamp(c) != c:
				t.Errorf("%v clamps %d twice to different versions", r, v)
			}
		}
	}
}

func TestValid(t *testing.T) {
	for _, r := range smallRanges() {
		if r.Valid() != (len(members(r)) > 0) {
			t.Errorf("%v: valid is %v", r, r.Valid())
		}
	}
	if (Row{Key: -2, Range: Range{0, 1}}).Valid() {
		t.Error("a row with a negative key is valid")
	}
}

func TestRangeText(t *testing.T) {
	for want, r := range map[string]*Range{"0-13": {0, 13}, "5-5": {5, 5}, "9-3": {9, 3}, "none": nil} {
		if got := r.text(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
