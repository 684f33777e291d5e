package negotiate

import (
	"slices"
	"strings"
	"testing"
)

// TestRaisedMinimumsAreThoseOfTheTables takes what Apache Kafka 4.0.0 raised
// from the tables of 3.9 and 4.0.0.
func TestRaisedMinimumsAreThoseOfTheTables(t *testing.T) {
	before, after := &Peer{Rows: column(t, "3.9-kraft")}, &Peer{Rows: column(t, "4.0.0-kraft")}
	found := map[int16]int16{56: 2} // AlterPartition, on controllers only
	for _, row := range after.Rows {
		if old, ok := before.Usable(row.Key); ok && row.Min > old.Min {
			found[row.Key] = row.Min
		}
	}
	for _, row := range parseTable(t) {
		if found[row.key] != raised[row.key] {
			t.Errorf("%s (%d): raised to %d, the code says %d", row.name, row.key, found[row.key], raised[row.key])
		}
	}
	if controller := (&Peer{Rows: column(t, "4.4-controller")}); controller.usable(56).Min != raised[56] {
		t.Errorf("controllers serve AlterPartition from %d", controller.usable(56).Min)
	}
}

func TestJoinGroupCameBack(t *testing.T) {
	a, b := peerOf("a", column(t, "3.9-kraft")), peerOf("b", column(t, "4.0.0-kraft"))
	d := Diff([]*Peer{a, b}, Selection{APIs: []int16{11}})
	wantText(t, "JoinGroup", strings.Join(d.APIs[0].Notes, ";"), "4.0.0 only: 4.0.1 serves 0-1 again (KAFKA-19444)")
}

// TestForwardedKeysAreOffered holds the list against the tables: a broker can
// only forward what both it and a controller offer.
func TestForwardedKeysAreOffered(t *testing.T) {
	kraft, controller := &Peer{Rows: column(t, "4.4-kraft")}, &Peer{Rows: column(t, "4.4-controller")}
	for _, key := range forwarded {
		if !controller.Offers(key) || !kraft.Offers(key) && key != 67 { // 67 is for brokers among themselves
			t.Errorf("%s (%d) is forwarded, and not offered by both", Name(key), key)
		}
	}
	if !slices.IsSorted(forwarded) {
		t.Error("not in order")
	}
	for _, key := range []int16{29, 41, 50} { // reads that brokers answer themselves
		if peerOf("b", column(t, "4.4-kraft")).Forwards(key) {
			t.Errorf("%s (%d) is not forwarded", Name(key), key)
		}
	}
}

// TestNotesOnRows has each note once where it applies and once where it does
// not.
func TestNotesOnRows(t *testing.T) {
	kraft := func(rows string, level int16) *Peer {
		p := peer(t, "b", "3:0-1 55:0-2 "+rows)
		if level > 0 {
			featured(p, 4, feature("metadata.version", 7, level, 7))
		}
		return p
	}
	controller := peer(t, "c", "1:4-18 52:0-2 20:0-4")
	zk := func(rows string) *Peer { return peer(t, "b", "3:0-1 4:0-7 "+rows) }
	const telemetryNote, hiddenNote = "only with a telemetry receiver configured", "hidden while inter.broker.protocol.version is below 0.11"
	for _, c := range []struct {
		name string
		p    *Peer
		key  int16
		want string
	}{
		{"Produce of 4.0", kraft("0:0-12", 0), 0, "0-2 are advertised but dropped"},
		{"Produce of 3.9", kraft("0:0-11", 0), 0, ""},
		{"Produce from 3", kraft("0:3-13", 0), 0, ""},
		{"InitProducerId 6", kraft("22:0-6", 0), 22, "6 is unstable"},
		{"InitProducerId 5", kraft("22:0-5", 0), 22, ""},
		{"share groups before 4.1", kraft("76:0-0", 25), 76, "0 is unstable, never in a stable release"},
		{"share groups since 4.1", kraft("76:1-1", 27), 76, ""},
		{"streams groups of 4.1", kraft("88:0-0", 27), 88, "unstable before 4.2"},
		{"streams groups of 4.2", kraft("88:0-0", 28), 88, ""},
		{"streams groups of nobody knows", kraft("88:0-0", 0), 88, ""},
		{"topic ids of 4.1", kraft("9:1-10", 27), 9, "10 is unstable before 4.2"},
		{"topic ids of 4.2", kraft("9:1-10", 29), 9, ""},
		{"no topic ids in 4.1", kraft("9:1-9", 27), 9, ""},
		{"no telemetry", kraft("", 0), 72, telemetryNote},
		{"no telemetry on ZooKeeper", zk(""), 72, ""},
		{"no telemetry on a controller", controller, 72, ""},
		{"transactions hidden", zk("29:0-0"), 24, hiddenNote},
		{"older than transactions", zk(""), 24, ""},
		{"transactions hidden from KRaft", kraft("29:0-0", 0), 24, ""},
		{"behind under an older controller", kraft("19:2-6", 0), 19, "depends on the active controller"},
		{"same as ours", kraft("19:2-7", 0), 19, ""},
		{"missing under an older controller", kraft("", 0), 94, "depends on the active controller"},
		{"absent, and forwarded among brokers only", kraft("", 0), 67, ""},
		{"behind on ZooKeeper", zk("19:2-6"), 19, ""},
		{"behind on a controller", controller, 20, ""},
		{"behind on a key of its own", kraft("1:0-1", 0), 1, ""},
	} {
		b := judged(c.p, Kmsg(), Selection{})
		i := slices.IndexFunc(b.APIs, func(v Verdict) bool { return v.Key == c.key })
		wantText(t, c.name, strings.Join(b.APIs[i].Notes, "; "), c.want)
	}
}

// TestNotesRestOnWhatWasSelected gives the same notes to a document of the
// selected keys, which does not have the others.
func TestNotesRestOnWhatWasSelected(t *testing.T) {
	rows := rowsOf(t, "3:0-1 4:0-7 29:0-0")
	for _, c := range []struct {
		apis []int16
		want int
	}{{[]int16{24}, 0}, {[]int16{24, 29}, 1}} {
		whole, part := peerOf("b", rows), peerOf("b", without(rows, 3, 4))
		part.Listener, part.Mode = whole.Listener, whole.Mode
		if len(c.apis) == 1 {
			part.Rows = nil
		}
		for _, p := range []*Peer{whole, part} {
			if notes := judged(p, Kmsg(), Selection{APIs: c.apis}).APIs[0].Notes; len(notes) != c.want {
				t.Errorf("keys %v of %d rows: notes %q", c.apis, len(p.Rows), notes)
			}
		}
	}
}

func TestEveryFactHasItsSource(t *testing.T) {
	for _, f := range rowFacts {
		if f.note == "" || f.source == "" || len(f.keys) == 0 {
			t.Errorf("%+v", f)
		}
	}
	for _, f := range gapFacts {
		if f.note == "" || f.source == "" || len(f.keys) == 0 || f.mode == "" {
			t.Errorf("%+v", f)
		}
	}
}
