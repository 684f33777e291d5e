package kafkatest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

var record = flag.Bool("record", false, "record the frames in testdata/frames anew, from real nodes")

const frames = "../../testdata/frames"

// newestAsked is the highest version that is recorded. It is the first one
// kver asks; version 5 has the layout of 4 and says nothing more.
const newestAsked = 4

// TestRecord holds the recorded frames against what is known of the releases.
// With -record it first records them.
func TestRecord(t *testing.T) {
	for _, n := range Nodes() {
		want := expected()[n]
		if want.keys == 0 {
			continue // does not answer
		}
		t.Run(n.String(), func(t *testing.T) {
			if *record {
				recordNode(t, n, want)
			}
			for _, v := range want.versions() {
				table := recordedTable(t, n, v, false)
				if len(table.Rows) != want.keys {
					t.Errorf("v%d has %d keys, want %d", v, len(table.Rows), want.keys)
				}
			}
			if want.highest < newestAsked {
				if table := recordedTable(t, n, newestAsked, true); !slices.Equal(table.Rows, want.refusal()) {
					t.Errorf("the refusal has the rows %v, want %v", table.Rows, want.refusal())
				}
			}
		})
	}
}

func recordNode(t *testing.T, n Node, want expectation) {
	p := Start(t, n.Release, n.Kind)
	versions := want.versions()
	if want.highest < newestAsked {
		versions = append(versions, newestAsked)
	}
	for _, v := range versions {
		frame, err := AskRaw(p.Addr, v, askTimeout)
		if err != nil {
			t.Fatal(err)
		}
		name, content := recorded(n, v, v > want.highest, frame)
		if err := os.WriteFile(filepath.Join(frames, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func recordedTable(t *testing.T, n Node, version int16, refused bool) Table {
	t.Helper()
	name, code := fmt.Sprintf("%s.v%d.hex", n, version), int16(0)
	if refused {
		name, code = fmt.Sprintf("%s.v%d-refused.hex", n, version), unsupportedVersion
	}
	table, err := DecodeFrame(version, RecordedFrame(t, filepath.Join(frames, name)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if table.Code != code {
		t.Errorf("%s: the code is %d, want %d", name, table.Code, code)
	}
	return table
}

// TestReal starts every node and holds its answers against what is known and
// what was recorded. It is the proof that the recorded frames are a broker's.
func TestReal(t *testing.T) {
	for n, want := range expected() {
		t.Run(n.String(), func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			p := Start(t, n.Release, n.Kind)
			t.Logf("up after %s", time.Since(began).Round(10*time.Millisecond))
			if want.keys == 0 {
				silent(t, p)
				return
			}
			for v := range int16(newestAsked + 1) {
				answers(t, p, v, want)
			}
		})
	}
}

func answers(t *testing.T, p *Process, version int16, want expectation) {
	t.Helper()
	got, err := Ask(p.Addr, version, askTimeout)
	if err != nil {
		t.Errorf("v%d: %v", version, err)
		return
	}
	if version > want.highest {
		if got.Code != unsupportedVersion || !slices.Equal(got.Rows, want.refusal()) {
			t.Errorf("v%d: code %d and rows %v, want a refusal with %v", version, got.Code, got.Rows, want.refusal())
		}
		return
	}
	if got.Code != 0 || len(got.Rows) != want.keys {
		t.Errorf("v%d: code %d and %d keys, want %d", version, got.Code, len(got.Rows), want.keys)
	}
	if !slices.Contains(want.versions(), version) {
		return
	}
	was := recordedTable(t, p.Node, version, false)
	if !slices.Equal(got.Rows, was.Rows) || !sameFeatures(got.Supported, was.Supported) || !sameFeatures(got.Finalized, was.Finalized) {
		t.Errorf("v%d: the node answers\n%+v\nand answered when it was recorded\n%+v", version, got, was)
	}
}
