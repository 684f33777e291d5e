package snapshot

import (
	"io"

	"github.com/kver-cli/kver/internal/negotiate"
)

// The schemas of the documents. The number goes up when readers of the old one
// would misunderstand the new one; a field more is no reason.
const (
	VersionsSchema = "kver.versions/1"
	AheadSchema    = "kver.ahead/1"
	DiffSchema     = "kver.diff/1"
)

// WriteVersions writes what each broker offers and what would be used. Without
// states in the selection it is a snapshot, which Read reads.
func WriteVersions(w io.Writer, r negotiate.Report) error {
	return document(w, VersionsSchema, func(p *pen) {
		p.codec(r.Ours)
		p.selection(r.Selection.APIs, r.Selection.States)
		p.field("brokers").list(lines, len(r.Brokers), func(i int) {
			p.object(lines, func() { p.broker(r.Brokers[i], r.Lore) })
		})
		p.cluster(r.Cluster)
		p.told(r)
	})
}

// told writes what the versions of the named keys brought. Nobody has asked for
// that of every key.
func (p *pen) told(r negotiate.Report) {
	p.field("brings")
	if r.Selection.APIs == nil {
		p.null()
		return
	}
	all := r.Told()
	p.list(lines, len(all), func(i int) {
		p.object(oneLine, func() {
			p.field("apiKey").number(int64(all[i].Key))
			p.field("name").text(negotiate.Name(all[i].Key))
			p.introduction(all[i])
		})
	})
}

func (p *pen) broker(b negotiate.Broker, lore negotiate.Lore) {
	p.peer(b.Peer)
	p.verdicts(b.APIs, noMore)
	p.features(b.Peer, lore)
	optional(p.field("finalizedEpoch"), b.FinalizedEpoch)
	p.field("zkMigrationReady").boolean(b.ZkMigrationReady)
	numbers(p.field("unknownTags"), b.UnknownTags)
	p.field("counts").object(oneLine, func() {
		for _, s := range negotiate.States() {
			p.field(string(s)).number(int64(b.Counts[s]))
		}
	})
	texts(p.field("notes"), lines, b.Notes)
	p.failure(b.Failure)
}

func (p *pen) features(b *negotiate.Peer, lore negotiate.Lore) {
	p.field("features")
	if b.Features == nil || b.Failure != nil {
		p.null()
		return
	}
	p.list(lines, len(b.Features), func(i int) {
		f := b.Features[i]
		p.object(oneLine, func() {
			p.field("name").text(f.Name)
			p.field("supported").supported(f.Supported)
			optional(p.field("finalized"), f.Finalized)
			level, meaning := "", ""
			if f.Finalized != nil {
				level = negotiate.LevelName(f.Name, *f.Finalized)
				if m, ok := lore.Meaning(f.Name, *f.Finalized); ok {
					meaning = m.Text()
				}
			}
			p.field("level").word(level)
			p.field("meaning").word(meaning)
		})
	})
}

// cluster writes what can be used on every broker, where they disagree.
func (p *pen) cluster(c *negotiate.Cluster) {
	p.field("cluster")
	if c == nil {
		p.null()
		return
	}
	p.object(lines, func() {
		texts(p.field("targets"), lines, c.Targets)
		p.field("apis").list(lines, len(c.APIs), func(i int) {
			j := c.APIs[i]
			p.object(oneLine, func() {
				p.field("apiKey").number(int64(j.Key))
				p.field("name").text(j.Name)
				p.ends(j.Common)
				optional(p.field("use"), j.Use)
			})
		})
	})
}
