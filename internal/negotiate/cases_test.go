package negotiate

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Tables of services that are no release of Apache Kafka.
const (
	eventHubs = "0:0-7 1:4-6 2:0-8 3:0-5 8:0-8 9:0-8 10:0-4 11:0-9 12:0-4 13:0-5 17:0-1 18:0-3"
	redpanda  = "0:0-7 1:4-11 2:0-4 3:0-8 8:1-8 9:1-7 10:0-3 11:0-6 12:0-4 13:0-4 14:0-4 15:0-4 16:0-4 17:0-1 18:0-3 " +
		"19:0-6 20:0-4 21:0-2 22:0-3 23:0-3 24:0-1 25:0-1 26:0-1 28:0-3 29:0-1 30:0-1 31:0-1 32:0-4 33:0-1 35:0-2 36:0-2 " +
		"37:0-3 42:0-2 43:0-2 44:0-1 45:0-0 46:0-0 47:0-0 48:0-0 49:0-0 61:0-0 65:0-0 66:0-0"
)

// TestB21: clients asked whether one particular version is in the range, and
// switched features off when Kafka 4.0 raised minimums; only the overlap counts.
func TestB21(t *testing.T) {
	for _, c := range []struct{ theirs, ours, want string }{
		{"11:2-9", "11:0-9", "JoinGroup 2-9 0-9 9 same"},
		{"11:2-9", "11:0-1", "JoinGroup 2-9 0-1 none too-new"},
		{"11:5-5", "11:5-5", "JoinGroup 5-5 5-5 5 same"},
		{"11:0-4", "11:4-9", "JoinGroup 0-4 4-9 4 behind"},
		{"11:0-4", "11:5-9", "JoinGroup 0-4 5-9 none too-old"},
	} {
		b := judged(peer(t, "b", c.theirs), codecOf(t, c.ours), Selection{})
		wantText(t, c.theirs+" beside "+c.ours, briefs(b.APIs), c.want)
	}
}

// TestB23: Kafka 4.x advertises Produce from 0 though it drops 0-2, so that old
// clients keep compressing; the number stays as it came and a note says so.
func TestB23(t *testing.T) {
	b := judged(peer(t, "b", "0:0-13 3:0-13"), Kmsg(), Selection{APIs: []int16{0, 3}})
	wantText(t, "verdicts", briefs(b.APIs), `
Produce 0-13 0-13 13 same: 0-2 are advertised but dropped
Metadata 0-13 0-13 13 same`)
}

// TestB25: JoinGroup 0-1 was gone in 4.0.0 and back in 4.0.1, so that the name
// of a release is no table; going back down is a widening.
func TestB25(t *testing.T) {
	patched := with(column(t, "4.0.0-kraft"), rowsOf(t, "11:0-9"))
	first, second := peerOf("4.0.0", column(t, "4.0.0-kraft")), peerOf("4.0.1", patched)
	up := Diff([]*Peer{first, second}, Selection{}).APIs
	if len(up) != 1 || up[0].Key != 11 || !slices.Equal(up[0].Changes, []Change{MinLowered}) || up[0].Breaking {
		t.Errorf("4.0.0 to 4.0.1: %+v", up)
	}
	down := Diff([]*Peer{second, first}, Selection{}).APIs
	if len(down) != 1 || !slices.Equal(down[0].Changes, []Change{MinRaised}) || !down[0].Breaking {
		t.Errorf("4.0.1 to 4.0.0: %+v", down)
	}
}

// TestB28: nobody could check beforehand whether a broker still speaks what a
// fleet of old agents does; with their versions as ours, a gate names the key,
// the need and the broker's range.
func TestB28(t *testing.T) {
	agents := codecOf(t, "0:3-3 2:0-0 3:1-1")
	r := Negotiate([]*Peer{peer(t, "b", "0:0-13 2:1-10 3:0-13")}, agents, Selection{APIs: []int16{0, 2, 3}})
	gate, err := ParseStateGate([]string{GateUnsupported})
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, "hits", reasons(r.Hits(gate)), "b: ListOffsets (2) is too-new: broker 1-10, ours 0-0; the client has to move")
}

// TestB29: a filter fell over key 10000 and a proxy dropped such keys; each
// stays, in its place, under a name of its own.
func TestB29(t *testing.T) {
	table, want := "18:0-4 3:0-13", []int16{3, 18}
	for key := 10000; key <= 10012; key++ {
		table += fmt.Sprintf(" %d:0-1", key)
		want = append(want, int16(key))
	}
	b := judged(peer(t, "b", table), Kmsg(), Selection{})
	names := make(map[string]bool)
	var offered []int16
	for _, v := range b.APIs {
		names[v.Name] = true
		if v.Theirs != nil {
			offered = append(offered, v.Key)
		}
	}
	if !slices.Equal(offered, want) || len(names) != len(b.APIs) {
		t.Errorf("keys %v, %d names for %d rows", offered, len(names), len(b.APIs))
	}
	last := b.APIs[len(b.APIs)-1]
	wantText(t, "the last", brief(last), "Unknown(10012) 0-1 none none unknown")
}

// TestB31: keys without a name were printed as a null pointer or threw in the
// printer; their one spelling is read back by every filter.
func TestB31(t *testing.T) {
	for _, word := range []string{"Unknown(93)", "93", "unknown(95)", "95", "Unknown(-2)", "-2"} {
		key, err := ParseKey(word)
		if err != nil {
			t.Errorf("%s: %v", word, err)
			continue
		}
		b := judged(peer(t, "b", "-2:0-0 0:0-1 93:0-0 95:0-2"), codecOf(t, "0:0-1"), Selection{APIs: []int16{key}})
		if len(b.APIs) != 1 || b.APIs[0].Key != key || b.APIs[0].Theirs == nil {
			t.Errorf("%s selects %s", word, briefs(b.APIs))
		}
	}
}

// TestB32: every release adds keys and raises maxima, so that a tool's own
// table is soon old; being ahead is said, exactly, and is no failure.
func TestB32(t *testing.T) {
	rows := rowsOf(t, "95:0-0 96:0-3")
	for _, r := range column(t, "4.4-kraft") {
		r.Max = Kmsg().Range(r.Key).Max + 1
		rows = append(rows, r)
	}
	r := Negotiate([]*Peer{peerOf("b", rows)}, Kmsg(), Selection{})
	b := r.Brokers[0]
	if len(b.Clamped()) != 77 || len(b.OutOfReach()) != 2 || b.Offered() != 79 {
		t.Errorf("%d clamped, %d out of reach, of %d", len(b.Clamped()), len(b.OutOfReach()), b.Offered())
	}
	for _, v := range b.Clamped() {
		if by, ok := v.By(); !ok || by != 1 || *v.Use != v.Ours.Max {
			t.Errorf("%s", brief(v))
		}
	}
	gate, err := ParseStateGate([]string{GateUnsupported})
	if err != nil || len(r.Hits(gate)) != 0 {
		t.Errorf("being ahead is unsupported: %v %v", r.Hits(gate), err)
	}
	if r.Ours.Version != KmsgVersion || r.Ours.Kafka != KmsgKafka {
		t.Error("the report does not say whose table it is")
	}
}

// TestB34: one broker lists fewer features to an ApiVersions v3 request than to
// a v4 one; that is a note and no feature is called removed.
func TestB34(t *testing.T) {
	metadata := feature("metadata.version", 7, 27, 21)
	a := featured(peer(t, "a", "0:0-13 3:0-13 18:0-4"), 4, metadata, feature("share.version", 0, 1, 0))
	b := featured(peer(t, "b", "0:0-13 3:0-13 18:0-4"), 3, metadata)
	for _, peers := range [][]*Peer{{a, b}, {b, a}} {
		d := Diff(peers, Selection{})
		if d.Differs() || len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "share.version") {
			t.Errorf("%s first: %+v %q", peers[0].Target, d.Features, d.Notes)
		}
	}
	if notes := judged(b, Kmsg(), Selection{}).Notes; len(notes) != 1 || !strings.Contains(notes[0], "minimum 0") {
		t.Errorf("the list may be incomplete, notes: %q", notes)
	}
}

// TestB36: a software version was taken from an unrelated setting and shown as
// a fact. Here it is a verdict on the table, in words that say which, and
// nothing else of a report comes from it: no state, no hit, no difference.
func TestB36(t *testing.T) {
	for verdict, want := range map[Likeness]string{
		Exact: "Kafka 4.1", InRange: "Kafka 4.1", NewerThan: "newer than Kafka 4.1", Like: "like Kafka 4.1", NotKafka: "not Apache Kafka",
	} {
		if got := (&Release{Verdict: verdict, Name: "4.1"}).String(); got != want {
			t.Errorf("%s is %q", verdict, got)
		}
	}
	a, b := peer(t, "a", "0:0-13 3:0-13 500:0-1"), peer(t, "a", "0:0-13 3:0-13 500:0-1")
	b.Release = &Release{Verdict: Exact, Name: "0.8.2"}
	gate := ChangeGate{GateAny}
	if d := Diff([]*Peer{a, b}, Selection{}); d.Differs() || len(d.Hits(gate)) > 0 {
		t.Errorf("%+v", d)
	}
	if r := (Group{Peers: []*Peer{b, b}}).Release(); r == nil || r.Name != "0.8.2" {
		t.Errorf("a group of one release is %v", r)
	}
	c := *b
	c.Release = &Release{Verdict: Exact, Name: "4.1"}
	for _, peers := range [][]*Peer{{b, &c}, {a, b}, {b, a}} {
		if r := (Group{Peers: peers}).Release(); r != nil {
			t.Errorf("a group of several releases is %v", r)
		}
	}
	one, two := Negotiate([]*Peer{a}, Kmsg(), Selection{}), Negotiate([]*Peer{b}, Kmsg(), Selection{})
	if !reflect.DeepEqual(one.Brokers[0].APIs, two.Brokers[0].APIs) || !reflect.DeepEqual(one.Hits(States()), two.Hits(States())) {
		t.Error("a report depends on which release a table looks like")
	}
}

// TestB38: a client gave up because the version it had inferred was not in its
// list; a table of no known release is shown like any other.
func TestB38(t *testing.T) {
	b := judged(peer(t, "b", "0:3-40 1:17-18 3:2-9 18:0-9 77:5-9 1234:0-0"), Kmsg(), Selection{})
	if b.Offered() != 6 || b.Counts[Ahead] != 2 || b.Counts[TooNew] != 1 || b.Counts[Unknown] != 1 {
		t.Errorf("%d offered, counts %v", b.Offered(), b.Counts)
	}
}

// TestB41: versions learned from one seed were used on brokers not yet
// upgraded; every broker has its own range and the cluster its overlap, whoever
// was asked first.
func TestB41(t *testing.T) {
	a, b := peer(t, "a", "0:0-7 3:0-12 18:0-3"), peer(t, "b", "0:0-11 3:0-12 18:0-3")
	for _, peers := range [][]*Peer{{a, b}, {b, a}} {
		r := Negotiate(peers, Kmsg(), Selection{})
		if len(r.Cluster.APIs) != 1 {
			t.Fatalf("%+v", r.Cluster)
		}
		j := r.Cluster.APIs[0]
		if j.Key != 0 || *j.Use != 7 || *j.Common != (Range{0, 7}) || *j.Ranges[0] != peers[0].Rows[0].Range {
			t.Errorf("%s first: %+v", peers[0].Target, j)
		}
	}
}

// TestB43: what a KRaft broker advertises depends on the active controller and
// changes without a restart; rows that do are marked, never called an upgrade.
func TestB43(t *testing.T) {
	noon := peerOf("b", column(t, "4.4-kraft"))
	later := peerOf("b", with(without(column(t, "4.4-kraft"), 94), rowsOf(t, "45:0-0 80:0-0")))
	d := Diff([]*Peer{noon, later}, Selection{})
	if !slices.Equal(keysOfChanges(d), []int16{45, 80, 94}) || d.KindsDiffer {
		t.Fatalf("%+v", d)
	}
	for _, a := range d.APIs {
		if !slices.Equal(a.Notes, []string{"depends on the active controller"}) {
			t.Errorf("%s: notes %q", a.Name, a.Notes)
		}
	}
	for _, v := range judged(later, Kmsg(), Selection{APIs: []int16{45, 80, 94}}).APIs {
		if !slices.Contains(v.Notes, "depends on the active controller") {
			t.Errorf("%s", brief(v))
		}
	}
}

// TestB45: controllers lack a client's keys by design; a few rows tell what
// they are, and beside a broker they are another kind, not dozens of removals.
func TestB45(t *testing.T) {
	controller := peer(t, "c", "18:0-4 52:0-2 53:0-1 54:0-1 55:0-2 59:0-1 60:0-2 62:0-4 63:0-2 70:0-0 80:0-1 81:0-0")
	if controller.Listener != ControllerListener || controller.Mode != KRaft {
		t.Errorf("a %s", Kind(controller.Listener, controller.Mode))
	}
	d := Diff([]*Peer{peerOf("b", column(t, "4.4-kraft")), controller}, Selection{})
	if !d.KindsDiffer || !strings.HasPrefix(d.Notes[0], "different kinds of listener") {
		t.Errorf("notes %q", d.Notes)
	}
	for _, a := range d.APIs {
		if slices.Contains(a.Changes, Removed) && !Expected(ControllerListener, KRaft, a.Key) {
			t.Errorf("%s is called removed", a.Name)
		}
	}
	for _, v := range judged(controller, Kmsg(), Selection{APIs: nil}).APIs {
		if v.Key == 0 && v.State != Absent {
			t.Errorf("%s", brief(v))
		}
	}
}

// TestB47: the table of a service matches no release, with gaps and raised
// minimums; it is shown as it came and gets no label.
func TestB47(t *testing.T) {
	p := peer(t, "b", eventHubs)
	if p.Listener != BrokerListener || p.Mode != "" {
		t.Errorf("a %s", Kind(p.Listener, p.Mode))
	}
	rows := rowsOf(t, eventHubs)
	for _, v := range judged(p, Kmsg(), Selection{APIs: p.Keys()}).APIs {
		i := slices.IndexFunc(rows, func(r Row) bool { return r.Key == v.Key })
		if *v.Theirs != rows[i].Range || v.Use == nil || len(v.Notes) != 0 {
			t.Errorf("%s", brief(v))
		}
	}
	// Beside a release, its raised minimums are not put down to one.
	d := Diff([]*Peer{peerOf("3.9", column(t, "3.9-kraft")), p}, Selection{APIs: []int16{1, 14}})
	if d.KindsDiffer || len(d.APIs) != 2 || len(d.APIs[0].Notes) != 0 || !d.APIs[0].Breaking {
		t.Errorf("%+v", d)
	}
}
