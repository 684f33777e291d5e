package negotiate

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
		if (Selection{States: states}).shows(v.State) {
			rows = append(rows, v)
		}
	}
	return rows
}

// Offered returns how many of the selected keys the peer offers.
func (b Broker) Offered() int {
	n, last := 0, int32(-1<<31)
	for _, v := range b.judged {
		if v.Theirs != nil && int32(v.Key) != last {
			n, last = n+1, int32(v.Key)
		}
	}
	return n
}
