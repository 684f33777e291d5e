package render

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kver-cli/kver/internal/negotiate"
)

var update = flag.Bool("update", false, "write the golden files anew")

// scene is one report and what shows it.
type scene struct {
	name string
	show func(w io.Writer, s Style) error
	all  bool
	wide bool // not what an ordinary broker brings: may exceed 80 columns
}

func versions(r negotiate.Report) func(io.Writer, Style) error {
	return func(w io.Writer, s Style) error { return Versions(w, r, s) }
}

func ahead(r negotiate.Report) func(io.Writer, Style) error {
	return func(w io.Writer, s Style) error { return Ahead(w, r, s) }
}

func diff(sel negotiate.Selection, peers ...*negotiate.Peer) func(io.Writer, Style) error {
	d := negotiate.Diff(peers, sel)
	return func(w io.Writer, s Style) error { return Diff(w, d, s) }
}

func scenes(t testing.TB) []scene {
	every := negotiate.Selection{}
	named := peer(t, "kafka-7.example.net:9092", broker42, 3)
	named.Address, named.NodeID, named.Rack = "10.20.30.40:9092", ptr(int32(7)), ptr("eu-west-1a")
	withFeatures(named, feature("metadata.version", 7, 29, 27))

	dropped := peer(t, "eventhubs:9093", "0:0-7 1:4-6 2:0-8 3:0-5 11:0-9 18:0-3", 3)
	dropped.Handshake.Refused = []negotiate.Refusal{{Version: 4, Reason: negotiate.Reset}}
	dropped.Handshake.ThrottleMillis = 5000

	private := peer(t, "proxy:9092", broker42+" 10000:0-0 10007:1-3 32767:0-0", 4)
	invalid := peer(t, "odd:9092", "-2:0-1 0:9-3 1:0-11 1:4-18 3:-1-4 18:0-4 18:0-4", 0)
	unstable := peer(t, "kraft:9092", with(broker41, "22:0-6", "88:0-0", "89:0-0", "8:2-10"), 4)
	withFeatures(unstable, feature("metadata.version", 7, 27, 27))

	snapshot := kafka41(t, "kafka-1:9092")
	snapshot.Source = "tuesday.json"
	var crowd []*negotiate.Peer
	for i := range 12 {
		p := kafka42(t, fmt.Sprintf("kafka-%d.example.net:9092", i+1))
		p.NodeID = ptr(int32(i + 1))
		crowd = append(crowd, p)
	}
	crowd = append(crowd, kafka41(t, "kafka-13.example.net:9092"))
	var many []*negotiate.Peer
	for i := range 12 {
		many = append(many, peer(t, fmt.Sprintf("b%d:9092", i), fmt.Sprintf("0:0-%d 1:0-17 3:0-%d 18:0-4", i, i%3), 2))
	}
	zk := withFeatures(peer(t, "old:9092", zk39, 4))

	return append([]scene{
		{name: "versions-4.2", show: versions(report(every, kafka42(t, "broker:9092")))},
		{name: "versions-4.2-all", show: versions(report(every, kafka42(t, "broker:9092"))), all: true},
		{name: "versions-4.2.0-recorded", show: versions(report(every, recorded(t, "4.2.0-kraft.v4")))},
		{name: "versions-3.9.1-v3-recorded", show: versions(report(every, recorded(t, "3.9.1-kraft.v3")))},
		{name: "versions-4.4", show: versions(report(every, kafka44(t, "broker:9092")))},
		{name: "versions-3.9-zookeeper", show: versions(report(every, withFeatures(peer(t, "broker:9092", zk39, 4))))},
		{name: "versions-0.10", show: versions(report(every, peer(t, "broker:9092", broker010, 0)))},
		{name: "versions-controller", show: versions(report(every, withFeatures(peer(t, "controller:9093", controller44, 4), feature("metadata.version", 7, 33, 33))))},
		{name: "versions-identity", show: versions(report(every, named))},
		{name: "versions-dropped", show: versions(report(every, dropped))},
		{name: "versions-unknown-keys", show: versions(report(every, private)), wide: true},
		{name: "versions-unknown-keys-only", show: versions(report(negotiate.Selection{States: []negotiate.State{negotiate.Unknown}}, private))},
		{name: "versions-invalid", show: versions(report(every, invalid))},
		{name: "versions-unstable", show: versions(report(every, unstable))},
		{name: "versions-failed", show: versions(report(every, refused("kafka-1:9092"), refused("kafka-2:9092")))},
		{name: "versions-cluster", show: versions(report(every, kafka42(t, "kafka-1:9092"), kafka42(t, "kafka-2:9092"), kafka41(t, "kafka-3:9092"), refused("kafka-4:9092")))},
		{name: "versions-cluster-agrees", show: versions(report(negotiate.Selection{APIs: []int16{0, 1, 3}}, kafka42(t, "kafka-1:9092"), kafka42(t, "kafka-2:9092"), kafka42(t, "kafka-3:9092")))},
		{name: "versions-crowd", show: versions(report(every, crowd...))},
		{name: "versions-many-tables", show: versions(report(negotiate.Selection{APIs: []int16{0, 3, 18}}, many...))},
		{name: "versions-api", show: versions(report(negotiate.Selection{APIs: []int16{0, 18, 93, 10000}}, kafka42(t, "broker:9092")))},
		{name: "versions-no-rows", show: versions(report(negotiate.Selection{States: []negotiate.State{negotiate.TooNew}}, kafka42(t, "broker:9092")))},
		{name: "versions-state-absent", show: versions(report(negotiate.Selection{States: []negotiate.State{negotiate.Absent}}, kafka42(t, "broker:9092")))},
		{name: "versions-older-codec", show: versions(negotiate.Negotiate([]*negotiate.Peer{kafka42(t, "broker:9092")}, older(), every))},

		{name: "ahead", show: ahead(negotiate.Negotiate([]*negotiate.Peer{kafka42(t, "kafka-1:9092"), kafka42(t, "kafka-2:9092"), refused("kafka-3:9092")}, older(), every))},
		{name: "ahead-one", show: ahead(negotiate.Negotiate([]*negotiate.Peer{unstable}, negotiate.Kmsg(), every))},
		{name: "ahead-none", show: ahead(report(every, kafka42(t, "kafka-1:9092"), kafka41(t, "kafka-2:9092"), refused("kafka-3:9092")))},
		{name: "ahead-not-offered", show: ahead(report(negotiate.Selection{APIs: []int16{93}}, kafka42(t, "broker:9092")))},

		{name: "diff", show: diff(every, kafka41(t, "kafka-1:9092"), kafka42(t, "kafka-2:9092"))},
		{name: "diff-3.9.1-4.2.0-recorded", show: diff(every, recorded(t, "3.9.1-kraft.v4"), recorded(t, "4.2.0-kraft.v4"))},
		{name: "diff-features-only", show: diff(every, kafka41(t, "a:9092"), withFeatures(peer(t, "b:9092", broker41, 4), feature("metadata.version", 7, 27, 26)))},
		{name: "diff-3.9-4.4", show: diff(every, peer(t, "kafka@3.9", kraft39, 4), peer(t, "kafka@4.4", broker44, 4))},
		{name: "diff-4.4-3.9", show: diff(every, peer(t, "kafka@4.4", broker44, 4), peer(t, "kafka@3.9", kraft39, 4)), wide: true},
		{name: "diff-snapshot", show: diff(every, snapshot, kafka42(t, "kafka-1:9092"), kafka42(t, "kafka-2:9092"), refused("kafka-3:9092"))},
		{name: "diff-kinds", show: diff(every, zk, kafka42(t, "new:9092"))},
		{name: "diff-kinds-only", show: diff(negotiate.Selection{}, peer(t, "c:9093", controller44, 2), peer(t, "b:9092", broker44, 2))},
		{name: "diff-none", show: diff(every, kafka42(t, "a:9092"), kafka42(t, "b:9092"))},
		{name: "diff-none-notes", show: diff(every, recorded(t, "4.2.0-kraft.v4"), recorded(t, "4.2.0-kraft.v3"))},
		{name: "diff-alone", show: diff(every, kafka42(t, "a:9092"), refused("b:9092"))},
		{name: "diff-invalid", show: diff(every, peer(t, "a:9092", "0:0-3 1:0-4 18:0-4", 2), peer(t, "b:9092", "0:9-3 1:0-4 1:0-5 18:0-4", 2))},
		{name: "diff-three", show: diff(every, kafka41(t, "a:9092"), kafka42(t, "b:9092"), kafka44(t, "c:9092"))},
		{name: "diff-many", show: diff(every, many...)},
	}, loreScenes(t)...)
}

func shown(t testing.TB, s scene, colour bool) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.show(&b, Style{Color: colour, All: s.all}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// painted are the scenes whose colours are held, too.
var painted = []string{"versions-cluster", "versions-invalid", "versions-older-codec", "ahead", "diff-3.9-4.4"}

// TestGolden holds every scene to the byte, and no file is left without one.
func TestGolden(t *testing.T) {
	var files []string
	for _, s := range scenes(t) {
		files = append(files, s.name+".txt")
		golden(t, s.name+".txt", shown(t, s, false))
		if slices.Contains(painted, s.name) {
			files = append(files, s.name+".ansi")
			golden(t, s.name+".ansi", shown(t, s, true))
		}
	}
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() && !slices.Contains(files, e.Name()) {
			t.Errorf("testdata/%s belongs to no scene", e.Name())
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("differs from %s; got:\n%s", file, got)
	}
}

// TestLines ends no line in a blank, and none of an ordinary broker is wider
// than 80 columns.
func TestLines(t *testing.T) {
	for _, s := range scenes(t) {
		for i, line := range strings.Split(shown(t, s, false), "\n") {
			if strings.TrimRight(line, " \t\r") != line {
				t.Errorf("%s:%d ends in a blank: %q", s.name, i+1, line)
			}
			if !s.wide && width(line) > pageWidth {
				t.Errorf("%s:%d has %d columns: %q", s.name, i+1, width(line), line)
			}
		}
	}
}
