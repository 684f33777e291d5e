package negotiate

import (
	"fmt"
	"slices"
	"strings"
)

// Words of gates that stand for several kinds, or for none.
const (
	GateUnsupported = "unsupported" // too-new, too-old, missing, invalid
	GateBreaking    = "breaking"    // the changes that take something away
	// GateBreakingOwn is GateBreaking without the keys whose ranges depend on
	// the active controller, which change without an upgrade of the broker.
	GateBreakingOwn = "breaking-own"
	GateAny         = "any"  // every difference
	GateNone        = "none" // no gate at all
)

// ParseStates reads state names. Its error suggests the nearest one.
func ParseStates(words []string) ([]State, error) {
	var states []State
	for _, w := range words {
		s := State(strings.ToLower(w))
		if !slices.Contains(States(), s) {
			return nil, unknownWord("state", w, States())
		}
		states = append(states, s)
	}
	return states, nil
}

// ParseStateGate reads the kinds of --fail-on for reports: states, and
// "unsupported" for all in which no call can succeed.
func ParseStateGate(words []string) ([]State, error) {
	var gate []State
	for _, w := range words {
		if strings.EqualFold(w, GateUnsupported) {
			gate = append(gate, TooNew, TooOld, Missing, Invalid)
			continue
		}
		states, err := ParseStates([]string{w})
		if err != nil {
			return nil, unknownWord("state", w, append(States(), GateUnsupported))
		}
		gate = append(gate, states...)
	}
	return gate, nil
}

func unknownWord[T ~string](what, word string, known []T) error {
	words := make([]string, len(known))
	for i, k := range known {
		words[i] = string(k)
	}
	return &UnknownWordError{What: what, Word: word, Nearest: nearest(word, words), Known: words}
}

// Hit is one reason why a gate failed.
type Hit struct {
	Target string // the peer, or what was compared
	Reason string // the key, both ranges, and the side that has to move
}

// Hits returns what a gate finds in the report: every judged row in one of the
// states, whatever the selection's States hide. A peer that could not be read
// is never a hit; it makes the run incomplete.
func (r Report) Hits(gate []State) []Hit {
	var hits []Hit
	for _, b := range r.Brokers {
		for _, v := range b.judged {
			if slices.Contains(gate, v.State) {
				hits = append(hits, Hit{b.Target, v.sentence()})
			}
		}
	}
	return hits
}

func (v Verdict) sentence() string {
	if m := v.Mismatch(); m != nil {
		return m.Error()
	}
	return fmt.Sprintf("%s (%d) is %s: broker %s, ours %s, use %d",
		v.Name, v.Key, v.State, v.Theirs.text(), v.Ours.text(), *v.Use)
}

// ChangeGate is the kinds of --fail-on for differences.
type ChangeGate []string

// ParseChangeGate reads the kinds of --fail-on for differences.
func ParseChangeGate(words []string) (ChangeGate, error) {
	known := []string{GateBreaking, GateBreakingOwn, GateAny, GateNone}
	for _, c := range Changes() {
		known = append(known, string(c))
	}
	var gate ChangeGate
	for _, w := range words {
		w = strings.ToLower(w)
		if !slices.Contains(known, w) {
			return nil, unknownWord("kind of change", w, known)
		}
		gate = append(gate, w)
	}
	if slices.Contains(gate, GateNone) && slices.ContainsFunc(gate, func(w string) bool { return w != GateNone }) {
		return nil, fmt.Errorf("%s stands alone: it is no gate at all", GateNone)
	}
	return gate, nil
}

// catches reports whether the gate fails on changes that are breaking or not,
// of a key that is forwarded or not.
func (g ChangeGate) catches(changes []Change, breaking, forwarded bool) bool {
	switch {
	case slices.Contains(g, GateAny),
		breaking && slices.Contains(g, GateBreaking),
		breaking && !forwarded && slices.Contains(g, GateBreakingOwn):
		return true
	}
	return slices.ContainsFunc(changes, func(c Change) bool { return slices.Contains(g, string(c)) })
}

const kindsDiffer = "different kinds of listener"

// Hits returns what a gate finds in the differences.
func (d Difference) Hits(gate ChangeGate) []Hit {
	var hits []Hit
	if d.kindsCount() && slices.Contains(gate, GateAny) {
		hits = append(hits, Hit{d.between(), kindsDiffer})
	}
	for _, a := range d.APIs {
		if gate.catches(a.Changes, a.Breaking, a.Forwarded) {
			hits = append(hits, Hit{d.between(), a.sentence()})
		}
	}
	for _, f := range d.Features {
		if gate.catches(f.Changes, f.Breaking, false) {
			hits = append(hits, Hit{d.between(), fmt.Sprintf("%s: %s", f.Name, words(f.Changes))})
		}
	}
	return hits
}

// Summary says in one line that the peers differ.
func (d Difference) Summary() Hit {
	if len(d.APIs)+len(d.Features) == 0 {
		return Hit{d.between(), kindsDiffer}
	}
	breaking := 0
	for _, a := range d.APIs {
		if a.Breaking {
			breaking++
		}
	}
	return Hit{d.between(), fmt.Sprintf("%d keys (%d breaking) and %d features differ", len(d.APIs), breaking, len(d.Features))}
}

func (a APIChange) sentence() string {
	ranges := make([]string, len(a.Ranges))
	for i, r := range a.Ranges {
		ranges[i] = r.text()
	}
	text := fmt.Sprintf("%s (%d): %s: %s", a.Name, a.Key, words(a.Changes), strings.Join(ranges, " → "))
	if a.Forwarded {
		text += "; " + forwardedNote
	}
	return text
}

func words(changes []Change) string {
	s := make([]string, len(changes))
	for i, c := range changes {
		s[i] = string(c)
	}
	return strings.Join(s, ", ")
}

// between names the groups that were compared.
func (d Difference) between() string {
	names := make([]string, len(d.Groups))
	for i, g := range d.Groups {
		names[i] = Label(g.Peers[0])
	}
	return strings.Join(names, " → ")
}
