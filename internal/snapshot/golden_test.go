package snapshot_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kver-cli/kver/internal/negotiate"
	"github.com/kver-cli/kver/internal/snapshot"
)

var update = flag.Bool("update", false, "write the goldens")

// golden is a document that testdata holds, and the schema it is held to.
type golden struct {
	name   string // of the file: the first word is the document's kind
	write  func(io.Writer) error
	schema string
}

func goldens() []golden {
	report := func(ours negotiate.Codec, sel negotiate.Selection, peers ...*negotiate.Peer) negotiate.Report {
		r := negotiate.Negotiate(peers, ours, sel)
		r.Lore = lore()
		return r
	}
	versions := func(name string, r negotiate.Report) golden {
		return golden{name, func(w io.Writer) error { return snapshot.WriteVersions(w, r) }, "versions"}
	}
	ahead := func(name string, r negotiate.Report) golden {
		return golden{name, func(w io.Writer) error { return snapshot.WriteAhead(w, r) }, "ahead"}
	}
	diff := func(name string, sel negotiate.Selection, peers ...*negotiate.Peer) golden {
		d := negotiate.Diff(peers, sel)
		d.Lore = lore()
		return golden{name, func(w io.Writer) error { return snapshot.WriteDiff(w, d) }, "diff"}
	}
	all := negotiate.Selection{}
	ours := negotiate.Kmsg()
	old := kraftPeer("old:9092")
	old.Source, old.Rows = "tuesday.json", old.Rows[:len(old.Rows)-8]
	old.Rows[1].Min, old.Features = 4, old.Features[1:]
	old.Features[1].Finalized = ptr[int16](20)

	return []golden{
		versions("versions-kraft", report(ours, all, kraftPeer("broker:9092"))),
		versions("versions-cluster", report(ours, all, kraftPeer("b1:9092"), zooKeeperPeer("b2:9092"), failedPeer("b3:9092"))),
		versions("versions-odd", report(ours, all, oddPeer("odd:9092"))),
		versions("versions-apis", report(ours, negotiate.Selection{APIs: []int16{71, 0, 10000}}, kraftPeer("broker:9092"))),
		versions("versions-states", report(ours, negotiate.Selection{States: []negotiate.State{negotiate.Behind, negotiate.Missing}}, zooKeeperPeer("broker:9092"))),
		versions("versions-failed", report(ours, all, failedPeer("b1:9092"))),
		versions("versions-none", report(ours, all)),
		ahead("ahead-older", report(olderKmsg(), negotiate.Selection{APIs: []int16{0, 1, 8, 88, 93, 18, 9}}, kraftPeer("broker:9092"))),
		ahead("ahead-nothing", report(ours, all, kraftPeer("broker:9092"), failedPeer("b2:9092"))),
		diff("diff-groups", all, old, kraftPeer("b1:9092"), kraftPeer("b2:9092"), failedPeer("b3:9092")),
		diff("diff-kinds", all, kraftPeer("b1:9092"), zooKeeperPeer("b2:9092"), oddPeer("odd:9092")),
		diff("diff-equal", negotiate.Selection{APIs: []int16{0}}, kraftPeer("b1:9092"), kraftPeer("b1:9092")),
	}
}

func goldenPath(name string) string { return filepath.Join("testdata", name+".json") }

func TestGoldens(t *testing.T) {
	for _, g := range goldens() {
		t.Run(g.name, func(t *testing.T) {
			got := written(t, g.write)
			if *update {
				if err := os.WriteFile(goldenPath(g.name), got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(goldenPath(g.name))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("differs from the golden at %s; write it with -update", firstDifference(got, want))
			}
			if again := written(t, g.write); !bytes.Equal(got, again) {
				t.Error("two runs differ")
			}
		})
	}
}

func firstDifference(got, want []byte) string {
	g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got  " + g[i] + "\nwant " + w[i]
		}
	}
	return "the end"
}

// A document is one line for each row, so that a row that changed is one line
// of a diff.
func TestOneLineForEachRow(t *testing.T) {
	doc := versions(t, negotiate.Selection{}, kraftPeer("broker:9092"), oddPeer("odd:9092"))
	rows := 0
	for line := range strings.Lines(string(doc)) {
		if strings.Contains(line, `"apiKey"`) {
			rows++
			if row := strings.TrimSuffix(strings.TrimSpace(line), ","); !json.Valid([]byte(row)) {
				t.Errorf("not a whole row: %s", line)
			}
		}
	}
	if all := bytes.Count(doc, []byte(`"apiKey"`)); rows != all || rows < 150 {
		t.Errorf("%d rows on %d lines", all, rows)
	}
}

// B90: whatever the environment says about colour, a document is plain JSON.
func TestB90NoColourInJSON(t *testing.T) {
	t.Setenv("CLICOLOR_FORCE", "1")
	t.Setenv("FORCE_COLOR", "1")
	for _, g := range goldens() {
		doc := written(t, g.write)
		if doc[0] != '{' || bytes.ContainsRune(doc, '\x1b') || bytes.ContainsRune(doc, '\u009b') {
			t.Errorf("%s: begins with %q, or has an escape", g.name, doc[:1])
		}
	}
}

// B95: lists are lists, whatever there is to say.
func TestB95EmptyIsAList(t *testing.T) {
	lists := map[string][]string{
		"versions-none":   {"brokers"},
		"versions-failed": {"brokers"},
		"ahead-nothing":   {"brokers"},
		"diff-equal":      {"groups", "apis", "features", "notes", "targets"},
	}
	for _, g := range goldens() {
		var doc map[string]any
		if err := json.Unmarshal(written(t, g.write), &doc); err != nil {
			t.Fatal(err)
		}
		for _, name := range lists[g.name] {
			if _, ok := doc[name].([]any); !ok {
				t.Errorf("%s: %s is %v, not a list", g.name, name, doc[name])
			}
		}
		brokers, _ := doc["brokers"].([]any)
		for _, b := range brokers {
			if _, ok := b.(map[string]any)["apis"].([]any); !ok {
				t.Errorf("%s: a broker has no list of apis", g.name)
			}
		}
	}
}

// B97: a target that failed is in the document, with its stable code.
func TestB97FailureInTheDocument(t *testing.T) {
	var doc struct {
		Brokers []struct {
			Target string
			APIs   []any
			Error  struct{ Stage, Code, Message, Hint string }
		}
	}
	if err := json.Unmarshal(versions(t, negotiate.Selection{}, failedPeer("b1:9092")), &doc); err != nil {
		t.Fatal(err)
	}
	b, f := doc.Brokers[0], failedPeer("b1:9092").Failure
	if b.Target != "b1:9092" || b.APIs == nil || b.Error.Stage != f.Stage || b.Error.Code != f.Code ||
		b.Error.Message != f.Message || b.Error.Hint != f.Hint {
		t.Errorf("got %+v", b)
	}
}

// B29, B31: a key that nobody can name keeps its number, its range and a name
// of its own, in its place.
func TestB29VendorKeys(t *testing.T) {
	p := kraftPeer("broker:9092")
	for key := int16(10012); key >= 10000; key-- {
		p.Rows = append(p.Rows, negotiate.Row{Key: key, Range: range16(0, 1)})
	}
	p.Rows = negotiate.Tidy(p.Rows)
	doc := string(versions(t, negotiate.Selection{}, p))
	at := 0
	for _, row := range []string{
		`{"apiKey": 94, "name": "`,
		`{"apiKey": 10000, "name": "Unknown(10000)", "minVersion": 0, "maxVersion": 1, "times": 1, "ours": null, "use": null, "binds": null, "state": "unknown", "notes": []}`,
		`{"apiKey": 10001, "name": "Unknown(10001)"`,
		`{"apiKey": 10012, "name": "Unknown(10012)"`,
	} {
		i := strings.Index(doc[at:], row)
		if i < 0 {
			t.Fatalf("no %s after byte %d", row, at)
		}
		at += i
	}
}

// B23: numbers are shown as they were advertised; what is known about them is
// a note.
func TestB23AdvertisedAsItCame(t *testing.T) {
	doc := string(versions(t, negotiate.Selection{APIs: []int16{0}}, kraftPeer("broker:9092")))
	for _, part := range []string{`"apiKey": 0, "name": "Produce", "minVersion": 0, "maxVersion": 13`, `"notes": ["0-2 are advertised but dropped"]`} {
		if !strings.Contains(doc, part) {
			t.Errorf("no %s in\n%s", part, doc)
		}
	}
}
