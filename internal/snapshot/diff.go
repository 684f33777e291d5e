package snapshot

import (
	"io"

	"github.com/kver-cli/kver/internal/negotiate"
)

// WriteDiff writes where peers disagree.
func WriteDiff(w io.Writer, d negotiate.Difference) error {
	return document(w, DiffSchema, func(p *pen) {
		p.selection(d.Selection.APIs, nil)
		p.field("groups").list(lines, len(d.Groups), func(i int) {
			p.object(lines, func() { p.group(d.Groups[i]) })
		})
		p.field("kindsDiffer").boolean(d.KindsDiffer)
		p.field("apis").list(lines, len(d.APIs), func(i int) {
			p.object(oneLine, func() { p.apiChange(d, d.APIs[i]) })
		})
		p.field("features").list(lines, len(d.Features), func(i int) {
			p.object(oneLine, func() { p.featureChange(d, d.Features[i]) })
		})
		texts(p.field("notes"), lines, d.Notes)
		p.field("targets").list(lines, len(d.Failed), func(i int) {
			p.object(lines, func() {
				p.field("target").text(negotiate.Label(d.Failed[i]))
				p.failure(d.Failed[i].Failure)
			})
		})
	})
}

func (p *pen) group(g negotiate.Group) {
	p.field("name").text(g.Name)
	p.field("targets").list(lines, len(g.Peers), func(i int) { p.text(negotiate.Label(g.Peers[i])) })
	p.kind(g.Listener, g.Mode)
	p.release(g.Release())
}

func (p *pen) apiChange(d negotiate.Difference, a negotiate.APIChange) {
	p.field("apiKey").number(int64(a.Key))
	p.field("name").text(a.Name)
	p.field("ranges").list(oneLine, len(a.Ranges), func(i int) { p.versions(a.Ranges[i]) })
	p.field("forwarded").boolean(a.Forwarded)
	p.judgement(a.Changes, a.Breaking)
	p.introductions("gained", d.Gained(a))
	p.introductions("lost", d.Lost(a))
	texts(p.field("notes"), oneLine, a.Notes)
}

func (p *pen) featureChange(d negotiate.Difference, f negotiate.FeatureChange) {
	p.field("name").text(f.Name)
	p.field("sides").list(oneLine, len(f.Sides), func(i int) {
		side := f.Sides[i]
		if side == nil {
			p.null()
			return
		}
		p.object(oneLine, func() {
			p.field("supported").supported(side.Supported)
			optional(p.field("finalized"), side.Finalized)
		})
	})
	p.judgement(f.Changes, f.Breaking)
	gained := d.GainedLevels(f)
	p.field("gained").list(oneLine, len(gained), func(i int) {
		g := gained[i]
		p.object(oneLine, func() {
			p.field("level").number(int64(g.Level))
			p.brings(g.Release, g.KIP, g.Words)
		})
	})
}

func (p *pen) judgement(changes []negotiate.Change, breaking bool) {
	texts(p.field("changes"), oneLine, changes)
	p.field("breaking").boolean(breaking)
}
