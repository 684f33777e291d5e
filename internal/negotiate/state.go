package negotiate

import "fmt"

// State is what can be said of one key between a peer and ours. The words are
// one vocabulary in tables, JSON, gates and documentation.
type State string

// The states. B is the peer's range, O is ours.
const (
	Same    State = "same"    // usable, B.max = O.max
	Behind  State = "behind"  // usable, B.max < O.max: the peer is older
	Ahead   State = "ahead"   // usable, B.max > O.max: ours binds, works today
	Unknown State = "unknown" // B known, O none: no schema for this key
	TooNew  State = "too-new" // B.min > O.max: every call fails, the client has to move
	TooOld  State = "too-old" // B.max < O.min: every call fails, the peer has to move
	Missing State = "missing" // B none though this kind of listener, or --api, wants it
	Absent  State = "absent"  // B none, and not expected on this kind of listener
	Invalid State = "invalid" // the row contradicts itself; nothing is negotiated on it
)

// States returns every state in the order in which they are counted and shown.
func States() []State {
	return []State{Same, Behind, Ahead, Unknown, TooNew, TooOld, Missing, Invalid, Absent}
}

// Unsupported reports whether no call can succeed that needs this key: the
// shorthand "unsupported" of gates.
func (s State) Unsupported() bool {
	return s == TooNew || s == TooOld || s == Missing || s == Invalid
}

// Remedy says in a few words what to do about a state, "" where nothing is.
func (s State) Remedy() string {
	switch s {
	case Ahead:
		return "works at our maximum; a newer codec reaches the rest"
	case Unknown:
		return "cannot be called; needs a codec that knows the key"
	case TooNew:
		return "every call fails; the client has to be newer"
	case TooOld:
		return "every call fails; the broker has to be newer"
	case Missing:
		return "not offered; nothing to do unless you call these"
	case Invalid:
		return "the peer contradicts itself; nothing is negotiated"
	}
	return ""
}

// Side is one of the two ends of a connection, or both.
type Side string

// The sides. NoSide is for keys on which nothing is negotiated.
const (
	NoSide    Side = ""
	OursSide  Side = "ours"
	TheirSide Side = "broker"
	BothSides Side = "both"
)

// judge compares one advertised range with ours. wanted says whether a peer
// that offers nothing is missing something. The use is nil where there is no
// version in common, which cannot be mistaken for version 0.
func judge(theirs, ours *Range, wanted bool) (state State, use *int16, binds Side) {
	switch {
	case theirs == nil && wanted:
		return Missing, nil, NoSide
	case theirs == nil:
		return Absent, nil, NoSide
	case !theirs.Valid():
		return Invalid, nil, NoSide
	case ours == nil:
		return Unknown, nil, NoSide
	case theirs.Min > ours.Max:
		return TooNew, nil, NoSide
	case theirs.Max < ours.Min:
		return TooOld, nil, NoSide
	}
	v, _ := theirs.Highest(*ours)
	switch {
	case theirs.Max < ours.Max:
		return Behind, &v, TheirSide
	case theirs.Max > ours.Max:
		return Ahead, &v, OursSide
	}
	return Same, &v, BothSides
}

// Verdict is one row of a report: a key, both ranges, and what follows.
type Verdict struct {
	Key    int16
	Name   string
	Theirs *Range // as advertised, nil where the peer does not offer the key
	Times  int    // how often this row was advertised; 0 where it was not
	Ours   *Range // nil where our codec has no schema
	Use    *int16 // the negotiated version, nil where there is none
	Binds  Side   // whose maximum the negotiated version is
	State  State
	Notes  []string
}

// By returns by how many versions the peer's maximum is above ours, and false
// where there is nothing to count.
func (v Verdict) By() (int16, bool) {
	if v.Theirs == nil || v.Ours == nil || v.Theirs.Max <= v.Ours.Max {
		return 0, false
	}
	return v.Theirs.Max - v.Ours.Max, true
}

// Mismatch returns why no version can be used for this row, or nil where one
// can.
func (v Verdict) Mismatch() *MismatchError {
	if v.Use != nil {
		return nil
	}
	return &MismatchError{Key: v.Key, Name: v.Name, Theirs: v.Theirs, Ours: v.Ours, State: v.State}
}

// MismatchError is the lack of a common version for one key. It always carries
// both ranges, whichever is none, and names the side that has to move.
type MismatchError struct {
	Key          int16
	Name         string
	Theirs, Ours *Range
	State        State
}

// Move returns the side that has to change before the key can be used.
func (e *MismatchError) Move() Side {
	switch e.State {
	case TooNew, Unknown:
		return OursSide
	case Missing:
		if e.Ours == nil { // named by the user, known to neither
			return BothSides
		}
		return TheirSide
	case TooOld, Invalid:
		return TheirSide
	}
	return NoSide
}

func (e *MismatchError) Error() string {
	msg := fmt.Sprintf("%s (%d) is %s: broker %s, ours %s", e.Name, e.Key, e.State, e.Theirs.text(), e.Ours.text())
	if e.State == Invalid {
		msg += "; what the broker says of it contradicts itself"
	}
	switch e.Move() {
	case OursSide:
		msg += "; the client has to move"
	case TheirSide:
		msg += "; the broker has to move"
	case BothSides:
		msg += "; both sides have to move"
	}
	return msg
}
