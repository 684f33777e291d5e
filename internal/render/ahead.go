package render

import (
	"fmt"
	"io"

	"github.com/kver-cli/kver/internal/negotiate"
)

// Ahead writes where brokers offer what ours cannot encode: what works today at
// our maximum, and what cannot be called.
func Ahead(w io.Writer, r negotiate.Report, s Style) error {
	p := newPage(w, s)
	quiet := false // the last section was one line: the next may follow at once
	for _, group := range sections(r) {
		b := group[0]
		one := b.Failure != nil || len(b.Clamped())+len(b.OutOfReach()) == 0
		if !one || !quiet {
			p.section()
		}
		quiet = one
		if b.Failure != nil {
			p.failed(b.Target, b.Failure)
			continue
		}
		p.ahead(group, r)
	}
	p.unread(len(r.Failed()), len(r.Brokers), "broker")
	return p.close()
}

func (p *page) ahead(group []negotiate.Broker, r negotiate.Report) {
	b := group[0]
	clamped, beyond := b.Clamped(), b.OutOfReach()
	names := make([]string, len(group))
	for i, g := range group {
		names[i] = g.Target
	}
	spans := list(names, bold, "")
	spans[0].before = 0
	p.flow(gap, append(spans, words(aheadText(b, len(group), r.Ours), plain)...)...)
	if len(clamped) > 0 {
		p.put("\n")
		p.line(span{"CLAMPED, works at ours", toneOf(negotiate.Ahead), 0}, span{clampedText(clamped), plain, gap})
		p.clamped(clamped, r)
	}
	if len(beyond) > 0 {
		p.put("\n")
		p.line(span{"OUT OF REACH, cannot be called", beyondTone(beyond), 0}, span{count(len(beyond), "key"), plain, gap})
		p.outOfReach(beyond, r)
	}
	var costs []negotiate.Introduction
	for _, v := range append(clamped, beyond...) {
		costs = append(costs, r.Beyond(v)...)
	}
	p.stories("WHAT OURS DOES NOT REACH", ofVersions(costs))
	if notes := rowRemarks(append(clamped, beyond...)); len(notes.texts) > 0 {
		p.put("\n")
		p.remarks(notes)
	}
}

// aheadText completes the sentence that begins with the names of n brokers.
func aheadText(b negotiate.Broker, n int, ours negotiate.Codec) string {
	be := plural(n, "is", "are")
	rows, offered := len(b.Clamped())+len(b.OutOfReach()), b.Offered()
	switch {
	case offered == 0:
		return plural(n, "offers", "offer") + " none of these keys"
	case rows == 0:
		return fmt.Sprintf("%s not ahead of %s on any of %s", be, oursName(ours), count(offered, "key"))
	}
	return fmt.Sprintf("%s ahead of %s on %d of %s", be, oursName(ours), rows, count(offered, "key"))
}

// beyondTone is an alarm where keys that ours knows cannot be called. Keys that
// it never knew are the steady state with a newer broker.
func beyondTone(rows []negotiate.Verdict) tone {
	for _, v := range rows {
		if v.State == negotiate.TooNew {
			return toneOf(v.State)
		}
	}
	return toneOf(negotiate.Unknown)
}

// clampedText says by how much: 8 keys, by 1 version each.
func clampedText(rows []negotiate.Verdict) string {
	least, most := 0, 0
	for i, v := range rows {
		by, _ := v.By()
		if n := int(by); i == 0 {
			least, most = n, n
		} else {
			least, most = min(least, n), max(most, n)
		}
	}
	text := count(len(rows), "key") + ", by "
	if least != most {
		return text + fmt.Sprintf("%d to %s", least, count(most, "version"))
	}
	text += count(most, "version")
	if len(rows) > 1 {
		text += " each"
	}
	return text
}

func (p *page) clamped(rows []negotiate.Verdict, r negotiate.Report) {
	cells := make([][]cell, len(rows))
	for i, v := range rows {
		cells[i] = append(aheadCells(v), say(number(v.Use), plain), byCell(v), say(peerText(r.Since(v)), plain))
	}
	p.table([]column{right("KEY"), left("API"), right("BROKER"), right("OURS"), right("USE"), right("BY"), right("SINCE")}, cells)
}

func (p *page) outOfReach(rows []negotiate.Verdict, r negotiate.Report) {
	cells := make([][]cell, len(rows))
	for i, v := range rows {
		cells[i] = append(aheadCells(v), say(peerText(r.Since(v)), plain), say(string(v.State), toneOf(v.State)))
	}
	p.table([]column{right("KEY"), left("API"), right("BROKER"), right("OURS"), right("SINCE"), left("STATE")}, cells)
}

func aheadCells(v negotiate.Verdict) []cell {
	return append(keyCells(v.Key, v.Name, plain), say(rangeText(v.Theirs), plain), say(rangeText(v.Ours), plain))
}

func byCell(v negotiate.Verdict) cell {
	if by, ok := v.By(); ok {
		return say(number(&by), plain)
	}
	return say(none, plain)
}
