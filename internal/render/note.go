package render

import (
	"slices"

	"github.com/kver-cli/kver/internal/negotiate"
)

// remarks are notes, each with the names it belongs to, in the order in which
// they came up.
type remarks struct {
	texts []string
	names map[string][]string
}

// add notes a text; name is "" where it belongs to all.
func (r *remarks) add(text, name string) {
	if r.names == nil {
		r.names = make(map[string][]string)
	}
	if !slices.Contains(r.texts, text) {
		r.texts = append(r.texts, text)
	}
	if name != "" && !slices.Contains(r.names[text], name) {
		r.names[text] = append(r.names[text], name)
	}
}

// rowRemarks gathers the notes of rows.
func rowRemarks(rows []negotiate.Verdict) remarks {
	var r remarks
	for _, v := range rows {
		for _, text := range v.Notes {
			r.add(text, v.Name)
		}
	}
	return r
}

// remarks writes notes, one a line unless it is long.
func (p *page) remarks(r remarks) {
	const head = "NOTE"
	for _, text := range r.texts {
		spans := append([]span{{head, faint, 0}}, list(r.names[text], faint, ":")...)
		spans = append(spans, words(Clean(text), faint)...)
		spans[1].before = gap
		p.flow(len(head)+gap, spans...)
	}
}
