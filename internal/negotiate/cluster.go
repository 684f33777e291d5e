package negotiate

import (
	"math"
	"slices"
)

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
// left out: they serve other keys by design. A quorum by itself is compared.
func cluster(brokers []Broker, ours Codec, sel Selection) *Cluster {
	var peers, controllers []*Peer
	for _, b := range brokers {
		switch {
		case b.Failure != nil:
		case b.Listener == ControllerListener:
			controllers = append(controllers, b.Peer)
		default:
			peers = append(peers, b.Peer)
		}
	}
	if len(peers) == 0 {
		peers = controllers
	}
	if len(peers) < 2 {
		return nil
	}
	c := &Cluster{}
	for _, p := range peers {
		c.Targets = append(c.Targets, p.Target)
	}
	for _, key := range keysOf(peers) {
		if sel.wants(key) && !agree(peers, key) {
			c.APIs = append(c.APIs, joint(peers, ours, key))
		}
	}
	return c
}

// keysOf returns the distinct keys that any of the peers advertised, in order.
func keysOf(peers []*Peer) []int16 {
	var keys []int16
	for _, p := range peers {
		keys = append(keys, p.Keys()...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// agree reports whether all peers can be held to the same range for a key.
func agree(peers []*Peer, key int16) bool {
	first := peers[0].usable(key)
	return !slices.ContainsFunc(peers, func(p *Peer) bool { return !equal(first, p.usable(key)) })
}

func joint(peers []*Peer, ours Codec, key int16) Joint {
	j := Joint{Key: key, Name: Name(key), Ranges: make([]*Range, len(peers))}
	common, ok := Range{0, math.MaxInt16}, true
	for i, p := range peers {
		j.Ranges[i] = p.usable(key)
		switch {
		case j.Ranges[i] == nil:
			ok = false
		case ok:
			common, ok = common.Overlap(*j.Ranges[i])
		}
	}
	if !ok {
		return j
	}
	j.Common = &common
	if o := ours.Range(key); o != nil {
		if v, ok := common.Highest(*o); ok {
			j.Use = &v
		}
	}
	return j
}
