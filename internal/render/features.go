package render

import (
	"fmt"

	"github.com/kver-cli/kver/internal/negotiate"
)

// features writes what the binary supports and the level at which the cluster
// runs. "Could not say" and "has none" are different answers.
func (p *page) features(peer *negotiate.Peer) {
	switch v := peer.Handshake.Layout; {
	case peer.Features == nil && v != nil:
		p.line(span{fmt.Sprintf("features: not reported at ApiVersions v%d", *v), plain, 0})
	case peer.Features == nil:
		p.line(span{"features: not reported", plain, 0})
	case len(peer.Features) == 0:
		p.line(span{"features: none", plain, 0})
	default:
		p.featureTable(peer.Features)
	}
	if peer.ZkMigrationReady {
		p.line(span{"ready to take over from ZooKeeper", plain, 0})
	}
}

func (p *page) featureTable(features []negotiate.Feature) {
	rows := make([][]cell, len(features))
	for i, f := range features {
		level := ""
		if f.Finalized != nil {
			level = negotiate.LevelName(f.Name, *f.Finalized)
		}
		rows[i] = []cell{
			say(peerText(f.Name), plain),
			say(rangeText(f.Supported), plain),
			say(number(f.Finalized), plain),
			say(peerText(level), plain),
		}
	}
	p.table([]column{left("FEATURE"), right("SUPPORTED"), right("FINALIZED"), left("LEVEL")}, rows)
}

// notFinalized writes what the cluster gains once it is finalized at the levels
// that this binary supports.
func (p *page) notFinalized(peer *negotiate.Peer, lore negotiate.Lore) {
	var next []negotiate.LevelIntroduction
	for _, f := range peer.Features {
		next = append(next, lore.Next(f)...)
	}
	p.stories("SUPPORTED, not finalized yet", ofLevels(next))
}
