package render

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kver-cli/kver/internal/negotiate"
)

const frames = "../../testdata/frames"

// recorded reads a frame that a real listener answered: 4.2.0-kraft.v4.
func recorded(t testing.TB, name string) *negotiate.Peer {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(frames, name+".hex"))
	if err != nil {
		t.Fatal(err)
	}
	var digits strings.Builder
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "#") {
			digits.WriteString(strings.TrimSpace(line))
		}
	}
	frame, err := hex.DecodeString(digits.String())
	if err != nil {
		t.Fatal(err)
	}
	release, suffix, _ := strings.Cut(name, ".v")
	var version int16
	if _, err := fmt.Sscan(suffix, &version); err != nil {
		t.Fatal(err)
	}
	resp := kmsg.NewPtrApiVersionsResponse()
	resp.SetVersion(version)
	const header = 8 // size and correlation id
	if err := resp.ReadFrom(frame[header:]); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	p := &negotiate.Peer{Target: "kafka@" + release, Handshake: negotiate.Handshake{Version: &version, Layout: &version}}
	for _, k := range resp.ApiKeys {
		p.Rows = append(p.Rows, negotiate.Row{Key: k.ApiKey, Range: negotiate.Range{Min: k.MinVersion, Max: k.MaxVersion}})
	}
	p.Rows = negotiate.Tidy(p.Rows)
	p.Listener, p.Mode = negotiate.Classify(p.Rows)
	if version >= 3 {
		featuresOf(p, resp)
	}
	return p
}

func featuresOf(p *negotiate.Peer, resp *kmsg.ApiVersionsResponse) {
	levels := make(map[string]int16)
	for _, f := range resp.FinalizedFeatures {
		levels[f.Name] = f.MaxVersionLevel
	}
	var all []negotiate.Feature
	for _, f := range resp.SupportedFeatures {
		all = append(all, feature(f.Name, f.MinVersion, f.MaxVersion, levels[f.Name]))
		delete(levels, f.Name)
	}
	for name, level := range levels { // v3 hides what has the minimum 0
		all = append(all, negotiate.Feature{Name: name, Finalized: &level})
	}
	negotiate.SortFeatures(all)
	withFeatures(p, all...)
}

// names are the recorded frames that carry a table.
func names(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(frames, "*.hex"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no frames: %v", err)
	}
	var all []string
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".hex"); !strings.HasSuffix(name, "-refused") {
			all = append(all, name)
		}
	}
	return all
}

func checkLines(t *testing.T, name, text string, limit int) {
	t.Helper()
	for i, line := range strings.Split(text, "\n") {
		if strings.TrimRight(line, " ") != line {
			t.Errorf("%s:%d ends in a blank: %q", name, i+1, line)
		}
		if width(line) > limit {
			t.Errorf("%s:%d has %d columns: %q", name, i+1, width(line), line)
		}
	}
}

// TestRealBrokersFit: what real listeners answered fits into 80 columns, by
// itself and beside every later one.
func TestRealBrokersFit(t *testing.T) {
	all := names(t)
	for i, name := range all {
		p := recorded(t, name)
		for _, codec := range []negotiate.Codec{negotiate.Kmsg(), older()} {
			r := negotiate.Negotiate([]*negotiate.Peer{p}, codec, negotiate.Selection{})
			checkLines(t, "versions "+name, shown(t, scene{show: versions(r), all: true}, false), pageWidth)
			checkLines(t, "ahead "+name, shown(t, scene{show: ahead(r)}, false), pageWidth)
		}
		for _, later := range all[i+1:] {
			q := recorded(t, later)
			if newer(q, p) {
				checkLines(t, name+" and "+later, shown(t, scene{show: diff(negotiate.Selection{}, p, q)}, false), pageWidth)
			}
		}
	}
}

// newer reports whether q's release is not below p's. Downgrades lower many
// minimums and maximums at once and need more room.
func newer(q, p *negotiate.Peer) bool {
	return release(q) >= release(p)
}

func release(p *negotiate.Peer) int {
	var major, minor int
	_, _ = fmt.Sscanf(p.Target, "kafka@%d.%d.", &major, &minor)
	return major*100 + minor
}
