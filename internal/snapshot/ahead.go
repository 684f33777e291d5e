package snapshot

import (
	"cmp"
	"io"
	"slices"

	"github.com/kver-cli/kver/internal/negotiate"
)

// WriteAhead writes where brokers offer what ours cannot encode.
func WriteAhead(w io.Writer, r negotiate.Report) error {
	return document(w, AheadSchema, func(p *pen) {
		p.codec(r.Ours)
		p.selection(r.Selection.APIs, r.Selection.States)
		p.field("brokers").list(lines, len(r.Brokers), func(i int) {
			p.object(lines, func() { p.brokerAhead(r, r.Brokers[i]) })
		})
	})
}

func (p *pen) brokerAhead(r negotiate.Report, b negotiate.Broker) {
	clamped, out := b.Clamped(), b.OutOfReach()
	rows := slices.Concat(clamped, out)
	slices.SortStableFunc(rows, func(a, b negotiate.Verdict) int { return cmp.Compare(a.Key, b.Key) })

	p.peer(b.Peer)
	p.field("keys").number(int64(b.Offered()))
	p.field("ahead").object(oneLine, func() {
		p.field("clamped").number(int64(len(clamped)))
		p.field("outOfReach").number(int64(len(out)))
	})
	p.verdicts(rows, func(v negotiate.Verdict) { p.distance(r, v) })
	p.failure(b.Failure)
}

// distance writes how far a broker is ahead on one key, since when, and what
// it offers beyond ours.
func (p *pen) distance(r negotiate.Report, v negotiate.Verdict) {
	p.field("by")
	if by, ok := v.By(); ok {
		p.number(int64(by))
	} else {
		p.null()
	}
	p.field("since").word(r.Since(v))
	p.introductions("brings", r.Beyond(v))
}
