package negotiate

import (
	"slices"
	"strings"
	"testing"
)

// brief is a verdict in one line.
func brief(v Verdict) string {
	line := v.Name + " " + v.Theirs.text() + " " + v.Ours.text() + " " + text(v.Use) + " " + string(v.State)
	if len(v.Notes) > 0 {
		line += ": " + strings.Join(v.Notes, "; ")
	}
	return line
}

func briefs(verdicts []Verdict) string {
	var lines []string
	for _, v := range verdicts {
		lines = append(lines, brief(v))
	}
	return strings.Join(lines, "\n")
}

// judged is what a report says of one peer.
func judged(p *Peer, ours Codec, sel Selection) Broker {
	return Negotiate([]*Peer{p}, ours, sel).Brokers[0]
}

func wantText(t *testing.T, what, got, want string) {
	t.Helper()
	if want = strings.TrimSpace(want); got != want {
		t.Errorf("%s\ngot\n%s\nwant\n%s", what, got, want)
	}
}

func TestTidyIsOrderedAndLosesNothing(t *testing.T) {
	rows := []Row{
		{Key: 9, Range: Range{0, 3}}, {Key: 0, Range: Range{0, 7}}, {Key: 9, Range: Range{0, 5}}, {Key: -2, Range: Range{0, 1}},
		{Key: 0, Range: Range{0, 7}}, {Key: 9, Range: Range{0, 3}, Times: 2},
	}
	want := []Row{{-2, Range{0, 1}, 1}, {0, Range{0, 7}, 2}, {9, Range{0, 3}, 3}, {9, Range{0, 5}, 1}}
	before := slices.Clone(rows)
	for range len(rows) {
		rows = append(rows[1:], rows[0])
		got := Tidy(rows)
		if !slices.Equal(got, want) || !slices.Equal(Tidy(got), want) {
			t.Errorf("%+v becomes %+v", rows, got)
		}
	}
	if !slices.Equal(rows, before) {
		t.Error("Tidy changed what it was given")
	}
}

func TestRowsOfAKey(t *testing.T) {
	p := peer(t, "b", "0:0-7 9:0-3 9:0-5 18:0-3 20:5-1")
	for key, want := range map[int16]int{-1: 0, 0: 1, 1: 0, 9: 2, 18: 1, 20: 1, 21: 0} {
		if got := p.RowsOf(key); len(got) != want || p.Offers(key) != (want > 0) {
			t.Errorf("key %d has rows %v", key, got)
		}
	}
	if !slices.Equal(p.Keys(), []int16{0, 9, 18, 20}) {
		t.Errorf("keys %v", p.Keys())
	}
	for key, want := range map[int16]bool{0: true, 9: false, 18: true, 20: false, 21: false} {
		if r, ok := p.Usable(key); ok != want || ok && r != p.RowsOf(key)[0].Range {
			t.Errorf("key %d: %v %v", key, r, ok)
		}
	}
}

// Nothing is negotiated on a row that contradicts itself, alone or beside
// others, and its numbers stay as they came.
func TestRowsThatContradictThemselves(t *testing.T) {
	p := peer(t, "b", "-2:0-1 0:9-3 1:0--1 2:-1-5 3:0-5 3:0-7 8:0-3 8:0-3")
	wantText(t, "verdicts", briefs(judged(p, Kmsg(), Selection{APIs: p.Keys()}).APIs), `
Unknown(-2) 0-1 none none invalid
Produce 9-3 0-13 none invalid
Fetch 0..-1 0-18 none invalid
ListOffsets -1..5 0-11 none invalid
Metadata 0-5 0-13 none invalid: one of 2 different ranges for this key
Metadata 0-7 0-13 none invalid: one of 2 different ranges for this key
OffsetCommit 0-3 0-10 3 behind: advertised 2 times`)
}

func TestMissingAndAbsentByTheKindOfListener(t *testing.T) {
	for _, c := range []struct {
		name            string
		rows            []Row
		missing, absent []int16
	}{
		{"4.4-kraft", without(column(t, "4.4-kraft"), 0, 94), []int16{0, 94}, []int16{4, 7, 52, 56, 58, 59, 62, 67, 70, 71, 72, 73, 82}},
		{"3.9-zookeeper", without(column(t, "3.9-zookeeper"), 0, 67), []int16{0, 67}, []int16{52, 55, 64, 74, 76, 80, 94}},
		{"4.4-controller", without(column(t, "4.4-controller"), 1, 82), []int16{1, 82}, []int16{0, 2, 3, 8, 47, 48, 61, 71, 76}},
		{"no known kind of broker", rowsOf(t, "3:0-5 18:0-3"), []int16{0, 1, 2, 51, 57, 60, 68}, []int16{4, 55, 56, 64, 67, 74, 94}},
		{"no known kind", rowsOf(t, "18:0-3"), nil, []int16{0, 1, 3, 4, 52, 94}},
	} {
		b := judged(peerOf("b", c.rows), Kmsg(), Selection{})
		for state, keys := range map[State][]int16{Missing: c.missing, Absent: c.absent} {
			for _, key := range keys {
				i := slices.IndexFunc(b.APIs, func(v Verdict) bool { return v.Key == key })
				if i < 0 || b.APIs[i].State != state || b.APIs[i].Theirs != nil || b.APIs[i].Times != 0 {
					t.Errorf("%s: %s is not %s", c.name, Name(key), state)
				}
			}
		}
		if n := b.Counts[Missing]; c.name != "no known kind of broker" && n != len(c.missing) {
			t.Errorf("%s: %d keys missing, want %d", c.name, n, len(c.missing))
		}
	}
}

// A key that the user names is missing where it is not offered: whether or not
// ours knows it, whatever the listener.
func TestNamedKeysAreMissing(t *testing.T) {
	named := Selection{APIs: []int16{9999, 4, 0, 52, 4}}
	for _, rows := range [][]Row{rowsOf(t, "18:0-3"), without(column(t, "4.4-kraft"), 0), without(column(t, "4.4-controller"), 52)} {
		b := judged(peerOf("b", rows), Kmsg(), named)
		wantText(t, "verdicts", briefs(b.APIs), `
Produce none 0-13 none missing
LeaderAndIsr none 0-7 none missing
Vote none 0-2 none missing
Unknown(9999) none none none missing`)
		if len(b.Counts) != 1 || b.Counts[Missing] != 4 {
			t.Errorf("counts %v", b.Counts)
		}
	}
	if !slices.Equal(named.APIs, []int16{9999, 4, 0, 52, 4}) {
		t.Errorf("the selection became %v", named.APIs)
	}
	if b := judged(peer(t, "b", "0:0-7"), Kmsg(), Selection{APIs: []int16{}}); len(b.APIs) != 0 {
		t.Errorf("no key is selected, and %d are shown", len(b.APIs))
	}
}

// TestSelectionByState narrows what is shown and counted, never what is judged.
func TestSelectionByState(t *testing.T) {
	p := peer(t, "b", "0:0-13 1:0-17 2:0-99 3:99-100 18:0-3 95:0-0")
	all := judged(p, Kmsg(), Selection{})
	shown := judged(p, Kmsg(), Selection{States: []State{Ahead, Unknown}})
	wantText(t, "shown", briefs(shown.APIs), `
ListOffsets 0-99 0-11 11 ahead
Unknown(95) 0-0 none none unknown`)
	if len(shown.Counts) != 2 || shown.Counts[Ahead] != 1 || shown.Counts[Unknown] != 1 {
		t.Errorf("counts %v", shown.Counts)
	}
	if briefs(shown.judged) != briefs(all.APIs) {
		t.Error("what is hidden is not judged")
	}
	wantText(t, "clamped", briefs(shown.Clamped()), "ListOffsets 0-99 0-11 11 ahead")
	wantText(t, "out of reach", briefs(shown.OutOfReach()), `
Metadata 99-100 0-13 none too-new
Unknown(95) 0-0 none none unknown`)
	if none := judged(p, Kmsg(), Selection{States: []State{}}); len(none.APIs) != 0 || len(none.judged) != len(all.judged) {
		t.Error("no state is selected, and some rows are shown")
	}
}

func TestCountsAddUpAndRowsAreInOrder(t *testing.T) {
	for _, c := range columns {
		b := judged(peerOf("b", with(column(t, c.name), rowsOf(t, "9:0-3 9:0-4 500:0-1 -7:0-1"))), Kmsg(), Selection{})
		sum := 0
		for _, s := range States() {
			sum += b.Counts[s]
		}
		if sum != len(b.APIs) || sum != 95+2+1 {
			t.Errorf("%s: %d rows counted, %d shown", c.name, sum, len(b.APIs))
		}
		if !slices.IsSortedFunc(b.APIs, func(v, w Verdict) int { return int(v.Key) - int(w.Key) }) {
			t.Errorf("%s: not in order", c.name)
		}
	}
}

func TestOfferedCountsKeysOnce(t *testing.T) {
	b := judged(peer(t, "b", "-32768:0-0 0:0-1 9:0-3 9:0-4 32767:0-0"), Kmsg(), Selection{})
	if b.Offered() != 4 {
		t.Errorf("%d keys offered", b.Offered())
	}
	if b := judged(peer(t, "b", "0:0-1 9:0-4"), Kmsg(), Selection{APIs: []int16{9, 10}}); b.Offered() != 1 {
		t.Errorf("%d of the named keys offered", b.Offered())
	}
}

func TestFailedPeersAreInTheReportAndNowhereElse(t *testing.T) {
	down := &Peer{Target: "down", Failure: &Failure{Stage: "connect", Code: "refused", Message: "connecting: refused"}}
	r := Negotiate([]*Peer{down, peer(t, "up", "0:0-1")}, Kmsg(), Selection{APIs: []int16{0}})
	if len(r.Brokers) != 2 || len(r.Brokers[0].APIs) != 0 || r.Brokers[0].Counts == nil {
		t.Errorf("report %+v", r.Brokers)
	}
	if f := r.Failed(); len(f) != 1 || f[0].Target != "down" || f[0].Failure.Error() != "connecting: refused" {
		t.Errorf("failed %+v", f)
	}
	if len(r.Groups()) != 1 || r.Cluster != nil {
		t.Errorf("%d groups, cluster %v", len(r.Groups()), r.Cluster)
	}
}

func TestGroupsKeepTheOrderInWhichBrokersWereAsked(t *testing.T) {
	older, newer := "0:0-7 3:0-8", "0:0-11 3:0-8"
	moved := func(target string, level int16) *Peer {
		return featured(peer(t, target, newer), 4, feature("metadata.version", 7, 27, level))
	}
	sameButLater := moved("7", 27)
	*sameButLater.FinalizedEpoch = 99
	peers := []*Peer{
		peer(t, "1", older), peer(t, "2", newer), {Target: "3", Failure: &Failure{}}, peer(t, "4", older),
		moved("5", 27), moved("6", 26), sameButLater, featured(peer(t, "8", newer), 4),
	}
	var groups []string
	for _, g := range Negotiate(peers, Kmsg(), Selection{}).Groups() {
		var names []string
		for _, b := range g {
			names = append(names, b.Target)
		}
		groups = append(groups, strings.Join(names, " "))
	}
	wantText(t, "groups", strings.Join(groups, "\n"), "1 4\n2\n5 7\n6\n8")
}

func TestNotesOnHowTheTableWasRead(t *testing.T) {
	asked := func(version, layout int16, refused ...Refusal) Handshake {
		return Handshake{Version: &version, Layout: &layout, Refused: refused}
	}
	throttled := asked(4, 4)
	throttled.ThrottleMillis = 5000
	for _, c := range []struct {
		name     string
		h        Handshake
		features []Feature
		want     string
	}{
		{"plain", asked(4, 4), []Feature{}, ""},
		{"refused and asked again", asked(3, 3, Refusal{4, UnsupportedVersion}), nil, ""},
		{"closed", asked(3, 3, Refusal{4, Closed}), nil, "the peer dropped the connection (closed) when asked with ApiVersions v4"},
		{"reset twice", asked(0, 0, Refusal{4, Reset}, Refusal{3, Reset}), nil,
			"the peer dropped the connection (reset) when asked with ApiVersions v4\nthe peer dropped the connection (reset) when asked with ApiVersions v3"},
		{"table of a refusal", asked(4, 0, Refusal{4, UnsupportedVersion}), nil, "the table is the one that came with the refusal of ApiVersions v4"},
		{"other layout", asked(3, 0), nil, "the peer answered ApiVersions v3 in the layout of v0"},
		{"features at v3", asked(3, 3), []Feature{}, "features with minimum 0 are not reported below ApiVersions v4"},
		{"throttled", throttled, nil, "the broker throttles this client for 5000 ms"},
		{"nothing known", Handshake{}, nil, ""},
	} {
		p := &Peer{Handshake: c.h, Features: c.features}
		wantText(t, c.name, strings.Join(judged(p, Kmsg(), Selection{}).Notes, "\n"), c.want)
	}
}

// TestPeersWithOneTableAreJudgedAlike holds the shortcut by which equal tables
// are judged once.
func TestPeersWithOneTableAreJudgedAlike(t *testing.T) {
	a, b := peerOf("a", column(t, "4.4-kraft")), peerOf("b", column(t, "4.4-kraft"))
	a.Handshake.ThrottleMillis = 7
	r := Negotiate([]*Peer{a, b}, Kmsg(), Selection{})
	if r.Brokers[0].Peer != a || r.Brokers[1].Peer != b {
		t.Error("a verdict is under another's name")
	}
	if len(r.Brokers[0].Notes) != 1 || len(r.Brokers[1].Notes) != 0 {
		t.Errorf("notes %v and %v", r.Brokers[0].Notes, r.Brokers[1].Notes)
	}
	for _, twin := range r.Brokers {
		if alone := judged(twin.Peer, Kmsg(), Selection{}); briefs(twin.APIs) != briefs(alone.APIs) {
			t.Errorf("%s is judged otherwise alone", twin.Target)
		}
	}
}
