package render

import (
	"slices"
	"strings"

	"github.com/kver-cli/kver/internal/negotiate"
)

// maxColumns is how many tables stand beside each other at most. What more of
// them offer is summed up in one column, since nobody reads a hundred.
const maxColumns = 8

// letter names one of the columns that stand beside each other.
func letter(i int) string { return string(rune('A' + i)) }

// rangeColumns are the columns for the ranges of n tables: a letter each, or
// one for all of them.
func rangeColumns(n int, all string) []column {
	if n > maxColumns {
		return []column{left(all)}
	}
	columns := make([]column, n)
	for i := range columns {
		columns[i] = right(letter(i))
	}
	return columns
}

// rangeCells fill rangeColumns.
func rangeCells(ranges []*negotiate.Range) []cell {
	var cells []cell
	for _, r := range ranges {
		cells = append(cells, say(rangeText(r), plain))
	}
	return summedUp(cells)
}

// summedUp makes one cell of many, with each text once.
func summedUp(cells []cell) []cell {
	if len(cells) <= maxColumns {
		return cells
	}
	var distinct []string
	for _, c := range cells {
		if text := c.text(); !slices.Contains(distinct, text) {
			distinct = append(distinct, text)
		}
	}
	return []cell{say(strings.Join(distinct, ","), plain)}
}

// legend says who stands behind a letter, and of what kind they are.
func (p *page) legend(name string, members []string, kind string) {
	spans := append([]span{{name, bold, 0}}, list(members, plain, "")...)
	spans[1].before = gap
	if kind != "" {
		spans = append(spans, span{kind, faint, gap})
	}
	p.flow(len(name)+gap, spans...)
}
