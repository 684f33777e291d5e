package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kver-cli/kver/internal/negotiate"
)

// namedRows is how many departures from a recording are told one by one.
const namedRows = 3

// judged writes which release the tables of a group look like and what that
// rests on: an estimate, and said to be one. A recording needs no judging.
func (p *page) judged(peer *negotiate.Peer) {
	r := peer.Release
	if r == nil || len(peer.Recorded) > 0 {
		return
	}
	parts := slices.Clone(r.Evidence)
	if n := len(r.Differs); n > 0 {
		shown := strings.Join(r.Differs[:min(n, namedRows)], ", ")
		if n > namedRows {
			shown += fmt.Sprintf(" and %d more", n-namedRows)
		}
		parts = append(parts, "but "+shown)
	}
	p.flow(gap, append([]span{{"judged by its table:", faint, 0}}, words(Clean(strings.Join(parts, "; ")), faint)...)...)
}

// story is one version or level and what it brought.
type story struct{ name, since, text string }

func ofVersions(all []negotiate.Introduction) []story {
	stories := make([]story, len(all))
	for i, one := range all {
		stories[i] = story{fmt.Sprintf("%s %d", negotiate.Name(one.Key), one.Version), one.Release, one.Text()}
	}
	return stories
}

func ofLevels(all []negotiate.LevelIntroduction) []story {
	stories := make([]story, len(all))
	for i, one := range all {
		stories[i] = story{fmt.Sprintf("%s %d", Clean(one.Feature), one.Level), one.Release, one.Text()}
	}
	return stories
}

// stories writes what versions and levels brought, one a line unless it is
// long: 4.1   Fetch 18   KIP-1166: high watermark that the replica knows.
func (p *page) stories(title string, all []story) {
	if len(all) == 0 {
		return
	}
	p.put("\n")
	p.line(span{title, bold, 0})
	releases := 0
	for _, s := range all {
		releases = max(releases, width(s.since))
	}
	for _, s := range all {
		text := words(s.text, plain)
		if len(text) > 0 {
			text[0].before = gap
		}
		p.flow(releases+2*gap, append([]span{
			{s.since, faint, releases - width(s.since)},
			{s.name, bold, gap},
		}, text...)...)
	}
}
