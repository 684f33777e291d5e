package snapshot_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kver-cli/kver/internal/negotiate"
	"github.com/kver-cli/kver/internal/snapshot"
)

// checkLaw checks that a document, read and negotiated again, is written again
// byte for byte.
func checkLaw(t *testing.T, doc []byte) {
	t.Helper()
	d, err := snapshot.Read(bytes.NewReader(doc), "doc")
	if err != nil {
		t.Fatalf("%v\n%s", err, doc)
	}
	if again := versions(t, negotiate.Selection{APIs: d.APIs}, d.Peers...); !bytes.Equal(again, doc) {
		t.Errorf("written again it is another document:\n%s", firstDifference(again, doc))
	}
}

func TestWrittenAgainByteForByte(t *testing.T) {
	kraft, zk, odd, failed := kraftPeer("b1:9092"), zooKeeperPeer("b2:9092"), oddPeer("b3:9092"), failedPeer("b4:9092")
	noFeatures := kraftPeer("b5:9092")
	noFeatures.Features = []negotiate.Feature{}
	lists := map[string][]*negotiate.Peer{
		"kraft":       {kraft},
		"zookeeper":   {zk},
		"odd":         {odd},
		"recorded":    {recordedPeer("kafka@4.1")},
		"failed":      {failed},
		"no features": {noFeatures},
		"all":         {failed, kraft, zk, odd, kraft, noFeatures},
	}
	selections := map[string][]int16{
		"every key":   nil,
		"no key":      {},
		"some keys":   {3, 0, 1},
		"unknown key": {10000, -3, 93},
		"twice":       {1, 1, 0},
		// What is said of these rests on other keys, which are left out.
		"gaps": {71, 72, 24, 25, 26, 27, 28},
	}
	for name, peers := range lists {
		for what, apis := range selections {
			t.Run(name+"/"+what, func(t *testing.T) {
				checkLaw(t, versions(t, negotiate.Selection{APIs: apis}, peers...))
			})
		}
	}
}

func TestWrittenAgainWhateverPeersSay(t *testing.T) {
	for seed := range uint64(400) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			var peers []*negotiate.Peer
			for range 1 + r.IntN(4) {
				peers = append(peers, anyPeer(r))
			}
			var apis []int16
			if r.IntN(2) == 0 {
				apis = []int16{}
				for range r.IntN(8) {
					apis = append(apis, anyKey(r))
				}
			}
			checkLaw(t, versions(t, negotiate.Selection{APIs: apis}, peers...))
		})
	}
}

// The peers that are read are the ones that were written, but for what a
// document leaves out.
func TestFactsComeBack(t *testing.T) {
	odd := oddPeer("odd:9092")
	odd.Features[0].Name = "broken"
	for _, p := range []*negotiate.Peer{kraftPeer("b1:9092"), zooKeeperPeer("b1:9092"), failedPeer("b1:9092"), odd} {
		d, err := snapshot.Read(bytes.NewReader(versions(t, negotiate.Selection{}, p)), "monday.json")
		if err != nil {
			t.Fatal(err)
		}
		want := *p
		want.Source = "monday.json"
		if p.Failure != nil {
			f := *p.Failure
			f.Micros = 0
			want.Failure = &f
		}
		if got := show(d.Peers[0]); d.APIs != nil || len(d.Peers) != 1 || got != show(&want) {
			t.Errorf("got  %s\nwant %s", got, show(&want))
		}
	}
}

// show writes all that is in a peer, with pointers followed.
func show(p *negotiate.Peer) string {
	q := *p
	q.NodeID, q.Rack, q.FinalizedEpoch, q.Features, q.Failure = nil, nil, nil, nil, nil
	q.Handshake.Version, q.Handshake.Layout = nil, nil
	s := fmt.Sprintf("%+v %v", q, p.Features == nil)
	for _, part := range []any{deref(p.NodeID), deref(p.Rack), deref(p.FinalizedEpoch), deref(p.Failure), deref(p.Handshake.Version), deref(p.Handshake.Layout)} {
		s += fmt.Sprintf(" %#v", part)
	}
	for _, f := range p.Features {
		s += fmt.Sprintf(" %q %v %v", f.Name, deref(f.Supported), deref(f.Finalized))
	}
	return s
}

func deref[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

// A failure leaves no table, even where a peer was given parts of one.
func TestNoTableBesideAnError(t *testing.T) {
	p := kraftPeer("b:9092")
	p.Failure = failedPeer("b:9092").Failure
	checkLaw(t, versions(t, negotiate.Selection{}, p))
}

// The kind of listener is taken as recorded: a document narrowed to some keys
// does not tell it any more.
func TestKindAsRecorded(t *testing.T) {
	doc := versions(t, negotiate.Selection{APIs: []int16{18}}, kraftPeer("broker:9092"))
	d, err := snapshot.Read(bytes.NewReader(doc), "doc")
	if err != nil {
		t.Fatal(err)
	}
	p := d.Peers[0]
	if p.Listener != negotiate.BrokerListener || p.Mode != negotiate.KRaft {
		t.Errorf("read as %q, %q", p.Listener, p.Mode)
	}
	if l, _ := negotiate.Classify(p.Rows); l != "" {
		t.Errorf("the rows still tell the kind, %s: this test says nothing", l)
	}
	if !slices.Equal(d.APIs, []int16{18}) || len(p.Rows) != 1 {
		t.Errorf("APIs %v, rows %v", d.APIs, p.Rows)
	}
}

// What follows from the facts is worked out anew: what a document says of it
// does not matter.
func TestJudgedByThisBuild(t *testing.T) {
	want := versions(t, negotiate.Selection{}, kraftPeer("b1:9092"), zooKeeperPeer("b2:9092"))
	doc := string(want)
	for _, r := range [][2]string{
		{`"v1.15.1"`, `"v0.9.0"`},
		{`"state": "same"`, `"state": "too-new"`},
		{`"name": "Produce"`, `"name": "Consume"`},
		{`"use": 13, "binds": "both"`, `"use": null, "binds": 7`},
		{`"notes": []`, `"notes": ["hello"]`},
		{`"level": "4.1-IV1"`, `"level": {"a": [1]}`},
		{`"counts": {`, `"counts": {"hello": "there", `},
	} {
		if !strings.Contains(doc, r[0]) {
			t.Fatalf("no %s in the document", r[0])
		}
		doc = strings.ReplaceAll(doc, r[0], r[1])
	}
	d, err := snapshot.Read(strings.NewReader(doc), "doc")
	if err != nil {
		t.Fatal(err)
	}
	if got := versions(t, negotiate.Selection{}, d.Peers...); !bytes.Equal(got, want) {
		t.Error(firstDifference(got, want))
	}
}

func FuzzRead(f *testing.F) {
	// Small ones: large inputs are all mutated in the same dull places.
	for _, apis := range [][]int16{{}, {0, 1, -3}, {2, 71, 10000}} {
		for _, p := range []*negotiate.Peer{kraftPeer("b:9092"), zooKeeperPeer("b:9092"), oddPeer("b:9092"), failedPeer("b:9092")} {
			f.Add(versions(f, negotiate.Selection{APIs: apis}, p))
		}
	}
	f.Add([]byte(small))
	for _, c := range refused {
		if len(c.doc) < 1000 {
			f.Add([]byte(c.doc))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := snapshot.Read(bytes.NewReader(data), "fuzz")
		if err == nil {
			checkLaw(t, versions(t, negotiate.Selection{APIs: d.APIs}, d.Peers...))
		}
	})
}
