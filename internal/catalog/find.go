package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kver-cli/kver/internal/negotiate"
)

// Prefix begins the name of a release where a target is taken: kafka@4.1,
// kafka@4.1.1, kafka@3.9/zk, kafka@4.1/controller.
const Prefix = "kafka@"

// kind is what stands behind the slash in a name.
type kind struct {
	words    []string // the first is how kver writes it
	listener negotiate.Listener
	mode     negotiate.Mode
}

var kinds = []kind{
	{[]string{"kraft"}, negotiate.BrokerListener, negotiate.KRaft},
	{[]string{"zk", "zookeeper"}, negotiate.BrokerListener, negotiate.ZooKeeper},
	{[]string{"controller"}, negotiate.ControllerListener, negotiate.KRaft},
}

func (k kind) of(e Entry) bool { return e.Listener == k.listener && e.Mode == k.mode }

// kraftFirst is the release from which KRaft was ready for production, so that
// a broker without a kind is one of KRaft (KIP-833).
const kraftFirst = "3.3"

// NameError is a name of which there is no recording.
type NameError struct {
	Name string // as it was given
	Msg  string // what is wrong with it, and what there is
	// Known lists every release, one a line, where none was named.
	Known []string
}

func (e *NameError) Error() string { return e.Name + ": " + e.Msg }

// Find returns the release of a name, as a peer that was recorded. Its error is
// a *NameError that says what exists.
func Find(name string) (*negotiate.Peer, error) {
	wrong := func(format string, args ...any) (*negotiate.Peer, error) {
		return nil, &NameError{Name: name, Msg: fmt.Sprintf(format, args...)}
	}
	release, word, hasKind := strings.Cut(strings.ToLower(name)[len(Prefix):], "/")
	if release == "" {
		return nil, &NameError{name, "no release named; these are known:", listing()}
	}
	have := named(release)
	if len(have) == 0 {
		return wrong("%s", unknownRelease(release))
	}
	if hasKind {
		i := slices.IndexFunc(kinds, func(k kind) bool { return slices.Contains(k.words, word) })
		if i < 0 {
			return wrong("no kind of listener is called %q; for %s there is %s", word, release, kindsOf(have))
		}
		have = slices.DeleteFunc(have, func(e Entry) bool { return !kinds[i].of(e) })
		if len(have) == 0 {
			return wrong("Kafka %s has no such listener; for %s there is %s", release, release, kindsOf(named(release)))
		}
	}
	return usual(have).peer(name), nil
}

// usual picks the table that a name without a kind, or without a patch level,
// stands for: a broker of the kind that was usual then, and the newest.
func usual(have []Entry) Entry {
	newest := have[len(have)-1].Releases[0]
	want := kinds[0]
	if compare(newest, kraftFirst) < 0 {
		want = kinds[1]
	}
	for _, e := range slices.Backward(have) {
		if want.of(e) {
			return e
		}
	}
	return have[len(have)-1]
}

// named returns the tables that nodes of a release advertised as they come: a
// minor release (4.1, 0.11) or a patch release (4.1.1). Order is the file's.
func named(release string) []Entry {
	return slices.DeleteFunc(slices.Clone(Entries()), func(e Entry) bool {
		return e.Setting != Default || !slices.ContainsFunc(e.Releases, func(r string) bool {
			return r == release || Minor(r) == release || r[:strings.LastIndexByte(Minor(r), '.')] == release && alone(release)
		})
	})
}

// alone reports whether a release of before 1.0 may be named by two numbers:
// there was one 0.11 and three 0.10.
func alone(release string) bool { return release == "0.11" }

// Minor returns the minor release that a patch release belongs to. Before 1.0
// it had three numbers.
func Minor(release string) string {
	parts := strings.Split(release, ".")
	n := 2
	if parts[0] == "0" {
		n = 3
	}
	return strings.Join(parts[:min(n, len(parts))], ".")
}

// compare orders releases.
func compare(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(x, y string) int {
		m, _ := number(x, true)
		n, _ := number(y, true)
		return int(m) - int(n)
	})
}

// Minors returns every minor release of which there is a recording, oldest
// first.
func Minors() []string {
	var all []string
	for _, e := range Entries() {
		for _, r := range e.Releases {
			all = append(all, Minor(r))
		}
	}
	slices.SortFunc(all, compare)
	return slices.Compact(all)
}

// patches returns the patch releases of a minor one that were recorded.
func patches(minor string) []string {
	var all []string
	for _, e := range Entries() {
		for _, r := range e.Releases {
			if e.Setting == Default && Minor(r) == minor {
				all = append(all, r)
			}
		}
	}
	slices.SortFunc(all, compare)
	return slices.Compact(all)
}

func unknownRelease(release string) string {
	minors := Minors()
	if have := patches(Minor(release)); len(have) > 0 {
		return fmt.Sprintf("no recording of Kafka %s; of %s there is %s", release, Minor(release), strings.Join(have, ", "))
	}
	var within []string
	for _, m := range minors {
		if strings.HasPrefix(m, release+".") {
			within = append(within, m)
		}
	}
	if len(within) > 0 {
		return fmt.Sprintf("more than one release; there is %s", strings.Join(within, ", "))
	}
	nearest := minors[0]
	for _, m := range minors {
		if compare(m, release) <= 0 {
			nearest = m
		}
	}
	return fmt.Sprintf("no recording of Kafka %q; the nearest is %s%s (%s lists all)", release, Prefix, nearest, Prefix)
}

// kindsOf lists the kinds among entries, in words.
func kindsOf(have []Entry) string {
	var words []string
	for _, k := range kinds {
		if slices.ContainsFunc(have, k.of) {
			words = append(words, k.words[0])
		}
	}
	return strings.Join(words, ", ")
}

// listing is every minor release with its kinds and the patch releases that
// were recorded.
func listing() []string {
	var lines []string
	for _, m := range Minors() {
		lines = append(lines, fmt.Sprintf("%s%-8s %-22s (%s)", Prefix, m, kindsOf(named(m)), strings.Join(patches(m), ", ")))
	}
	return lines
}

// Names returns every name that Find takes, for completion.
func Names() []string {
	var names []string
	for _, m := range Minors() {
		releases := append([]string{m}, patches(m)...)
		for _, r := range releases {
			names = append(names, Prefix+r)
			have := named(r)
			for _, k := range kinds {
				if slices.ContainsFunc(have, k.of) {
					names = append(names, Prefix+r+"/"+k.words[0])
				}
			}
		}
	}
	return names
}

// peer is the entry as a peer of that name.
func (e Entry) peer(name string) *negotiate.Peer {
	version := e.Version
	p := &negotiate.Peer{
		Target:           name,
		Recorded:         e.Releases,
		Listener:         e.Listener,
		Mode:             e.Mode,
		Handshake:        negotiate.Handshake{Version: &version, Layout: &version},
		Rows:             e.Rows,
		Features:         e.Features,
		ZkMigrationReady: e.ZkMigrationReady,
	}
	if e.finalizedEpoch {
		p.FinalizedEpoch = new(int64)
	}
	p.Release = recorded(e.Releases)
	return p
}
