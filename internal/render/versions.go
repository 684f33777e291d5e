package render

import (
	"fmt"
	"io"
	"slices"

	"github.com/kver-cli/kver/internal/negotiate"
)

// Versions writes what each broker offers beside ours: brokers with the same
// table once, then what can be used on all of them.
func Versions(w io.Writer, r negotiate.Report, s Style) error {
	p := newPage(w, s)
	afterFailure := false
	for _, group := range sections(r) {
		if f := group[0].Failure; f != nil {
			if !afterFailure {
				p.section()
			}
			p.failed(group[0].Target, f)
			afterFailure = true
			continue
		}
		afterFailure = false
		p.section()
		p.versions(group, r, s)
	}
	p.cluster(r)
	p.stories("WHAT THE VERSIONS BRING", ofVersions(r.Told()))
	p.unread(len(r.Failed()), len(r.Brokers), "broker")
	return p.close()
}

// versions writes one table and what belongs to it. The brokers of a group
// have everything in common but their names and how they were asked.
func (p *page) versions(group []negotiate.Broker, r negotiate.Report, s Style) {
	b, sel := group[0], r.Selection
	absent := s.All || slices.Contains(sel.States, negotiate.Absent)
	p.headings(group)
	p.judged(b.Peer)
	p.counts(b, r.Ours, absent)
	p.remedies(b)
	p.remarks(groupRemarks(group))
	p.put("\n")

	var shown []negotiate.Verdict
	for _, v := range b.APIs {
		if v.State != negotiate.Absent || absent {
			shown = append(shown, v)
		}
	}
	switch {
	case len(shown) > 0:
		p.verdicts(shown)
		p.remarks(rowRemarks(shown))
	case sel.States != nil:
		p.line(span{"no rows in these states", plain, 0})
	default:
		p.line(span{"no rows", plain, 0})
	}
	if sel.APIs == nil {
		p.put("\n")
		p.features(b.Peer)
		p.notFinalized(b.Peer, r.Lore)
	}
}

// counts is one glance: how many keys, and in which states.
func (p *page) counts(b negotiate.Broker, ours negotiate.Codec, absent bool) {
	spans := []span{{count(b.Offered(), "key"), plain, 0}}
	for _, state := range negotiate.States() {
		n := b.Counts[state]
		if n > 0 && (state != negotiate.Absent || absent) {
			spans = append(spans, span{fmt.Sprintf("%d %s", n, state), toneOf(state), gap})
		}
	}
	spans = append(spans, span{"ours: " + oursName(ours), plain, gap})
	p.flow(0, spans...)
}

// remedies says what to do about the states that ask for it.
func (p *page) remedies(b negotiate.Broker) {
	for _, state := range negotiate.States() {
		if remedy := state.Remedy(); b.Counts[state] > 0 && remedy != "" {
			p.remedy(state)
		}
	}
}

func (p *page) remedy(state negotiate.State) {
	p.line(span{string(state) + ":", toneOf(state), 0}, span{state.Remedy(), plain, 1})
}

// groupRemarks gathers what has to be known about how tables were read. What
// holds for all brokers of a group needs no names.
func groupRemarks(group []negotiate.Broker) remarks {
	var r remarks
	for _, b := range group {
		for _, text := range b.Notes {
			r.add(text, b.Target)
		}
	}
	for _, text := range r.texts {
		if len(r.names[text]) == len(group) {
			delete(r.names, text)
		}
	}
	return r
}

func (p *page) verdicts(rows []negotiate.Verdict) {
	cells := make([][]cell, len(rows))
	for i, v := range rows {
		cells[i] = verdictCells(v)
	}
	p.table([]column{right("KEY"), left("API"), right("MIN"), right("MAX"), right("OURS"), right("USE"), left("STATE")}, cells)
}

// verdictCells writes one row. The ordinary ones are faint as a whole; in the
// others the name stands out and the state has the colour.
func verdictCells(v negotiate.Verdict) []cell {
	low, high := none, none
	if v.Theirs != nil {
		low, high = number(&v.Theirs.Min), number(&v.Theirs.Max)
	}
	row := plain
	if t := toneOf(v.State); t == faint {
		row = faint
	}
	return append(keyCells(v.Key, v.Name, row),
		say(low, row), say(high, row),
		say(rangeText(v.Ours), row),
		say(number(v.Use), row),
		say(string(v.State), toneOf(v.State)))
}
