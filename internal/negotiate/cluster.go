package negotiate

// Cluster is what can be used on every broker that answered, where they
// disagree. Brokers differ during rolling upgrades, so that what one of them
// offers says nothing about the next.
type Cluster struct {
	Targets []string // the brokers that were compared
	APIs    []Joint  // the keys on which they differ, in order
}

// Joint is one key over several brokers.
type Joint struct {
	Key  int16
	Name string
	// Ranges has one entry a broker, as in Targets; nil where a broker offers
	// nothing that can be negotiated on.
	Ranges []*Range
	Common *Range // what all of them serve, nil where they have nothing in common
	Use    *int16 // the version ours would use on any of them, nil where none
}

// cluster compares the brokers that answered. Controllers among brokers are
// left out: they serve other keys by design.
func cluster(brokers []Broker, ours Codec, sel Selection) *Cluster {
	var peers []*Peer
	for _, b := range brokers {
		if b.Failure == nil && b.Listener != ControllerListener {
			peers = append(peers, b.Peer)
		}
	}
	if len(peers) < 2 {
		return nil
	}
	c := &Cluster{}
	var all Peer
	for _, p := range peers {
		c.Targets = append(c.Targets, p.Target)
		all.Rows = append(all.Rows, p.Rows...)
	}
	all.Rows = Tidy(all.Rows)
	for _, key := range all.Keys() {
		if j := joint(peers, ours, key); sel.wants(key) && j.differs() {
			c.APIs = append(c.APIs, j)
		}
	}
	return c
}

func joint(peers []*Peer, ours Codec, key int16) Joint {
	j := Joint{Key: key, Name: Name(key)}
	for i, p := range peers {
		r, ok := p.Usable(key)
		if !ok {
			j.Ranges, j.Common = append(j.Ranges, nil), nil
			continue
		}
		j.Ranges = append(j.Ranges, &r)
		switch both, ok := r, true; {
		case i == 0:
			j.Common = &both
		case j.Common != nil:
			if both, ok = j.Common.Overlap(r); ok {
				j.Common = &both
			} else {
				j.Common = nil
			}
		}
	}
	if o := ours.Range(key); o != nil && j.Common != nil {
		if v, ok := j.Common.Highest(*o); ok {
			j.Use = &v
		}
	}
	return j
}

func (j Joint) differs() bool {
	for _, r := range j.Ranges[1:] {
		if !equal(r, j.Ranges[0]) {
			return true
		}
	}
	return false
}
