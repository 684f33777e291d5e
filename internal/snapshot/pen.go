package snapshot

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// pen writes JSON in kver's layout as it goes, so that no document is ever
// held in memory. A write that fails makes all later ones do nothing; flush
// returns the error.
type pen struct {
	w       *bufio.Writer
	layout  layout // of the container that is open
	depth   int    // containers that are open
	started bool   // the container that is open has a member
	scratch []byte
}

// layout is how a container is laid out. All within one line has to be on it.
type layout int

const (
	lines   layout = iota // a line for each member
	oneLine               // everything on one line
)

// bufferSize is how much is written at a time: some hundred rows.
const bufferSize = 32 << 10

func newPen(w io.Writer) *pen { return &pen{w: bufio.NewWriterSize(w, bufferSize)} }

// document writes one document, whose schema stands first, and a line feed.
func document(w io.Writer, schema string, members func(*pen)) error {
	p := newPen(w)
	p.object(lines, func() {
		p.field("schema").text(schema)
		members(p)
	})
	p.put("\n")
	return p.w.Flush()
}

func (p *pen) put(s string) { _, _ = p.w.WriteString(s) } // the error sticks until Flush

func (p *pen) putBytes(b []byte) { _, _ = p.w.Write(b) } // likewise

func (p *pen) object(l layout, members func()) { p.container("{", "}", l, members) }

// list writes n items.
func (p *pen) list(l layout, n int, item func(i int)) {
	p.container("[", "]", l, func() {
		for i := range n {
			p.next()
			item(i)
		}
	})
}

func (p *pen) container(open, shut string, l layout, fill func()) {
	outer := p.layout
	p.layout = l
	p.depth++
	p.started = false
	p.put(open)
	fill()
	p.depth--
	if p.started && p.layout == lines {
		p.newLine()
	}
	p.put(shut)
	p.layout, p.started = outer, true
}

// next goes to where the next member of the open container begins.
func (p *pen) next() {
	if p.started {
		p.put(",")
	}
	switch {
	case p.layout == lines:
		p.newLine()
	case p.started:
		p.put(" ")
	}
	p.started = true
}

func (p *pen) newLine() {
	p.put("\n")
	for range p.depth {
		p.put("  ")
	}
}

// field begins a member of the open object. Its value has to follow.
func (p *pen) field(name string) *pen {
	p.next()
	p.text(name)
	p.put(": ")
	return p
}

func (p *pen) null() { p.put("null") }

func (p *pen) boolean(b bool) {
	if b {
		p.put("true")
	} else {
		p.put("false")
	}
}

func (p *pen) number(n int64) {
	p.scratch = strconv.AppendInt(p.scratch[:0], n, 10)
	p.putBytes(p.scratch)
}

// whole is the numbers that facts come in.
type whole interface {
	~int | ~int16 | ~int32 | ~int64 | ~uint32
}

// optional writes a number, or null for none.
func optional[T whole](p *pen, n *T) {
	if n == nil {
		p.null()
		return
	}
	p.number(int64(*n))
}

func numbers[T whole](p *pen, list []T) {
	p.list(oneLine, len(list), func(i int) { p.number(int64(list[i])) })
}

func texts[T ~string](p *pen, l layout, list []T) {
	p.list(l, len(list), func(i int) { p.text(string(list[i])) })
}

// word writes a text, or null for the empty one.
func (p *pen) word(s string) {
	if s == "" {
		p.null()
		return
	}
	p.text(s)
}

func (p *pen) text(s string) {
	p.scratch = appendQuoted(p.scratch[:0], s)
	p.putBytes(p.scratch)
}

// appendQuoted appends s as a JSON string. Text may come from a peer and go to
// a terminal: whatever is not for reading is escaped (controls, marks of
// direction, separators of lines), and bytes that are not UTF-8 are replaced.
// Nothing is escaped for the sake of HTML.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case ' ' <= r && r < 0x7f:
			b = append(b, byte(r))
		case unseen(r):
			for _, unit := range utf16.AppendRune(nil, r) {
				b = fmt.Appendf(b, `\u%04x`, unit)
			}
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

func unseen(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }
