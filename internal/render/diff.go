package render

import (
	"fmt"
	"io"

	"github.com/kver-cli/kver/internal/negotiate"
)

// Diff writes where peers disagree: who they are, how much differs, what breaks
// first and then the rest.
func Diff(w io.Writer, d negotiate.Difference, s Style) error {
	p := newPage(w, s)
	p.groups(d)
	p.difference(d)
	for i, peer := range d.Failed {
		if i == 0 {
			p.section()
		}
		p.failed(negotiate.Label(peer), peer.Failure)
	}
	total := len(d.Failed)
	for _, g := range d.Groups {
		total += len(g.Peers)
	}
	p.unread(len(d.Failed), total, "target")
	return p.close()
}

// groups says which peers have the same table.
func (p *page) groups(d negotiate.Difference) {
	if len(d.Groups) == 0 {
		return
	}
	p.section()
	for _, g := range d.Groups {
		names := make([]string, len(g.Peers))
		for i, peer := range g.Peers {
			names[i] = negotiate.Label(peer)
		}
		kind := negotiate.Kind(g.Listener, g.Mode)
		if r := g.Release(); r != nil {
			kind += ", " + Clean(r.String())
		}
		p.legend(g.Name, names, kind)
	}
}

func (p *page) difference(d negotiate.Difference) {
	p.section()
	compared := 0
	for _, g := range d.Groups {
		compared += len(g.Peers)
	}
	switch {
	case compared < 2 && len(d.Failed) > 0: // the same target twice has no differences
		p.line(span{"nothing to compare", bold, 0})
	case len(d.APIs)+len(d.Features) > 0:
		p.line(diffCounts(d)...)
	case d.KindsDiffer:
		p.line(span{"no key differs that both kinds offer", bold, 0})
	default:
		p.line(span{"no differences", bold, 0})
	}
	p.changes(d)
	p.told(d)
	if notes := diffRemarks(d); len(notes.texts) > 0 {
		p.put("\n")
		p.remarks(notes)
	}
}

// diffCounts is one glance: 52 keys differ, 18 breaking.
func diffCounts(d negotiate.Difference) []span {
	breaking := 0
	for _, a := range d.APIs {
		if a.Breaking {
			breaking++
		}
	}
	var spans []span
	if len(d.APIs) > 0 {
		spans = counted(len(d.APIs), breaking, "key", 0)
	}
	if len(d.Features) > 0 {
		breaking = 0
		for _, f := range d.Features {
			if f.Breaking {
				breaking++
			}
		}
		spans = append(spans, counted(len(d.Features), breaking, "feature", min(len(spans), 1)*gap)...)
	}
	return spans
}

func counted(n, breaking int, thing string, before int) []span {
	spans := []span{{fmt.Sprintf("%s %s", count(n, thing), plural(n, "differs", "differ")), bold, before}}
	if breaking > 0 {
		spans[0].text += ","
		spans = append(spans, span{fmt.Sprintf("%d breaking", breaking), alarm, 1})
	}
	return spans
}

// told says what the versions and levels brought that come and go.
func (p *page) told(d negotiate.Difference) {
	var lost, gained []negotiate.Introduction
	for _, a := range d.APIs {
		lost, gained = append(lost, d.Lost(a)...), append(gained, d.Gained(a)...)
	}
	all := ofVersions(gained)
	for _, f := range d.Features {
		all = append(all, ofLevels(d.GainedLevels(f))...)
	}
	p.stories("WHAT IS LOST", ofVersions(lost))
	p.stories("WHAT ARRIVES", all)
}
