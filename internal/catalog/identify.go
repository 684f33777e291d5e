package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kver-cli/kver/internal/negotiate"
)

// Identify says which release of Apache Kafka a table looks like. The kind of
// listener decides first; then, since 3.3, the levels of metadata.version that
// the binary supports; then the rows, both ends. A row may depart from the
// recording for a reason that is known (explain.go). What fits nothing is said
// to be like the nearest release, or not Kafka at all, and never to be one.
func Identify(p *negotiate.Peer) *negotiate.Release {
	if len(p.Recorded) > 0 {
		return recorded(p.Recorded)
	}
	return identify(p, Entries())
}

// recorded is the verdict on a recording. No judgement is needed.
func recorded(releases []string) *negotiate.Release {
	return &negotiate.Release{
		Verdict:  negotiate.Exact,
		Name:     nameOf(releases),
		Evidence: []string{"recorded from Apache Kafka " + strings.Join(releases, ", ")},
	}
}

// fit is how a table stands to one recording.
type fit struct {
	entry     Entry
	sameLevel bool     // of metadata.version, as far as the binaries support it
	reasons   []string // what explains where it departs
	differs   []string // where it departs without a reason
}

// nearer reports whether a table fits f better than other. The level of
// metadata.version goes before any number of rows: it is the binary's own.
func (f fit) nearer(other fit) bool {
	if f.sameLevel != other.sameLevel {
		return f.sameLevel
	}
	return len(f.differs) <= len(other.differs)
}

func identify(p *negotiate.Peer, entries []Entry) *negotiate.Release {
	same := kindred(p, entries)
	if p.Listener == "" || p.Mode == "" || len(same) == 0 {
		return notKafka(p, "no kind of Kafka listener offers this set of keys")
	}
	var fits []fit
	for _, e := range same {
		fits = append(fits, e.fit(p, entries))
	}
	matches := slices.DeleteFunc(slices.Clone(fits), func(f fit) bool { return len(f.differs) > 0 })
	if len(matches) > 0 {
		return matched(p, matches)
	}
	if r := between(p, same); r != nil {
		return r
	}
	return nearest(p, fits)
}

// kindred are the tables that nodes of the peer's kind advertise as they come,
// oldest first.
func kindred(p *negotiate.Peer, entries []Entry) []Entry {
	var same []Entry
	for _, e := range entries {
		if e.Setting == Default && e.Listener == p.Listener && e.Mode == p.Mode {
			same = append(same, e)
		}
	}
	return same
}

// matched is the verdict where recordings fit, with or without a reason for
// rows that depart from them. Those that fit as they are go first, unless the
// cluster is finalized below the binary: a controller of 3.7 with unstable
// versions looks like that, and like one of 3.8 otherwise.
func matched(p *negotiate.Peer, matches []fit) *negotiate.Release {
	plain := slices.DeleteFunc(slices.Clone(matches), func(f fit) bool { return len(f.reasons) > 0 })
	if len(plain) > 0 && !finalizedBelow(metadata(p.Features)) {
		matches = plain
	}
	var releases []string
	for _, m := range matches {
		releases = append(releases, m.entry.Releases...)
	}
	slices.SortFunc(releases, compare)
	r := &negotiate.Release{Verdict: negotiate.Exact, Name: nameOf(releases), Evidence: witnesses(p)}
	if Minor(releases[0]) != Minor(releases[len(releases)-1]) {
		r.Verdict = negotiate.InRange
	}
	switch reasons := matches[0].reasons; {
	case len(reasons) > 0:
		r.Evidence = append(r.Evidence, reasons...)
	case r.Verdict == negotiate.InRange:
		r.Evidence = append(r.Evidence, fmt.Sprintf("all %d rows agree with %s", len(p.Rows), strings.Join(releases, ", ")))
	default:
		r.Evidence = append(r.Evidence, fmt.Sprintf("all %d rows agree", len(p.Rows)))
	}
	return r
}

// nameOf names releases: 4.1 where it is all that was recorded of one, 4.0.1+
// where only later patch releases are like that, 3.7-3.8 where there are more.
func nameOf(releases []string) string {
	first, last := Minor(releases[0]), Minor(releases[len(releases)-1])
	if first != last {
		return first + "-" + last
	}
	all := patches(first)
	switch n := len(releases); {
	case len(all) <= n:
		return first
	case slices.Equal(all[len(all)-n:], releases):
		return releases[0] + "+"
	case n == 1:
		return releases[0]
	}
	return releases[0] + "-" + releases[len(releases)-1]
}

// witnesses is what the peer says about its binary and its cluster.
func witnesses(p *negotiate.Peer) []string {
	f := metadata(p.Features)
	if f == nil {
		return nil
	}
	text := fmt.Sprintf("%s supports %s", f.Name, f.Supported)
	if name := negotiate.LevelName(f.Name, f.Supported.Max); name != "" {
		text += " (" + name + ")"
	}
	evidence := []string{text}
	if finalizedBelow(f) {
		text := fmt.Sprintf("the cluster is finalized at %d", *f.Finalized)
		if name := negotiate.LevelName(f.Name, *f.Finalized); name != "" {
			text += " (" + name + ")"
		}
		evidence = append(evidence, text+", below what this binary supports")
	}
	return evidence
}

// finalizedBelow reports whether a cluster runs at a lower level than a binary
// supports, in an upgrade or for want of its last step.
func finalizedBelow(f *negotiate.Feature) bool {
	return f != nil && f.Finalized != nil && *f.Finalized > 0 && *f.Finalized < f.Supported.Max
}

// metadataVersion is the feature that tells a KRaft binary: what it supports
// comes from the binary itself, whatever its controller is (KIP-778).
const metadataVersion = "metadata.version"

func metadata(features []negotiate.Feature) *negotiate.Feature {
	i := slices.IndexFunc(features, func(f negotiate.Feature) bool { return f.Name == metadataVersion })
	if i < 0 || features[i].Supported == nil {
		return nil
	}
	return &features[i]
}

// between is the verdict on a table that lies between two recordings, or above
// the newest: what a release that is not recorded would advertise. It is nil
// for any other. A broker without KRaft cannot be newer than the last of them.
func between(p *negotiate.Peer, same []Entry) *negotiate.Release {
	if private(p) != "" {
		return nil
	}
	evidence := witnesses(p)
	if above(same[len(same)-1], p) {
		if p.Mode != negotiate.KRaft {
			return nil
		}
		newest := same[len(same)-1].Releases
		return &negotiate.Release{
			Verdict: negotiate.NewerThan, Name: Minor(newest[0]),
			Evidence: append(evidence, fmt.Sprintf("it offers all that %s does, and more", newest[len(newest)-1])),
			Differs:  same[len(same)-1].lower(p),
		}
	}
	for i := len(same) - 2; i >= 0; i-- {
		if !above(same[i], p) {
			continue
		}
		if !below(same[i+1], p) {
			return nil
		}
		a, b := Minor(same[i].Releases[0]), Minor(same[i+1].Releases[0])
		if a == b {
			return nil // patch releases of one: which rows go back and forth is not foretold
		}
		return &negotiate.Release{
			Verdict: negotiate.InRange, Name: a + "-" + b,
			Evidence: append(evidence, fmt.Sprintf("it lies between %s and %s, and is the table of neither", a, b)),
		}
	}
	return nil
}

// nearest is the verdict on a table that fits nothing: like the recording that
// it departs from least, or not Kafka where even that has little in common.
func nearest(p *negotiate.Peer, fits []fit) *negotiate.Release {
	best := fits[0]
	for _, f := range fits {
		if f.nearer(best) {
			best = f
		}
	}
	name := Minor(best.entry.Releases[0])
	if 3*len(best.differs) > len(best.entry.Rows) {
		return notKafka(p, fmt.Sprintf("even %s, which is nearest, differs on %d rows", name, len(best.differs)))
	}
	r := &negotiate.Release{Verdict: negotiate.Like, Name: name, Evidence: append(witnesses(p), best.reasons...), Differs: best.differs}
	r.Evidence = append(r.Evidence, fmt.Sprintf("%s is nearest of what was recorded, and differs in %d places", name, len(best.differs)))
	if hint := private(p); hint != "" {
		r.Evidence = append(r.Evidence, hint)
	}
	return r
}

func notKafka(p *negotiate.Peer, why string) *negotiate.Release {
	r := &negotiate.Release{Verdict: negotiate.NotKafka, Evidence: []string{why}}
	if hint := private(p); hint != "" {
		r.Evidence = append(r.Evidence, hint)
	}
	return r
}
