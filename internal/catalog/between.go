package catalog

import (
	"fmt"

	"github.com/kver-cli/kver/internal/negotiate"
)

// A release has all that the one before has and goes further somewhere. That
// much is foretold of one that is not recorded: its metadata.version supports a
// higher level, or, where there are no levels, its rows end higher. Minimums
// are left alone: 4.0 raised them, and 4.0.1 lowered one again. Keys that are
// forwarded are, too: they end where an older controller's do.

// above reports whether a peer goes further than the entry.
func above(e Entry, p *negotiate.Peer) bool {
	mine, theirs := metadata(e.Features), metadata(p.Features)
	if mine != nil && theirs != nil && p.Mode == negotiate.KRaft {
		return theirs.Supported.Max > mine.Supported.Max && 10*len(e.lower(p)) <= len(e.Rows)
	}
	return mine == nil && len(e.lower(p)) == 0 && e.higher(p)
}

// below reports whether the entry goes further than a peer.
func below(e Entry, p *negotiate.Peer) bool {
	mine, theirs := metadata(e.Features), metadata(p.Features)
	if mine != nil && theirs != nil && p.Mode == negotiate.KRaft {
		return theirs.Supported.Max < mine.Supported.Max && !e.higher(p)
	}
	return theirs == nil && !e.higher(p)
}

// lower lists the keys on which a peer ends lower than the entry, or which it
// lacks.
func (e Entry) lower(p *negotiate.Peer) []string {
	var keys []string
	for _, r := range e.Rows {
		if p.Forwards(r.Key) {
			continue
		}
		theirs, ok := p.Usable(r.Key)
		if !ok || theirs.Max < r.Max {
			keys = append(keys, fmt.Sprintf("%s (%d) ends lower than %d", negotiate.Name(r.Key), r.Key, r.Max))
		}
	}
	return keys
}

// higher reports whether a peer ends higher than the entry on any key, or has
// one more. Keys that only a setting brings do not count.
func (e Entry) higher(p *negotiate.Peer) bool {
	for _, r := range p.Rows {
		if p.Forwards(r.Key) || r.Key == 71 || r.Key == 72 {
			continue
		}
		if mine := e.row(r.Key); mine == nil || mine.Max < r.Max {
			return true
		}
	}
	return false
}
