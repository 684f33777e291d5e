package negotiate

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func reasons(hits []Hit) string {
	var lines []string
	for _, h := range hits {
		lines = append(lines, h.Target+": "+h.Reason)
	}
	return strings.Join(lines, "\n")
}

func TestParseStates(t *testing.T) {
	for _, s := range States() {
		for _, word := range []string{string(s), strings.ToUpper(string(s))} {
			if got, err := ParseStates([]string{word}); err != nil || !slices.Equal(got, []State{s}) {
				t.Errorf("%s is %v, %v", word, got, err)
			}
			if got, err := ParseStateGate([]string{word}); err != nil || !slices.Equal(got, []State{s}) {
				t.Errorf("%s gates %v, %v", word, got, err)
			}
		}
	}
	if got, err := ParseStates(nil); got != nil || err != nil {
		t.Errorf("nothing is %v, %v", got, err)
	}
	got, err := ParseStateGate([]string{"Unsupported", "ahead"})
	if err != nil || !slices.Equal(got, []State{TooNew, TooOld, Missing, Invalid, Ahead}) {
		t.Errorf("unsupported, ahead is %v, %v", got, err)
	}
}

// TestUnsupportedGateIsTheUnsupportedStates ties the word to the predicate.
func TestUnsupportedGateIsTheUnsupportedStates(t *testing.T) {
	gate, err := ParseStateGate([]string{GateUnsupported})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range States() {
		if slices.Contains(gate, s) != s.Unsupported() {
			t.Errorf("%s", s)
		}
	}
}

func TestUnknownWordsAreSuggested(t *testing.T) {
	parse := map[string]func(string) error{
		"states": func(w string) error { _, err := ParseStates([]string{"same", w}); return err },
		"gate":   func(w string) error { _, err := ParseStateGate([]string{"same", w}); return err },
		"change": func(w string) error { _, err := ParseChangeGate([]string{"added", w}); return err },
	}
	for _, c := range []struct{ parser, word, want string }{
		{"states", "mising", `unknown state "mising" (did you mean missing?)`},
		{"states", "unsupported", `unknown state "unsupported"`},
		{"states", "", `unknown state ""`},
		{"gate", "unsuported", `unknown state "unsuported" (did you mean unsupported?)`},
		{"gate", "breaking", `unknown state "breaking"`},
		{"change", "braking", `unknown kind of change "braking" (did you mean breaking?)`},
		{"change", "maxraised", `unknown kind of change "maxraised" (did you mean max-raised?)`},
		{"change", "ahead", `unknown kind of change "ahead"`},
	} {
		err := parse[c.parser](c.word)
		var unknown *UnknownWordError
		if !errors.As(err, &unknown) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s %q: %v, want %s", c.parser, c.word, err, c.want)
		}
	}
}

// A KRaft broker's ranges of forwarded keys are its active controller's too: a
// gate can leave them alone, and a hit on one says what it is.
func TestGatesTellForwardedKeysApart(t *testing.T) {
	a, b := peer(t, "a", "0:0-13 19:2-7 55:0-2 94:0-0"), peer(t, "b", "0:0-12 19:2-6 55:0-2")
	d := Diff([]*Peer{a, b}, Selection{})
	for word, want := range map[string]string{
		GateBreaking: `
a → b: Produce (0): max-lowered: 0-13 → 0-12
a → b: CreateTopics (19): max-lowered: 2-7 → 2-6; depends on the active controller
a → b: UnregisterController (94): removed: 0-0 → none; depends on the active controller`,
		GateBreakingOwn: "a → b: Produce (0): max-lowered: 0-13 → 0-12",
	} {
		gate, err := ParseChangeGate([]string{word})
		if err != nil {
			t.Fatal(err)
		}
		wantText(t, word, reasons(d.Hits(gate)), want)
	}
	for _, change := range d.APIs {
		if change.Forwarded != (change.Key != 0) {
			t.Errorf("%s: forwarded is %v", change.Name, change.Forwarded)
		}
	}
}

// Whoever writes none beside a kind means one of the two.
func TestNoneStandsAlone(t *testing.T) {
	for _, words := range [][]string{{"none", "breaking"}, {"any", "NONE"}} {
		if gate, err := ParseChangeGate(words); err == nil {
			t.Errorf("%q is the gate %q", words, gate)
		}
	}
	if _, err := ParseChangeGate([]string{"none", "none"}); err != nil {
		t.Error(err)
	}
}

func TestStateGates(t *testing.T) {
	down := &Peer{Target: "down", Failure: &Failure{}}
	peers := []*Peer{peer(t, "a", "0:0-13 1:0-17 2:0-99 3:99-100 95:0-0"), down, peer(t, "b", "0:9-3 0:0-1 2:0-11")}
	ours := codecOf(t, "0:0-13 1:0-18 2:0-11 3:0-13")
	// What is hidden from view is judged all the same.
	r := Negotiate(peers, ours, Selection{APIs: []int16{0, 1, 2, 3, 95}, States: []State{Same}})
	for _, c := range []struct{ gate, want string }{
		{"unsupported", `
a: Metadata (3) is too-new: broker 99-100, ours 0-13; the client has to move
b: Produce (0) is invalid: broker 0-1, ours 0-13; what the broker says of it contradicts itself; the broker has to move
b: Produce (0) is invalid: broker 9-3, ours 0-13; what the broker says of it contradicts itself; the broker has to move
b: Fetch (1) is missing: broker none, ours 0-18; the broker has to move
b: Metadata (3) is missing: broker none, ours 0-13; the broker has to move
b: Unknown(95) (95) is missing: broker none, ours none; both sides have to move`},
		{"ahead", "a: ListOffsets (2) is ahead: broker 0-99, ours 0-11, use 11"},
		{"behind", "a: Fetch (1) is behind: broker 0-17, ours 0-18, use 17"},
		{"unknown", "a: Unknown(95) (95) is unknown: broker 0-0, ours none; the client has to move"},
		{"too-old", ""},
	} {
		gate, err := ParseStateGate([]string{c.gate})
		if err != nil {
			t.Fatal(err)
		}
		wantText(t, c.gate, reasons(r.Hits(gate)), c.want)
	}
	if hits := r.Hits(nil); hits != nil {
		t.Errorf("no gate, and hits: %v", hits)
	}
}

func TestChangeGates(t *testing.T) {
	a := featured(peer(t, "a", "0:0-5 1:0-5 2:0-5 18:0-3 55:0-0"), 4, feature("m", 1, 9, 5), feature("n", 1, 9, 9))
	b := featured(peer(t, "b", "0:0-6 1:2-5 3:0-5 18:0-3 55:0-0"), 4, feature("m", 1, 8, 5), feature("n", 1, 9, 8))
	d := Diff([]*Peer{a, b}, Selection{})
	all := map[string]string{
		"max-raised":        "Produce (0): max-raised: 0-5 → 0-6",
		"min-raised":        "Fetch (1): min-raised: 0-5 → 2-5",
		"removed":           "ListOffsets (2): removed: 0-5 → none",
		"added":             "Metadata (3): added: none → 0-5",
		"max-lowered":       "m: max-lowered",
		"finalized-lowered": "n: finalized-lowered",
	}
	hit := func(words ...string) string {
		gate, err := ParseChangeGate(words)
		if err != nil {
			t.Fatal(err)
		}
		return reasons(d.Hits(gate))
	}
	for _, c := range Changes() {
		want := ""
		if all[string(c)] != "" {
			want = "a → b: " + all[string(c)]
		}
		wantText(t, string(c), hit(strings.ToUpper(string(c))), want)
	}
	wantText(t, "breaking", hit("breaking"), `
a → b: Fetch (1): min-raised: 0-5 → 2-5
a → b: ListOffsets (2): removed: 0-5 → none
a → b: m: max-lowered`)
	wantText(t, "none", hit("none"), "")
	wantText(t, "no gate", hit(), "")
	if got := strings.Count(hit("any"), "\n") + 1; got != len(all) {
		t.Errorf("any hits %d, want %d", got, len(all))
	}
	if got := strings.Count(hit("added", "removed"), "\n") + 1; got != 2 {
		t.Errorf("added and removed hit %d", got)
	}
}

func TestSummaries(t *testing.T) {
	a, b := peer(t, "a", "0:0-5 1:0-5 18:0-3"), peer(t, "b", "0:0-4 1:0-6 18:0-3")
	b.Source = "b.json"
	wantText(t, "keys", reasons([]Hit{Diff([]*Peer{a, b}, Selection{}).Summary()}), "a → b (b.json): 2 keys (1 breaking) and 0 features differ")
	kinds := Diff([]*Peer{peerOf("a", column(t, "3.9-zookeeper")), peerOf("b", column(t, "3.9-kraft"))}, Selection{})
	wantText(t, "kinds", reasons([]Hit{kinds.Summary()}), "a → b: different kinds of listener")
	wantText(t, "kinds, any", reasons(kinds.Hits(ChangeGate{GateAny})), "a → b: different kinds of listener")
	wantText(t, "kinds, breaking", reasons(kinds.Hits(ChangeGate{GateBreaking})), "")
}
