package negotiate

import (
	"slices"
	"testing"
)

// few are the ranges of one key that the laws below give each broker: every
// small range, one that contradicts itself, and none.
func few() []*Range {
	all := []*Range{nil, {2, 1}}
	for lo := range int16(4) {
		for hi := lo; hi < 4; hi++ {
			all = append(all, &Range{lo, hi})
		}
	}
	return all
}

func brokersWith(ranges ...*Range) []*Peer {
	peers := make([]*Peer, len(ranges))
	for i, r := range ranges {
		peers[i] = &Peer{Target: string(rune('a' + i)), Listener: BrokerListener, Mode: KRaft}
		if r != nil {
			peers[i].Rows = []Row{{Key: 1, Range: *r, Times: 1}}
		}
	}
	return peers
}

// TestClusterServesWhatEveryBrokerServes tries every three brokers beside some
// of ours. What can be used on all of them is counted version by version.
func TestClusterServesWhatEveryBrokerServes(t *testing.T) {
	for _, o := range []Range{{0, 0}, {0, 2}, {1, 3}, {3, 3}} {
		codec := NewCodec("test", "v1", "", map[int16]Schema{1: {o, o}})
		for _, a := range few() {
			for _, b := range few() {
				for _, c := range few() {
					r := Negotiate(brokersWith(a, b, c), codec, Selection{})
					checkJoint(t, r, o, []*Range{a, b, c})
				}
			}
		}
	}
}

func checkJoint(t *testing.T, r Report, ours Range, ranges []*Range) {
	t.Helper()
	var common, use []int16
	held := make([]*Range, len(ranges))
	for i, one := range ranges {
		if one != nil && one.Valid() {
			held[i] = one
		}
	}
	for v := range int16(4) {
		if !slices.ContainsFunc(held, func(h *Range) bool { return h == nil || !h.Contains(v) }) {
			common = append(common, v)
			if ours.Contains(v) {
				use = append(use, v)
			}
		}
	}
	if equal(held[0], held[1]) && equal(held[0], held[2]) {
		if len(r.Cluster.APIs) != 0 {
			t.Errorf("%v: brokers agree and are shown", ranges)
		}
		return
	}
	if len(r.Cluster.APIs) != 1 {
		t.Fatalf("%v: brokers disagree and are not shown", ranges)
	}
	j := r.Cluster.APIs[0]
	if !slices.EqualFunc(j.Ranges, held, equal) {
		t.Errorf("%v: ranges %v", ranges, j.Ranges)
	}
	if (j.Common != nil) != (len(common) > 0) || j.Common != nil && *j.Common != (Range{common[0], common[len(common)-1]}) {
		t.Errorf("%v: common %s, want %v", ranges, text(j.Common), common)
	}
	if (j.Use != nil) != (len(use) > 0) || j.Use != nil && *j.Use != use[len(use)-1] {
		t.Errorf("%v beside %v: use %s, want the last of %v", ranges, ours, text(j.Use), use)
	}
	for i, b := range r.Brokers {
		v := b.APIs[slices.IndexFunc(b.APIs, func(v Verdict) bool { return v.Key == 1 })]
		if j.Use != nil && (v.Use == nil || *j.Use > *v.Use || !held[i].Contains(*j.Use)) {
			t.Errorf("%v: the cluster uses %d, broker %d %s", ranges, *j.Use, i, text(v.Use))
		}
	}
}

func TestClusterDoesNotDependOnTheOrderOfBrokers(t *testing.T) {
	codec := NewCodec("test", "v1", "", map[int16]Schema{1: {Range{0, 2}, Range{0, 2}}})
	for _, a := range few() {
		for _, b := range few() {
			for _, c := range few() {
				want := Negotiate(brokersWith(a, b, c), codec, Selection{}).Cluster.APIs
				for _, order := range [][]*Range{{a, c, b}, {b, a, c}, {b, c, a}, {c, a, b}, {c, b, a}} {
					got := Negotiate(brokersWith(order...), codec, Selection{}).Cluster.APIs
					if !slices.EqualFunc(got, want, func(j, k Joint) bool { return equal(j.Common, k.Common) && equal(j.Use, k.Use) }) {
						t.Errorf("%v gives %+v, %v gives %+v", order, got, []*Range{a, b, c}, want)
					}
				}
			}
		}
	}
}

func TestClusterLeavesOutControllersAndFailures(t *testing.T) {
	a, b := peer(t, "a", "0:0-7 3:0-8"), peer(t, "b", "0:0-11 3:0-8 9999:0-1")
	controller := peer(t, "c", "1:0-1 52:0-0")
	down := &Peer{Target: "down", Failure: &Failure{}}
	r := Negotiate([]*Peer{controller, a, down, b}, Kmsg(), Selection{})
	if !slices.Equal(r.Cluster.Targets, []string{"a", "b"}) || len(r.Cluster.APIs) != 2 {
		t.Fatalf("cluster %+v", r.Cluster)
	}
	produce, vendor := r.Cluster.APIs[0], r.Cluster.APIs[1]
	if produce.Name != "Produce" || *produce.Use != 7 {
		t.Errorf("%+v", produce)
	}
	if vendor.Name != "Unknown(9999)" || vendor.Common != nil || vendor.Use != nil || vendor.Ranges[0] != nil {
		t.Errorf("%+v", vendor)
	}
	if named := Negotiate([]*Peer{a, b}, Kmsg(), Selection{APIs: []int16{3, 9999}}); len(named.Cluster.APIs) != 1 {
		t.Errorf("keys 3 and 9999 are named: %+v", named.Cluster.APIs)
	}
	if one := Negotiate([]*Peer{a, controller, down}, Kmsg(), Selection{}); one.Cluster != nil {
		t.Errorf("one broker answered: %+v", one.Cluster)
	}
}

// A quorum by itself is a cluster like any other.
func TestClusterOfControllers(t *testing.T) {
	c, d := peer(t, "c", "1:0-1 52:0-0"), peer(t, "d", "1:0-1 52:0-2")
	r := Negotiate([]*Peer{c, d}, Kmsg(), Selection{})
	if r.Cluster == nil || len(r.Cluster.APIs) != 1 || r.Cluster.APIs[0].Key != 52 || *r.Cluster.APIs[0].Use != 0 {
		t.Errorf("%+v", r.Cluster)
	}
}

// A key that all brokers serve in common and ours has no schema for cannot be
// used.
func TestClusterOfAKeyWithoutSchema(t *testing.T) {
	r := Negotiate([]*Peer{peer(t, "a", "0:0-1 500:0-3"), peer(t, "b", "0:0-1 500:1-5")}, Kmsg(), Selection{})
	if j := r.Cluster.APIs[0]; j.Use != nil || *j.Common != (Range{1, 3}) {
		t.Errorf("%+v", j)
	}
}
