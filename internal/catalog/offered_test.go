package catalog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kver-cli/kver/internal/negotiate"
)

// bySetting are versions that no listener offers by itself, and the setting
// whose recordings show since when they are offered.
var bySetting = map[numbered]Setting{
	{"71", 0}: Telemetry, // the broker needs a plug-in that takes metrics (KIP-714)
	{"72", 0}: Telemetry,
}

// numbered is a version of a key or a level of a feature.
type numbered struct {
	subject string
	number  int16
}

// minorOf cuts a release to its minor release: 4.1.2 to 4.1.
func minorOf(release string) string {
	parts := strings.SplitN(release, ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// compareMinors orders minor releases; 0.10 and 0.11 are older than 2.4 all
// the same.
func compareMinors(a, b string) int {
	split := func(s string) (major, minor int) {
		x, y, _ := strings.Cut(s, ".")
		major, _ = strconv.Atoi(x)
		minor, _ = strconv.Atoi(y)
		return major, minor
	}
	a1, a2 := split(a)
	b1, b2 := split(b)
	return cmp.Or(cmp.Compare(a1, b1), cmp.Compare(a2, b2))
}

// since returns the first minor release that offers each version, and that
// supports each level, over the recordings of one setting.
func since(setting Setting) (versions, supported map[numbered]string) {
	versions, supported = map[numbered]string{}, map[numbered]string{}
	note := func(first map[numbered]string, subject string, r negotiate.Range, release string) {
		for v := int(r.Min); v <= int(r.Max); v++ {
			n := numbered{subject, int16(v)}
			if before, ok := first[n]; !ok || compareMinors(release, before) < 0 {
				first[n] = release
			}
		}
	}
	for _, e := range Entries() {
		if e.Setting != setting {
			continue
		}
		for _, release := range e.Releases {
			for _, r := range e.Rows {
				note(versions, strconv.Itoa(int(r.Key)), r.Range, minorOf(release))
			}
			for _, f := range e.Features {
				if f.Supported != nil {
					note(supported, f.Name, *f.Supported, minorOf(release))
				}
			}
		}
	}
	return versions, supported
}

// releasesOf returns the release that each line of the data names.
func releasesOf(text string) map[numbered]string {
	named := map[numbered]string{}
	for s := range strings.Lines(text) {
		if l, ok := parseLine(s); ok && !strings.HasPrefix(s, "#") {
			named[numbered{l.subject, l.number}] = l.release
		}
	}
	return named
}

// compareWithRecordings fails for what has no line, and for each line that
// names another release than the recordings.
func compareWithRecordings(t *testing.T, named, first map[numbered]string) {
	t.Helper()
	for n, release := range first {
		if _, ok := named[n]; !ok {
			t.Errorf("%s %d came with %s, and no line says so", n.subject, n.number, release)
		}
	}
	for n, release := range named {
		switch was, ok := first[n]; {
		case !ok:
			t.Errorf("%s %d: a line says %s, and no recording has it", n.subject, n.number, release)
		case was != release:
			t.Errorf("%s %d: a line says %s, and the recordings %s", n.subject, n.number, release, was)
		}
	}
}

// The recordings decide what a release offers, not the message definitions:
// those also have versions that are unstable, or not for every listener.
func TestBringsAsRecorded(t *testing.T) {
	first, _ := since(Default)
	if len(first) == 0 {
		t.Fatal("no recordings")
	}
	for n, release := range first {
		if compareMinors(release, minors[0]) < 0 {
			delete(first, n)
		}
	}
	for n, setting := range bySetting {
		if release, ok := first[n]; ok {
			t.Errorf("%s %d needs no setting, %s offers it as it is", n.subject, n.number, release)
		}
		if versions, _ := since(setting); versions[n] != "" {
			first[n] = versions[n]
		}
	}
	compareWithRecordings(t, releasesOf(brings), first)
}

func TestLevelsAsRecorded(t *testing.T) {
	_, first := since(Default)
	if len(first) == 0 {
		t.Fatal("no recordings with features")
	}
	compareWithRecordings(t, releasesOf(levels), first)
}

// Every minor release since the oldest in the data is recorded. One that is
// missing would let its introductions pass as those of the next.
func TestMinorsAsRecorded(t *testing.T) {
	var recorded []string
	for _, e := range Entries() {
		for _, release := range e.Releases {
			if m := minorOf(release); compareMinors(m, minors[0]) >= 0 {
				recorded = append(recorded, m)
			}
		}
	}
	slices.SortFunc(recorded, compareMinors)
	if got := slices.Compact(recorded); !slices.Equal(got, minors) {
		t.Errorf("recorded %v, and the data speaks of %v", got, minors)
	}
}
