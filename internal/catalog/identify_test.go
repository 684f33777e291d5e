package catalog

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kver-cli/kver/internal/negotiate"
)

// live is what a node that answers with the entry's table looks like to dial.
func live(e Entry) *negotiate.Peer {
	p := e.peer("broker:9092")
	p.Recorded, p.Release = nil, nil
	p.Rows = slices.Clone(p.Rows)
	return p
}

func verdict(r *negotiate.Release) string { return strings.TrimSpace(string(r.Verdict) + " " + r.Name) }

func entryOf(t testing.TB, release string, l negotiate.Listener, m negotiate.Mode, s Setting) Entry {
	t.Helper()
	for _, e := range Entries() {
		if e.Listener == l && e.Mode == m && e.Setting == s && slices.Contains(e.Releases, release) {
			return e
		}
	}
	t.Fatalf("no %s %s %s %q is recorded", release, m, l, s)
	return Entry{}
}

func broker(t testing.TB, release string) Entry {
	return entryOf(t, release, negotiate.BrokerListener, negotiate.KRaft, Default)
}

// TestEveryRecordingIsIdentified: a node with the table of a recording is that
// release, whatever setting it was recorded with; or a range of releases where
// tables are equal.
func TestEveryRecordingIsIdentified(t *testing.T) {
	for _, e := range Entries() {
		r := Identify(live(e))
		minor := Minor(e.Releases[0])
		name := fmt.Sprintf("%s %s %s %q", e.Mode, e.Listener, e.Releases[0], e.Setting)
		switch r.Verdict {
		case negotiate.Exact:
			if r.Name != minor && !strings.HasPrefix(r.Name, e.Releases[0]) {
				t.Errorf("%s is exactly %s", name, r.Name)
			}
		case negotiate.InRange:
			t.Logf("%s: %s %q", name, verdict(r), r.Evidence)
			first, last, _ := strings.Cut(r.Name, "-")
			if compare(first, minor) > 0 || compare(minor, last) > 0 {
				t.Errorf("%s is in %s", name, r.Name)
			}
			if e.Setting == Default && !twins(e) {
				t.Errorf("%s is %s and has a table of its own", name, verdict(r))
			}
		default:
			t.Errorf("%s is %s: %q %q", name, verdict(r), r.Evidence, r.Differs)
		}
		if len(r.Differs) > 0 || len(r.Evidence) == 0 {
			t.Errorf("%s: evidence %q, differs %q", name, r.Evidence, r.Differs)
		}
	}
}

// twins reports whether another release has the same table.
func twins(e Entry) bool {
	return slices.ContainsFunc(Entries(), func(x Entry) bool {
		return x.Releases[0] != e.Releases[0] && negotiate.SameTable(unfinalized(x), unfinalized(e))
	})
}

// unfinalized leaves out what the cluster decides.
func unfinalized(e Entry) *negotiate.Peer {
	p := live(e)
	p.Features = slices.Clone(p.Features)
	for i := range p.Features {
		p.Features[i].Finalized = nil
	}
	return p
}

// TestLeaveOneOut: a release that is not in the catalog is never taken for
// another one that is.
func TestLeaveOneOut(t *testing.T) {
	all := Entries()
	for i, e := range all {
		rest := slices.Delete(slices.Clone(all), i, i+1)
		r := identify(live(e), rest)
		name := fmt.Sprintf("%s %s %s %q", e.Mode, e.Listener, e.Releases[0], e.Setting)
		t.Logf("%s: %s %q", name, verdict(r), r.Evidence)
		switch {
		case r.Verdict == negotiate.NotKafka:
			t.Errorf("%s is %s: %q", name, verdict(r), r.Evidence)
		case r.Verdict == negotiate.Exact && e.Setting == Default && !twins(e):
			t.Errorf("%s is %s: %q", name, verdict(r), r.Evidence)
		case r.Verdict == negotiate.Exact && !strings.HasPrefix(r.Name, Minor(e.Releases[0])) && !twins(e):
			t.Errorf("%s is %s: %q", name, verdict(r), r.Evidence)
		}
	}
}
