package snapshot_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/kver-cli/kver/internal/negotiate"
	"github.com/kver-cli/kver/internal/snapshot"
)

var errFull = errors.New("no space left on device")

// fullAfter is a writer that takes n bytes.
type fullAfter struct{ n int }

func (w *fullAfter) Write(b []byte) (int, error) {
	if len(b) > w.n {
		return w.n, errFull
	}
	w.n -= len(b)
	return len(b), nil
}

func TestWriterFails(t *testing.T) {
	for _, g := range goldens() {
		size := len(written(t, g.write))
		for _, n := range []int{0, 1, size / 2, size - 1} {
			if err := g.write(&fullAfter{n}); !errors.Is(err, errFull) {
				t.Errorf("%s: room for %d of %d bytes: %v", g.name, n, size, err)
			}
		}
		if err := g.write(&fullAfter{size}); err != nil {
			t.Errorf("%s: room for all: %v", g.name, err)
		}
	}
}

// fleet is a report of n ordinary brokers.
func fleet(n int) negotiate.Report {
	peers := make([]*negotiate.Peer, n)
	for i := range peers {
		peers[i] = kraftPeer("broker:9092")
	}
	return negotiate.Negotiate(peers, negotiate.Kmsg(), negotiate.Selection{})
}

// pieces counts what is written, and how much at once.
type pieces struct{ n, largest int }

func (p *pieces) Write(b []byte) (int, error) {
	p.n, p.largest = p.n+len(b), max(p.largest, len(b))
	return len(b), nil
}

// A large document is written in pieces and never held in memory.
func TestNotHeldInMemory(t *testing.T) {
	const brokers, mostMemory, mostAtOnce = 300, 200 << 10, 64 << 10
	r := fleet(brokers)
	var p pieces
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := snapshot.WriteVersions(&p, r)
	runtime.ReadMemStats(&after)
	if err != nil || p.n < brokers*15000 {
		t.Fatalf("%d bytes, %v", p.n, err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > mostMemory || p.largest > mostAtOnce {
		t.Errorf("%d bytes of memory for a document of %d, %d at once", used, p.n, p.largest)
	}
}

// Texts come back as they were, but for bytes that are not UTF-8, and nothing
// in a document can steer a terminal.
func TestTexts(t *testing.T) {
	for _, s := range []string{
		"", "broker:9092", "<a href=\"x\">&amp;</a>", `back\slash`, "\x00\x01\x1f\x7f", "\u0080\u009f", "tab\tline\r\n",
		"\u2028\u2029", "\u202eevil\u2066", "\u200b\ufeff", "grün", "日本", "🦀", "\U000e0041", "\ufffd", "\xff", "a\xc3", "\xed\xa0\x80",
	} {
		doc := versions(t, negotiate.Selection{APIs: []int16{}}, &negotiate.Peer{Target: s})
		var got struct{ Brokers []struct{ Target string } }
		if err := json.Unmarshal(doc, &got); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if want := string([]rune(s)); got.Brokers[0].Target != want {
			t.Errorf("%q came back as %q", s, got.Brokers[0].Target)
		}
		if !utf8.Valid(doc) {
			t.Errorf("%q: not UTF-8", s)
		}
		if i := bytes.IndexFunc(doc, func(r rune) bool { return r != '\n' && unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) }); i >= 0 {
			t.Errorf("%q: byte %d is a control", s, i)
		}
	}
}

func TestNotForHTML(t *testing.T) {
	doc := string(versions(t, negotiate.Selection{}, failedPeer("b:9092")))
	if !strings.Contains(doc, `before <the> first byte & no more`) {
		t.Errorf("no plain <, > and & in\n%s", doc)
	}
}

// Rows ahead are in the order of their keys, though they are of two kinds, and
// say by how much.
func TestAheadInOrder(t *testing.T) {
	p := kraftPeer("b:9092")
	p.Rows = negotiate.Tidy([]negotiate.Row{
		{Key: 0, Range: range16(0, 15)}, {Key: 1, Range: range16(30, 40)}, {Key: 2, Range: range16(0, 11)},
		{Key: 3, Range: range16(0, 32767)}, {Key: 500, Range: range16(0, 1)}, {Key: 8, Range: range16(0, 11)},
	})
	r := negotiate.Negotiate([]*negotiate.Peer{p}, negotiate.Kmsg(), negotiate.Selection{})
	var doc struct {
		Brokers []struct {
			Keys  int
			Ahead struct{ Clamped, OutOfReach int }
			APIs  []struct {
				APIKey int
				State  string
				By     *int
			}
		}
	}
	if err := json.Unmarshal(written(t, func(w io.Writer) error { return snapshot.WriteAhead(w, r) }), &doc); err != nil {
		t.Fatal(err)
	}
	b := doc.Brokers[0]
	var got strings.Builder
	for _, row := range b.APIs {
		by := -1
		if row.By != nil {
			by = *row.By
		}
		fmt.Fprintf(&got, "%s %s %d\n", negotiate.Name(int16(row.APIKey)), row.State, by)
	}
	const want = "Produce ahead 2\nFetch too-new 22\nMetadata ahead 32754\nOffsetCommit ahead 1\nUnknown(500) unknown -1\n"
	if got.String() != want || b.Keys != 6 || b.Ahead.Clamped != 3 || b.Ahead.OutOfReach != 2 {
		t.Errorf("got %+v\n%s", b, got.String())
	}
}
