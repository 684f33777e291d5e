package negotiate

import "slices"

// Clamped returns the rows on which the peer is ahead and ours binds: they
// work today, at our maximum. OutOfReach returns those that cannot be called
// until ours moves: keys without a schema, and keys whose minimum is above our
// maximum. Both look at all that the selection's APIs cover.
func (b Broker) Clamped() []Verdict { return b.inState(Ahead) }

// OutOfReach is described at Clamped.
func (b Broker) OutOfReach() []Verdict { return b.inState(Unknown, TooNew) }

func (b Broker) inState(states ...State) []Verdict {
	var rows []Verdict
	for _, v := range b.judged {
		if slices.Contains(states, v.State) {
			rows = append(rows, v)
		}
	}
	return rows
}

// Offered returns how many of the selected keys the peer offers.
func (b Broker) Offered() int {
	n := 0
	for i, v := range b.judged {
		if v.Theirs != nil && (i == 0 || v.Key != b.judged[i-1].Key) {
			n++
		}
	}
	return n
}
