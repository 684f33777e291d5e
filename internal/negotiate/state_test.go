package negotiate

import (
	"slices"
	"strings"
	"testing"
)

// law is a state by its definition in arithmetic, written down apart from the
// code. b is the peer's range, o is ours; either may be none.
type law struct {
	state State
	holds func(b, o *Range, wanted bool) bool
}

func contradicts(b *Range) bool { return b != nil && (b.Min > b.Max || b.Min < 0 || b.Max < 0) }
func usable(b, o *Range) bool {
	return b != nil && o != nil && !contradicts(b) && min(b.Max, o.Max) >= max(b.Min, o.Min)
}
func plain(b, o *Range) bool { return b != nil && o != nil && !contradicts(b) }

var laws = []law{
	{Same, func(b, o *Range, _ bool) bool { return usable(b, o) && b.Max == o.Max }},
	{Behind, func(b, o *Range, _ bool) bool { return usable(b, o) && b.Max < o.Max }},
	{Ahead, func(b, o *Range, _ bool) bool { return usable(b, o) && b.Max > o.Max }},
	{Unknown, func(b, o *Range, _ bool) bool { return b != nil && !contradicts(b) && o == nil }},
	{TooNew, func(b, o *Range, _ bool) bool { return plain(b, o) && b.Min > o.Max }},
	{TooOld, func(b, o *Range, _ bool) bool { return plain(b, o) && b.Max < o.Min }},
	{Missing, func(b, _ *Range, wanted bool) bool { return b == nil && wanted }},
	{Absent, func(b, _ *Range, wanted bool) bool { return b == nil && !wanted }},
	{Invalid, func(b, _ *Range, _ bool) bool { return contradicts(b) }},
}

// eachPair tries every peer's range, and none, beside every range of ours, and
// none. Key 14 is one that brokers normally offer and controllers do not.
func eachPair(try func(v Verdict, wanted bool)) {
	const key = 14
	theirs := []*Range{nil}
	ours := []*Range{nil}
	for _, r := range smallRanges() {
		theirs = append(theirs, &r)
		if r.Valid() {
			ours = append(ours, &r)
		}
	}
	for _, b := range theirs {
		for _, o := range ours {
			schemas := map[int16]Schema{}
			if o != nil {
				schemas[key] = Schema{*o, *o}
			}
			codec := NewCodec("test", "v1", "", schemas)
			for _, l := range []Listener{BrokerListener, ControllerListener} {
				p := &Peer{Listener: l, Mode: KRaft}
				if b != nil {
					p.Rows = []Row{{Key: key, Range: *b, Times: 1}}
				}
				for _, v := range Negotiate([]*Peer{p}, codec, Selection{}).Brokers[0].APIs {
					try(v, l == BrokerListener)
				}
				for _, v := range Negotiate([]*Peer{p}, codec, Selection{APIs: []int16{key}}).Brokers[0].APIs {
					try(v, true) // named, so wanted whatever the listener
				}
			}
		}
	}
}

func TestEveryPairHasTheStateOfItsDefinition(t *testing.T) {
	seen := make(map[State]int)
	eachPair(func(v Verdict, wanted bool) {
		var states []State
		for _, l := range laws {
			if l.holds(v.Theirs, v.Ours, wanted) {
				states = append(states, l.state)
			}
		}
		if len(states) != 1 || states[0] != v.State {
			t.Errorf("broker %s, ours %s, wanted %v: %s, by definition %v", text(v.Theirs), text(v.Ours), wanted, v.State, states)
		}
		seen[v.State]++
	})
	for _, s := range States() {
		if seen[s] == 0 {
			t.Errorf("no pair is %s", s)
		}
	}
}

func TestUseLiesInBothRanges(t *testing.T) {
	eachPair(func(v Verdict, _ bool) {
		want := usable(v.Theirs, v.Ours)
		switch {
		case want != (v.Use != nil):
			t.Errorf("broker %s, ours %s: use %s", text(v.Theirs), text(v.Ours), text(v.Use))
		case !want && v.Binds != NoSide:
			t.Errorf("broker %s, ours %s: nothing to use, and %s binds", text(v.Theirs), text(v.Ours), v.Binds)
		case !want:
		case *v.Use != min(v.Theirs.Max, v.Ours.Max) || !v.Theirs.Contains(*v.Use) || !v.Ours.Contains(*v.Use):
			t.Errorf("broker %v, ours %v: use %d", *v.Theirs, *v.Ours, *v.Use)
		default:
			binds := map[State]Side{Same: BothSides, Behind: TheirSide, Ahead: OursSide}[v.State]
			if v.Binds != binds || binds == NoSide {
				t.Errorf("%s: %q binds", v.State, v.Binds)
			}
		}
	})
}

func TestMismatchCarriesBothRangesAndTheSideThatMoves(t *testing.T) {
	moves := map[State]Side{TooNew: OursSide, Unknown: OursSide, TooOld: TheirSide, Invalid: TheirSide, Absent: NoSide}
	eachPair(func(v Verdict, _ bool) {
		m := v.Mismatch()
		if (m == nil) != (v.Use != nil) {
			t.Fatalf("%s with use %s: mismatch %v", v.State, text(v.Use), m)
		}
		if m == nil {
			return
		}
		want := moves[v.State]
		if v.State == Missing {
			want = TheirSide
			if v.Ours == nil {
				want = BothSides
			}
		}
		if m.Move() != want {
			t.Errorf("%s with ours %s: %q has to move, want %q", v.State, text(v.Ours), m.Move(), want)
		}
		says := "broker " + v.Theirs.text() + ", ours " + v.Ours.text()
		if !strings.Contains(m.Error(), says) || !strings.Contains(m.Error(), "SyncGroup (14) is "+string(v.State)) {
			t.Errorf("%q does not say %q", m, says)
		}
		if moving := strings.Contains(m.Error(), "to move"); moving != (want != NoSide) {
			t.Errorf("%q, and %q has to move", m, want)
		}
	})
}

func TestMismatchSentences(t *testing.T) {
	codec := codecOf(t, "0:3-13 1:0-3")
	p := peer(t, "b", "0:0-2 1:4-18 3:5-2 9999:0-1")
	r := Negotiate([]*Peer{p}, codec, Selection{APIs: []int16{0, 1, 3, 44, 9999}})
	for i, want := range []string{
		"Produce (0) is too-old: broker 0-2, ours 3-13; the broker has to move",
		"Fetch (1) is too-new: broker 4-18, ours 0-3; the client has to move",
		"Metadata (3) is invalid: broker 5-2, ours none; what the broker says of it contradicts itself; the broker has to move",
		"IncrementalAlterConfigs (44) is missing: broker none, ours none; both sides have to move",
		"Unknown(9999) (9999) is unknown: broker 0-1, ours none; the client has to move",
	} {
		if got := r.Brokers[0].APIs[i].Mismatch().Error(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestByIsTheDistanceOfTheMaxima(t *testing.T) {
	eachPair(func(v Verdict, _ bool) {
		by, ok := v.By()
		want := v.Theirs != nil && v.Ours != nil && v.Theirs.Max > v.Ours.Max
		if ok != want || ok && v.Ours.Max+by != v.Theirs.Max || !ok && by != 0 {
			t.Errorf("broker %s, ours %s: by %d %v", text(v.Theirs), text(v.Ours), by, ok)
		}
	})
}

func TestUnsupportedIsEveryStateWithoutAUseThatIsWanted(t *testing.T) {
	unsupported := []State{TooNew, TooOld, Missing, Invalid}
	for _, s := range States() {
		if s.Unsupported() != slices.Contains(unsupported, s) {
			t.Errorf("%s: %v", s, s.Unsupported())
		}
		if s.Unsupported() && s.Remedy() == "" {
			t.Errorf("%s has no remedy", s)
		}
	}
	if len(States()) != len(laws) {
		t.Errorf("%d states, %d definitions", len(States()), len(laws))
	}
}
