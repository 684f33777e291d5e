package negotiate

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func TestClassifyAndExpectedOnKafkasOwnTables(t *testing.T) {
	counts := map[string]int{"3.9-zookeeper": 62, "3.9-kraft": 61, "4.0.0-kraft": 61, "4.4-kraft": 77, "4.4-controller": 42}
	for _, c := range columns {
		rows := column(t, c.name)
		if l, m := Classify(rows); l != c.listener || m != c.mode {
			t.Errorf("%s is a %q in mode %q", c.name, l, m)
		}
		if len(rows) != counts[c.name] {
			t.Errorf("%s offers %d keys, want %d", c.name, len(rows), counts[c.name])
		}
		for _, r := range rows {
			if !Expected(c.listener, c.mode, r.Key) {
				t.Errorf("%s offers %s (%d), which is not expected of it", c.name, Name(r.Key), r.Key)
			}
		}
	}
}

// TestExpectedIsTheNewestTableOfItsKind holds the other direction: nothing is
// called missing that the newest release of the kind does not have.
func TestExpectedIsTheNewestTableOfItsKind(t *testing.T) {
	zk, kraft := &Peer{Rows: column(t, "3.9-zookeeper")}, &Peer{Rows: column(t, "4.4-kraft")}
	controller := &Peer{Rows: column(t, "4.4-controller")}
	for key := int16(-3); key < 20000; key++ {
		for _, c := range []struct {
			listener Listener
			mode     Mode
			want     bool
		}{
			{BrokerListener, ZooKeeper, zk.Offers(key)},
			{BrokerListener, KRaft, kraft.Offers(key)},
			{BrokerListener, "", zk.Offers(key) && kraft.Offers(key)},
			{ControllerListener, KRaft, controller.Offers(key)},
			{"", "", false},
		} {
			if got := Expected(c.listener, c.mode, key); got != c.want {
				t.Errorf("%q in mode %q: %s expected %v, want %v", c.listener, c.mode, Name(key), got, c.want)
			}
		}
	}
}

// Tables that are not Apache Kafka's, or too small to tell.
func TestClassifyGivesNoWrongLabel(t *testing.T) {
	var all []Row // a proxy that lists every key its library knows
	for key := int16(0); key <= kmsg.MaxKey; key++ {
		all = append(all, Row{Key: key, Range: *Kmsg().Range(key)})
	}
	for _, c := range []struct {
		name     string
		rows     []Row
		listener Listener
		mode     Mode
	}{
		{"empty", nil, "", ""},
		{"three keys", rowsOf(t, "0:0-11 3:0-12 18:0-3"), BrokerListener, ""},
		{"only ApiVersions", rowsOf(t, "18:0-3"), "", ""},
		{"only Metadata", rowsOf(t, "3:0-1"), BrokerListener, ""},
		{"Redpanda", rowsOf(t, redpanda), BrokerListener, ""},
		{"Event Hubs", rowsOf(t, eventHubs), BrokerListener, ""},
		{"MSK Serverless", rowsOf(t, "0:7-9 1:10-12 3:7-11 8:6-8 9:5-8 10:2-4 11:4-7 12:2-4 13:2-4 14:2-5 17:1-1 18:2-3 19:5-7 20:3-6"), BrokerListener, ""},
		{"every key of a library", all, BrokerListener, ""},
		{"private keys beside Kafka's", with(column(t, "4.4-kraft"), rowsOf(t, "501:0-0 10000:0-4 32767:0-1")), BrokerListener, KRaft},
		{"a few of a controller's keys", rowsOf(t, "18:0-4 52:0-0 53:0-0 54:0-0 55:0-1 59:0-0 60:0-0 62:0-0 63:0-0 70:0-0 80:0-0 81:0-0"), ControllerListener, KRaft},
		{"a controller with ControlledShutdown", rowsOf(t, "1:0-17 7:0-3 18:0-4 52:0-1 53:0-1 54:0-1 55:0-2 62:0-4 63:0-1"), ControllerListener, KRaft},
		{"a KRaft preview", rowsOf(t, "0:0-9 1:0-12 3:0-11 18:0-3 55:0-0 57:0-0 60:0-0"), BrokerListener, KRaft},
		{"the first ZooKeeper broker that answers", rowsOf(t, "0:0-2 1:0-2 3:0-1 4:0-0 5:0-0 6:0-2 7:1-1 18:0-0"), BrokerListener, ZooKeeper},
		{"ZooKeeper's keys hidden by a proxy", without(column(t, "3.9-zookeeper"), 4, 5, 6, 7), BrokerListener, ""},
		{"a broker with a controller's keys", with(column(t, "4.4-kraft"), rowsOf(t, "52:0-2")), BrokerListener, ""},
		{"both kinds of broker", with(column(t, "3.9-zookeeper"), rowsOf(t, "55:0-2")), BrokerListener, ""},
		{"ZooKeeper's keys without a client's", rowsOf(t, "4:0-7 5:0-4 6:0-8 7:0-3 18:0-4"), "", ""},
	} {
		if l, m := Classify(c.rows); l != c.listener || m != c.mode {
			t.Errorf("%s is a %q in mode %q, want %q, %q", c.name, l, m, c.listener, c.mode)
		}
	}
}

func TestKindInWords(t *testing.T) {
	for _, c := range []struct {
		listener Listener
		mode     Mode
		want     string
	}{
		{ControllerListener, KRaft, "KRaft controller"},
		{BrokerListener, KRaft, "KRaft broker"},
		{BrokerListener, ZooKeeper, "ZooKeeper broker"},
		{BrokerListener, "", "broker of no known kind"},
		{"", "", "listener of no known kind"},
	} {
		if got := Kind(c.listener, c.mode); got != c.want {
			t.Errorf("%q in mode %q is a %q", c.listener, c.mode, got)
		}
	}
}

// recorded is the answer in a frame that was recorded from a real listener,
// decoded by kmsg, and the kind of listener it came from.
type recorded struct {
	file    string
	release string
	kind    string
	version int16
	*kmsg.ApiVersionsResponse
}

func recordedFrames(t testing.TB) []recorded {
	t.Helper()
	files, err := filepath.Glob("../../testdata/frames/*.hex")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded frames: %v", err)
	}
	var all []recorded
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".hex")
		if strings.HasSuffix(name, "-refused") {
			continue
		}
		node, version, _ := strings.Cut(name, ".v")
		release, kind, _ := strings.Cut(node, "-")
		r := recorded{name, release, kind, number(t, version), kmsg.NewPtrApiVersionsResponse()}
		r.SetVersion(r.version)
		if err := r.ReadFrom(frameBody(t, file)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r.ErrorCode != 0 || len(r.ApiKeys) == 0 {
			t.Fatalf("%s: error %d and %d rows", name, r.ErrorCode, len(r.ApiKeys))
		}
		all = append(all, r)
	}
	return all
}

// frameBody is what follows a frame's size and correlation id.
func frameBody(t testing.TB, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var digits strings.Builder
	for line := range strings.Lines(string(content)) {
		if !strings.HasPrefix(line, "#") {
			digits.WriteString(strings.TrimSpace(line))
		}
	}
	frame, err := hex.DecodeString(digits.String())
	if err != nil || len(frame) < 8 {
		t.Fatalf("%s: %d bytes, %v", file, len(frame), err)
	}
	return frame[8:]
}

// peer makes a peer of a recorded answer, as dialling it would.
func (r recorded) peer() *Peer {
	rows := make([]Row, len(r.ApiKeys))
	for i, k := range r.ApiKeys {
		rows[i] = Row{Key: k.ApiKey, Range: Range{k.MinVersion, k.MaxVersion}}
	}
	p := peerOf(r.file, rows)
	p.Handshake.Layout, p.Handshake.Version = &r.version, &r.version
	if r.version < 3 {
		return p
	}
	epoch := r.FinalizedFeaturesEpoch
	p.FinalizedEpoch, p.Features = &epoch, []Feature{}
	for _, f := range r.SupportedFeatures {
		p.Features = append(p.Features, Feature{Name: f.Name, Supported: &Range{f.MinVersion, f.MaxVersion}, Finalized: new(int16)})
	}
	for _, f := range r.FinalizedFeatures {
		i := slices.IndexFunc(p.Features, func(have Feature) bool { return have.Name == f.Name })
		if i < 0 {
			i = len(p.Features)
			p.Features = append(p.Features, Feature{Name: f.Name})
		}
		p.Features[i].Finalized = &f.MaxVersionLevel
	}
	SortFeatures(p.Features)
	return p
}

// unexpected are the keys that a release offered although the newest of its
// kind does not.
var unexpected = map[string]struct {
	keys   []int16
	reason string
}{
	"3.9.1-controller": {[]int16{7}, "ControlledShutdown left controllers with 4.0, when ZooKeeper did"},
}

func TestRecordedListenersAreClassifiedAndExpected(t *testing.T) {
	kinds := map[string]struct {
		Listener
		Mode
	}{"zookeeper": {BrokerListener, ZooKeeper}, "kraft": {BrokerListener, KRaft}, "controller": {ControllerListener, KRaft}}
	explained := make(map[string]bool)
	for _, r := range recordedFrames(t) {
		p, want := r.peer(), kinds[r.kind]
		if p.Listener != want.Listener || p.Mode != want.Mode {
			t.Errorf("%s is a %s", r.file, Kind(p.Listener, p.Mode))
		}
		node := r.release + "-" + r.kind
		for _, row := range p.Rows {
			known := slices.Contains(unexpected[node].keys, row.Key)
			explained[node] = explained[node] || known
			if Expected(p.Listener, p.Mode, row.Key) == known {
				t.Errorf("%s offers %s (%d): expected %v", r.file, Name(row.Key), row.Key, !known)
			}
			if row.Times != 1 || !row.Valid() || Name(row.Key) == "" {
				t.Errorf("%s: row %+v", r.file, row)
			}
		}
	}
	for node := range unexpected {
		if !explained[node] {
			t.Errorf("%s needs no explanation", node)
		}
	}
}

// TestRecordedTablesAreTheTables holds the table of this package's tests
// against what the releases answered.
func TestRecordedTablesAreTheTables(t *testing.T) {
	compared := 0
	for _, r := range recordedFrames(t) {
		for _, c := range columns {
			if strings.HasPrefix(r.release, strings.TrimSuffix(c.name, "-"+r.kind)+".") {
				compared++
				if got, want := without(r.peer().Rows, unexpected[r.release+"-"+r.kind].keys...), column(t, c.name); !slices.Equal(got, want) {
					t.Errorf("%s differs from %s:\n%v\n%v", r.file, c.name, got, want)
				}
			}
		}
	}
	if compared < 8 {
		t.Errorf("%d recorded answers compared", compared)
	}
}

// TestRecordedStates counts what recorded listeners come to beside kmsg's 95
// keys.
func TestRecordedStates(t *testing.T) {
	for _, c := range []struct {
		node                           string
		offered                        int
		same, behind, missing, unknown int
	}{
		{"4.2.0-kraft", 75, 69, 6, 2, 0},
		{"4.4.0-kraft", 77, 77, 0, 0, 0},
		{"4.4.0-controller", 42, 42, 0, 0, 0},
	} {
		found := false
		for _, r := range recordedFrames(t) {
			if r.release+"-"+r.kind != c.node {
				continue
			}
			found = true
			b := Negotiate([]*Peer{r.peer()}, Kmsg(), Selection{}).Brokers[0]
			want := map[State]int{Same: c.same, Behind: c.behind, Missing: c.missing, Absent: 95 - c.offered - c.missing}
			for _, s := range States() {
				if b.Counts[s] != want[s] {
					t.Errorf("%s: %d %s, want %d", r.file, b.Counts[s], s, want[s])
				}
			}
			if b.Offered() != c.offered {
				t.Errorf("%s offers %d keys, want %d", r.file, b.Offered(), c.offered)
			}
		}
		if !found {
			t.Errorf("no frame of %s", c.node)
		}
	}
}
