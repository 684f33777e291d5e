package render

import (
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twcache"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// column is the head of a table's column.
type column struct {
	name  string
	align tw.Align
}

func left(name string) column  { return column{name, tw.AlignLeft} }
func right(name string) column { return column{name, tw.AlignRight} }

// cell is one cell of a table, in pieces of which each has its tone.
type cell []span

func say(text string, t tone) cell { return cell{{text, t, 0}} }

// keyCells begin a row about an API key.
func keyCells(key int16, name string, t tone) []cell {
	return []cell{say(strconv.Itoa(int(key)), t), say(name, t)}
}

// text is the cell as it reads without colour.
func (c cell) text() string {
	var b strings.Builder
	for _, s := range c {
		b.WriteString(strings.Repeat(" ", s.before))
		b.WriteString(s.text)
	}
	return b.String()
}

// none is what a cell shows where there is nothing to show.
const none = "-"

// chunk is how many rows the library gets at once. It takes some 4 KB of memory
// for a row, and a hostile peer can advertise 65,536 keys; no Kafka has 300.
const chunk = 512

// table writes a table. tablewriter measures and walks it; ruler draws it.
func (p *page) table(columns []column, rows [][]cell) {
	if len(rows) <= chunk {
		p.draw(columns, rows, &ruler{})
		return
	}
	all := widest(columns, rows)
	for first := 0; first < len(rows); first += chunk {
		part := rows[first:min(first+chunk, len(rows))]
		p.draw(columns, append([][]cell{all}, part...), &ruler{skip: 1, headless: first > 0})
	}
}

// widest is a row that is as wide as the table in every column: measured with
// each chunk and never drawn, it gives all of them the same columns.
func widest(columns []column, rows [][]cell) []cell {
	all := make([]cell, len(columns))
	for i := range all {
		most := 0
		for _, row := range rows {
			if text := row[i].text(); width(text) > most {
				all[i], most = say(text, plain), width(text)
			}
		}
	}
	return all
}

func (p *page) draw(columns []column, rows [][]cell, r *ruler) {
	names, aligns := make([]string, len(columns)), make([]tw.Align, len(columns))
	for i, c := range columns {
		names[i], aligns[i] = c.name, c.align
	}
	// A table of the library is made with a cache of 1 MB: one does for all.
	if p.layout == nil {
		p.layout = newLayout()
	}
	r.Blueprint, r.page, r.rows = bare(), p, rows
	t := p.layout
	t.Reset()
	t.Options(
		tablewriter.WithRenderer(r),
		tablewriter.WithAlignment(aligns),
		tablewriter.WithHeader(names),
	)
	var err error
	for _, row := range rows {
		err = errors.Join(err, t.Append(texts(row)))
	}
	p.err = errors.Join(p.err, err, t.Render())
}

// newLayout switches off what the library would do to text on its own.
func newLayout() *tablewriter.Table {
	return tablewriter.NewTable(io.Discard,
		// The library takes the East Asian width of a letter from the locale.
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithPadding(tw.PaddingNone),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		// For values that are not strings; Reset makes it anew each time.
		tablewriter.WithStringerCacheCustom(twcache.NewLRU[reflect.Type, reflect.Value](1)),
	)
}

func texts(row []cell) []string {
	s := make([]string, len(row))
	for i, c := range row {
		s[i] = c.text()
	}
	return s
}

// bare is the library's plain renderer without any lines.
func bare() *renderer.Blueprint {
	return renderer.NewBlueprint(tw.Rendition{
		Borders:  tw.BorderNone,
		Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
	})
}

// ruler draws a table that has been measured: it knows plain text only, pads
// it, and paints after that, so that colour cannot move anything. The library's
// own renderers pad the last column, too, and put resets behind the padding.
type ruler struct {
	*renderer.Blueprint
	page     *page
	rows     [][]cell
	next     int  // the row that comes
	skip     int  // how many rows are measured only
	headless bool // the header is measured only
}

// Start is called before anything is drawn. The page is where it goes, not the
// table's writer.
func (r *ruler) Start(io.Writer) error { return nil }

// Header draws the header.
func (r *ruler) Header(headers [][]string, ctx tw.Formatting) {
	for _, h := range headers {
		if r.headless {
			return
		}
		cells := make([]cell, len(h))
		for i, name := range h {
			cells[i] = say(name, bold)
		}
		r.draw(cells, ctx)
	}
}

// Row draws one row.
func (r *ruler) Row(_ []string, ctx tw.Formatting) {
	if r.next >= r.skip {
		r.draw(r.rows[r.next], ctx)
	}
	r.next++
}

func (r *ruler) draw(cells []cell, ctx tw.Formatting) {
	owed := 0 // blanks that are written if something follows
	for i, c := range cells {
		pad := max(ctx.Row.Widths.Get(i)-width(c.text()), 0)
		before, after := 0, pad
		if ctx.Row.Current[i].Align == tw.AlignRight {
			before, after = pad, 0
		}
		r.page.put(strings.Repeat(" ", owed+before))
		r.page.spans(c)
		owed = after + gap
	}
	r.page.put("\n")
}
