package render

import (
	"bufio"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

const (
	// pageWidth is where lists and remarks are wrapped: the terminal of every
	// console, log viewer and mail. Table rows never are.
	pageWidth = 80
	// gap is the blanks between columns, and between parts of a heading.
	gap = 3
	// bufferSize holds the whole answer of one broker, so that it is written at
	// once; a thousand brokers go out piece by piece.
	bufferSize = 64 << 10
)

// page is what is written on: lines of text and tables, in sections that a
// blank line keeps apart.
type page struct {
	out    *bufio.Writer // keeps the first error and writes nothing after it
	ink    ink
	begun  bool
	layout *tablewriter.Table // measures every table of the page
	err    error              // what the library could not do
}

func newPage(w io.Writer, s Style) *page {
	return &page{out: bufio.NewWriterSize(w, bufferSize), ink: newInk(s.Color)}
}

// close writes what is left and returns the first error.
func (p *page) close() error {
	if err := p.out.Flush(); err != nil {
		return err
	}
	return p.err
}

// section begins a new section.
func (p *page) section() {
	if p.begun {
		p.put("\n")
	}
	p.begun = true
}

// put writes text as it is. Its error is kept and comes back from close.
func (p *page) put(text string) { _, _ = p.out.WriteString(text) }

// span is a piece of a line that is not broken, and the blanks before it.
type span struct {
	text   string
	tone   tone
	before int
}

// spans writes pieces of a line and does not end it.
func (p *page) spans(spans []span) {
	for _, s := range spans {
		p.put(strings.Repeat(" ", s.before))
		p.put(p.ink[s.tone].open)
		p.put(s.text)
		p.put(p.ink[s.tone].shut)
	}
}

// line writes one line, however long.
func (p *page) line(spans ...span) {
	p.spans(spans)
	p.put("\n")
}

// flow writes spans over as many lines as pageWidth asks for; those after the
// first are indented.
func (p *page) flow(indent int, spans ...span) {
	at := 0
	for i := range spans {
		s := &spans[i]
		w := width(s.text)
		if at > indent && at+s.before+w > pageWidth {
			p.put("\n")
			at, s.before = 0, indent
		}
		at += s.before + w
		p.spans(spans[i : i+1])
	}
	p.put("\n")
}

// words makes a span of each word of a sentence.
func words(sentence string, t tone) []span {
	var spans []span
	for _, w := range strings.Fields(sentence) {
		spans = append(spans, span{w, t, 1})
	}
	return spans
}

// list makes a span of each name, with commas between them and end after them.
func list(names []string, t tone, end string) []span {
	spans := make([]span, len(names))
	for i, name := range names {
		comma := ","
		if i == len(names)-1 {
			comma = end
		}
		spans[i] = span{Clean(name) + comma, t, 1}
	}
	return spans
}

// width is the columns that text takes, the same in every locale.
func width(text string) int {
	return twwidth.WidthWithOptions(text, twwidth.Options{})
}
