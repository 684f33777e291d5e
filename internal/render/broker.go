package render

import (
	"fmt"
	"strings"

	"github.com/kver-cli/kver/internal/negotiate"
)

// namedApart is how many equal brokers have a line each. More are listed by
// name under one heading.
const namedApart = 4

// sections returns the brokers in the order in which they were asked, those
// with the same table together; one that failed is a section of its own.
func sections(r negotiate.Report) [][]negotiate.Broker {
	first := make(map[*negotiate.Peer][]negotiate.Broker)
	for _, g := range r.Groups() {
		first[g[0].Peer] = g
	}
	var all [][]negotiate.Broker
	for _, b := range r.Brokers {
		if b.Failure != nil {
			all = append(all, []negotiate.Broker{b})
		} else if g, ok := first[b.Peer]; ok {
			all = append(all, g)
		}
	}
	return all
}

// headings says who the brokers of one table are and how they were asked.
func (p *page) headings(group []negotiate.Broker) {
	var texts []string
	alike := make(map[string][]*negotiate.Peer)
	for _, b := range group {
		text := description(b.Peer)
		if alike[text] == nil {
			texts = append(texts, text)
		}
		alike[text] = append(alike[text], b.Peer)
	}
	for _, text := range texts {
		if peers := alike[text]; len(peers) > namedApart {
			p.crowd(peers, text)
		} else {
			p.each(peers, text)
		}
	}
}

// each writes a line for each peer, the descriptions under one another.
func (p *page) each(peers []*negotiate.Peer, text string) {
	widest := 0
	for _, peer := range peers {
		widest = max(widest, width(Clean(peer.Target)))
	}
	for _, peer := range peers {
		name := Clean(peer.Target)
		spans := []span{{name, bold, 0}}
		for i, part := range strings.Split(text, ", ") {
			before := 1
			if i == 0 {
				before = widest - width(name) + gap
			}
			spans = append(spans, span{part + ",", plain, before})
		}
		for _, part := range identity(peer) {
			spans = append(spans, span{part + ",", plain, 1})
		}
		last := &spans[len(spans)-1]
		last.text = strings.TrimSuffix(last.text, ",")
		p.flow(widest+gap, spans...)
	}
}

// crowd writes one heading for many peers, and then their names.
func (p *page) crowd(peers []*negotiate.Peer, text string) {
	p.line(span{fmt.Sprintf("%d brokers, one table", len(peers)), bold, 0}, span{text, plain, gap})
	names := make([]string, len(peers))
	for i, peer := range peers {
		names[i] = Clean(peer.Target)
		if peer.NodeID != nil {
			names[i] += fmt.Sprintf(" (node %d)", *peer.NodeID)
		}
	}
	spans := list(names, plain, "")
	spans[0].before = gap
	p.flow(gap, spans...)
}

// failed says what went wrong, where the table would have been. Both lines are
// left whole: they are looked for and copied.
func (p *page) failed(target string, f *negotiate.Failure) {
	name := Clean(target)
	message := Clean(f.Stage) + ": " + Clean(f.Message)
	if f.Micros > 0 {
		message += " (" + took(f.Micros) + ")"
	}
	p.line(span{name, bold, 0}, span{"failed:", alarm, gap}, span{message, plain, 1})
	if hint := Clean(f.Hint); hint != "" {
		p.line(span{"try:", bold, width(name) + gap}, span{hint, plain, 1})
	}
}

// took writes a time as people say it.
func took(micros int64) string {
	if micros < 1e6 {
		return fmt.Sprintf("%.1f ms", float64(micros)/1e3)
	}
	return fmt.Sprintf("%.1f s", float64(micros)/1e6)
}

// unread is the last line of a report with failures.
func (p *page) unread(failed, all int, thing string) {
	if failed == 0 {
		return
	}
	p.section()
	p.line(span{fmt.Sprintf("%d of %s could not be read", failed, count(all, thing)), alarm, 0})
}
