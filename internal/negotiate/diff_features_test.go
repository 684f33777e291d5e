package negotiate

import (
	"fmt"
	"strings"
	"testing"
)

const aTable = "0:0-13 3:0-13 18:0-4 55:0-2"

// levelled is a feature of which only the finalized level was said, as an
// answer at ApiVersions v3 says it of those that start at 0.
func levelled(name string, level int16) Feature { return Feature{Name: name, Finalized: &level} }

// featureText is what differs about features, and the notes.
func featureText(d Difference) string {
	var lines []string
	for _, f := range d.Features {
		var sides []string
		for _, s := range f.Sides {
			if s == nil {
				sides = append(sides, "-")
				continue
			}
			sides = append(sides, s.Supported.text()+"@"+text(s.Finalized))
		}
		lines = append(lines, fmt.Sprintf("%s %s %v %v", f.Name, strings.Join(sides, " "), f.Changes, f.Breaking))
	}
	return strings.Join(append(lines, d.Notes...), "\n")
}

func TestFeaturesThatDiffer(t *testing.T) {
	at := func(target string, layout int16, features ...Feature) *Peer {
		return featured(peer(t, target, aTable), layout, features...)
	}
	noEpoch := at("b", 4, feature("m", 1, 9, 0))
	noEpoch.FinalizedEpoch = nil
	neither := at("c", 4, feature("m", 2, 9, 7))
	neither.FinalizedEpoch = nil
	none := peer(t, "old", aTable)
	none.Handshake.Layout = ptr(int16(2))
	release := peer(t, "release", aTable)
	release.Handshake = Handshake{}
	zk, migrating := peer(t, "zk", "0:0-13 3:0-13 4:0-7"), peer(t, "zk", "0:0-13 3:0-13 4:0-7")
	featured(zk, 3)
	featured(migrating, 3, feature("m", 1, 9, 0))

	for _, c := range []struct {
		name  string
		peers []*Peer
		want  string
	}{
		{"both ends of what is supported", []*Peer{at("a", 4, feature("m", 1, 9, 5)), at("b", 4, feature("m", 2, 8, 5))}, "m 1-9@5 2-8@5 [min-raised max-lowered] true"},
		{"the level alone", []*Peer{at("a", 4, feature("m", 1, 9, 5)), at("b", 4, feature("m", 1, 9, 6))}, "m 1-9@5 1-9@6 [finalized-raised] false"},
		{"the level back", []*Peer{at("a", 4, feature("m", 1, 9, 6)), at("b", 4, feature("m", 1, 9, 5))}, "m 1-9@6 1-9@5 [finalized-lowered] false"},
		{"a new feature, in use", []*Peer{at("a", 4), at("b", 4, feature("m", 1, 9, 5))}, "m - 1-9@5 [added] false"},
		{"a feature gone", []*Peer{at("a", 4, feature("m", 1, 9, 5)), at("b", 4)}, "m 1-9@5 - [removed] true"},
		{"by name", []*Peer{at("a", 4), at("b", 4, feature("z", 1, 1, 0), feature("a", 1, 1, 0))}, "a - 1-1@0 [added] false\nz - 1-1@0 [added] false"},
		{"hidden at v3", []*Peer{at("a", 4, feature("s", 0, 1, 1)), at("b", 3, levelled("s", 1))},
			"features that B could not report at ApiVersions v3 are not compared: s"},
		{"hidden at v3, baseline", []*Peer{at("a", 3), at("b", 4, feature("s", 0, 1, 0), feature("q", 0, 1, 0))},
			"features that A could not report at ApiVersions v3 are not compared: q, s"},
		{"hidden from two", []*Peer{at("a", 3), at("b", 4, feature("s", 0, 1, 0)), at("c", 4, feature("s", 0, 2, 0))},
			"features that A could not report at ApiVersions v3 are not compared: s"},
		{"a level that v3 does not hide", []*Peer{at("a", 3, levelled("s", 1)), at("b", 4, feature("s", 0, 2, 2))},
			"s none@1 0-2@2 [finalized-raised] false\nfeatures that A could not report at ApiVersions v3 are not compared: s"},
		{"levels at v3 on both sides", []*Peer{at("a", 3, levelled("s", 1)), at("b", 3)}, "s none@1 - [finalized-lowered] false"},
		{"not hidden at v3: starts at 1", []*Peer{at("a", 4, feature("m", 1, 9, 0)), at("b", 3)}, "m 1-9@0 - [removed] true"},
		{"not hidden at v4", []*Peer{at("a", 4, feature("s", 0, 1, 0)), at("b", 4)}, "s 0-1@0 - [removed] true"},
		{"no room for features", []*Peer{none, at("b", 4, feature("m", 1, 9, 5))}, "features are not compared: A could not report them at ApiVersions v2"},
		{"no room on the other side", []*Peer{at("a", 4, feature("m", 1, 9, 5)), none}, "features are not compared with B: it could not report them at ApiVersions v2"},
		{"a release without features", []*Peer{release, at("b", 4, feature("m", 1, 9, 5))}, "features are not compared: A did not report them"},
		{"one of three has no room", []*Peer{at("a", 4, feature("m", 1, 9, 5)), none, at("c", 4, feature("m", 1, 9, 6))},
			"m 1-9@5 - 1-9@6 [finalized-raised] false\nfeatures are not compared with B: it could not report them at ApiVersions v2"},
		{"levels that one side does not know", []*Peer{at("a", 4, feature("m", 1, 9, 5)), noEpoch}, "finalized levels are not compared with B, which named none"},
		{"levels that no side knows", []*Peer{noEpoch, neither}, "m 1-9@0 2-9@7 [min-raised] true"},
		{"ZooKeeper beside KRaft", []*Peer{zk, at("b", 4, feature("m", 1, 9, 5))},
			"different kinds of listener: A is a ZooKeeper broker, B is a KRaft broker\n" +
				"2 keys that only one of these kinds of listener offers are left out\n" +
				"features are not compared: A is a ZooKeeper broker, which has none"},
		{"migrating beside KRaft", []*Peer{migrating, at("b", 4, feature("m", 1, 9, 9))},
			"m 1-9@0 1-9@9 [finalized-raised] false\n" +
				"different kinds of listener: A is a ZooKeeper broker, B is a KRaft broker\n" +
				"2 keys that only one of these kinds of listener offers are left out"},
		{"ZooKeeper before and in migration", []*Peer{zk, migrating}, "m - 1-9@0 [added] false"},
	} {
		wantText(t, c.name, featureText(Diff(c.peers, Selection{})), c.want)
	}
}

// TestEpochsAreNeverADifference holds for every pair of epochs: the epoch is
// an offset that a node has reached.
func TestEpochsAreNeverADifference(t *testing.T) {
	for _, e := range []int64{0, 7, 1 << 40} {
		a := featured(peer(t, "a", aTable), 4, feature("m", 1, 9, 5))
		b := featured(peer(t, "b", aTable), 4, feature("m", 1, 9, 5))
		*b.FinalizedEpoch = e
		if d := Diff([]*Peer{a, b}, Selection{}); d.Differs() || len(d.Groups) != 1 || len(d.Notes) > 0 {
			t.Errorf("epoch %d: %+v", e, d)
		}
	}
}

// TestRecordedAnswersOfOneNodeDoNotDiffer compares what each real listener
// answered at v3 and at v4.
func TestRecordedAnswersOfOneNodeDoNotDiffer(t *testing.T) {
	answers := make(map[string][]*Peer)
	for _, r := range recordedFrames(t) {
		node := r.release + "-" + r.kind
		answers[node] = append(answers[node], r.peer())
	}
	several := 0
	for node, peers := range answers {
		for _, a := range peers {
			for _, b := range peers {
				several++
				if d := Diff([]*Peer{a, b}, Selection{}); d.Differs() {
					t.Errorf("%s: %s differs from %s: %s %v", node, a.Target, b.Target, featureText(d), keysOfChanges(d))
				}
			}
		}
	}
	if several < 50 {
		t.Errorf("only %d pairs compared", several)
	}
}
