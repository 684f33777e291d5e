package negotiate

import (
	"slices"
	"strings"
	"testing"
)

// keysOfChanges are the keys that differ.
func keysOfChanges(d Difference) []int16 {
	var keys []int16
	for _, a := range d.APIs {
		keys = append(keys, a.Key)
	}
	return keys
}

func TestDifferentKindsOfListener(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		left  string // the note on what is left out
		kinds string
	}{
		{"3.9-zookeeper", "3.9-kraft", "13 keys", "A is a ZooKeeper broker, B is a KRaft broker"},
		{"4.4-kraft", "4.4-controller", "59 keys", "A is a KRaft broker, B is a KRaft controller"},
		{"4.4-controller", "4.4-kraft", "59 keys", "A is a KRaft controller, B is a KRaft broker"},
	} {
		d := Diff([]*Peer{peerOf("a", column(t, c.a)), peerOf("b", column(t, c.b))}, Selection{})
		if !d.KindsDiffer || !d.Differs() || len(d.APIs) != 0 {
			t.Errorf("%s and %s: keys %v differ", c.a, c.b, keysOfChanges(d))
		}
		want := []string{"different kinds of listener: " + c.kinds, c.left + " that only one of these kinds of listener offers are left out"}
		if len(d.Notes) < 2 || !slices.Equal(d.Notes[:2], want) {
			t.Errorf("%s and %s: notes %q", c.a, c.b, d.Notes)
		}
	}
}

// What both kinds have differs as between any two, and a key that is gone
// though its kind has it is a removal.
func TestKindsDoNotHideRealDifferences(t *testing.T) {
	zk := peerOf("a", column(t, "3.9-zookeeper"))
	kraft := peerOf("b", with(without(column(t, "3.9-kraft"), 22), rowsOf(t, "1:4-17")))
	d := Diff([]*Peer{zk, kraft}, Selection{})
	if !slices.Equal(keysOfChanges(d), []int16{1, 22}) || !d.APIs[0].Breaking || d.APIs[1].Changes[0] != Removed {
		t.Errorf("%+v", d.APIs)
	}
}

// TestThreeKinds includes two brokers of one kind that disagree on a key which
// the third kind never has, and the kinds of the second and third group.
func TestThreeKinds(t *testing.T) {
	unknown := peer(t, "proxy", "0:0-13 18:0-4")
	kraft, zk := peerOf("kraft", column(t, "4.4-kraft")), peerOf("zk", column(t, "3.9-zookeeper"))
	if d := Diff([]*Peer{unknown, kraft}, Selection{}); d.KindsDiffer {
		t.Error("a kind that is not known differs from one that is")
	}
	if d := Diff([]*Peer{unknown, kraft, zk}, Selection{}); !d.KindsDiffer {
		t.Error("the second and the third differ in kind")
	}
	older := peerOf("older", with(column(t, "4.4-kraft"), rowsOf(t, "88:0-0")))
	d := Diff([]*Peer{kraft, older, zk}, Selection{})
	if !slices.Contains(keysOfChanges(d), 88) {
		t.Error("StreamsGroupHeartbeat differs between two brokers of one kind")
	}
	if slices.Contains(keysOfChanges(d), 4) || slices.Contains(keysOfChanges(d), 93) {
		t.Errorf("keys of one kind are listed: %v", keysOfChanges(d))
	}
}

// TestNamedKeysOfDifferentKinds compares what the user named, and nothing else.
func TestNamedKeysOfDifferentKinds(t *testing.T) {
	zk, kraft := peerOf("a", column(t, "3.9-zookeeper")), peerOf("b", column(t, "3.9-kraft"))
	d := Diff([]*Peer{zk, kraft}, Selection{APIs: []int16{0, 3, 4, 55}})
	if !slices.Equal(keysOfChanges(d), []int16{4, 55}) {
		t.Errorf("keys %v", keysOfChanges(d))
	}
	same := Diff([]*Peer{zk, kraft}, Selection{APIs: []int16{0, 3}})
	if same.Differs() || !same.KindsDiffer || len(same.Hits(ChangeGate{GateAny})) != 0 {
		t.Errorf("nothing that was named differs: %+v", same)
	}
}

// TestNamedKeysMakeTheGroups puts peers together that agree on what was named.
func TestNamedKeysMakeTheGroups(t *testing.T) {
	a := featured(peer(t, "a", "0:0-13 3:0-13 55:0-2"), 4, feature("metadata.version", 7, 27, 27))
	b := featured(peer(t, "b", "0:0-13 3:0-12 55:0-2"), 4, feature("metadata.version", 7, 27, 26))
	if d := Diff([]*Peer{a, b}, Selection{APIs: []int16{0}}); len(d.Groups) != 1 || d.Differs() {
		t.Errorf("%+v", d)
	}
	if d := Diff([]*Peer{a, b}, Selection{APIs: []int16{3}}); len(d.Groups) != 2 || len(d.APIs) != 1 || len(d.Features) != 0 {
		t.Errorf("%+v", d)
	}
}

func TestNotesOnWhatDiffers(t *testing.T) {
	unstable := func(p *Peer) *Peer { return featured(p, 4, feature("metadata.version", 7, 27, 27)) }
	for _, c := range []struct {
		name string
		a, b *Peer
		key  int16
		want string
	}{
		{"Produce of 4.x", peer(t, "a", "0:0-11 55:0-0"), peer(t, "b", "0:0-13 55:0-0"), 0, "0-2 are advertised but dropped"},
		{"said once", peer(t, "a", "0:0-12 55:0-0"), peer(t, "b", "0:0-13 55:0-0"), 0, "0-2 are advertised but dropped"},
		{"a minimum that 4.0 raised", peer(t, "a", "0:0-1 1:0-17 55:0-0"), peer(t, "b", "0:0-1 1:4-17 55:0-0"), 1, "Kafka 4.0 dropped older versions (KIP-896)"},
		{"another minimum", peer(t, "a", "0:0-1 1:0-17 55:0-0"), peer(t, "b", "0:0-1 1:5-17 55:0-0"), 1, ""},
		{"the way back", peer(t, "a", "0:0-1 1:4-17 55:0-0"), peer(t, "b", "0:0-1 1:0-17 55:0-0"), 1, ""},
		{"the same minimum of a service", peer(t, "a", "0:0-1 1:0-17 55:0-0"), peer(t, "b", "0:0-1 1:4-6"), 1, ""},
		{"unstable", peer(t, "a", "0:0-1 22:0-5 55:0-0"), peer(t, "b", "0:0-1 22:0-6 55:0-0"), 22, "6 is unstable"},
		{"unstable by the level", unstable(peer(t, "a", "0:0-1 8:2-9 55:0-0")), unstable(peer(t, "b", "0:0-1 8:2-10 55:0-0")), 8, "10 is unstable before 4.2"},
		{"forwarded", peer(t, "a", "0:0-1 19:2-7 55:0-0"), peer(t, "b", "0:0-1 19:2-6 55:0-0"), 19, "depends on the active controller"},
		{"forwarded by one side", peer(t, "a", "0:0-1 4:0-7 19:2-7"), peer(t, "b", "0:0-1 19:2-6 55:0-0"), 19, "depends on the active controller"},
		{"forwarded by the baseline", peer(t, "a", "0:0-1 19:2-6 55:0-0"), peer(t, "b", "0:0-1 4:0-7 19:2-7"), 19, "depends on the active controller"},
		{"forwarded by none", peer(t, "a", "0:0-1 4:0-7 19:2-7"), peer(t, "b", "0:0-1 4:0-7 19:2-6"), 19, ""},
		{"telemetry", peer(t, "a", "0:0-1 55:0-0 71:0-0"), peer(t, "b", "0:0-1 55:0-0"), 71, "only with a telemetry receiver configured"},
		{"transactions", peer(t, "a", "0:0-1 4:0-0 24:0-0 29:0-0"), peer(t, "b", "0:0-1 4:0-0 29:0-0"), 24, "hidden while inter.broker.protocol.version is below 0.11"},
	} {
		d := Diff([]*Peer{c.a, c.b}, Selection{})
		i := slices.IndexFunc(d.APIs, func(a APIChange) bool { return a.Key == c.key })
		if i < 0 {
			t.Errorf("%s: keys %v differ", c.name, keysOfChanges(d))
			continue
		}
		wantText(t, c.name, strings.Join(d.APIs[i].Notes, "; "), c.want)
	}
}

func TestLabelTellsARecordingFromAnAnswer(t *testing.T) {
	if got := Label(&Peer{Target: "b:9092"}); got != "b:9092" {
		t.Error(got)
	}
	if got := Label(&Peer{Target: "b:9092", Source: "tuesday.json"}); got != "b:9092 (tuesday.json)" {
		t.Error(got)
	}
}
