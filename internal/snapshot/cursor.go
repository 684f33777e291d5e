package snapshot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// cursor walks a JSON text that is known to be well-formed, and knows the path
// to where it stands. The first value that is not what was asked for becomes
// err; after that every value is the zero one and every list is at its end.
type cursor struct {
	dec  *json.Decoder
	path []byte // as jq writes it: .brokers[0].target
	err  *Error

	nothing anything
}

func newCursor(text []byte) *cursor {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return &cursor{dec: dec}
}

func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err = &Error{Place: string(c.path), Msg: fmt.Sprintf(format, args...), Hint: hintWrite}
	}
}

// token returns the next token: a json.Delim, string, json.Number or bool, or
// nil for null.
func (c *cursor) token() json.Token {
	if c.err != nil {
		return nil
	}
	t, err := c.dec.Token()
	if err != nil {
		c.fail("%v", err)
	}
	return t
}

func (c *cursor) more() bool { return c.err == nil && c.dec.More() }

// needs says that t is not what is needed here.
func (c *cursor) needs(what string, t json.Token) {
	c.fail("%s; needs %s", describe(t), what)
}

func describe(t json.Token) string {
	switch t := t.(type) {
	case nil:
		return "null"
	case json.Delim:
		if t == '{' {
			return "an object"
		}
		return "a list"
	case string:
		return "the text " + excerpt(t)
	case json.Number:
		return "the number " + shorten(t.String())
	}
	return fmt.Sprint(t) // true, false
}

// choice names the words of a vocabulary.
func choice[T ~string](words []T) string {
	var b strings.Builder
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", string(w))
	}
	return b.String()
}

// excerpt quotes what a document says, not more of it than a message can hold.
func excerpt(s string) string { return strconv.Quote(shorten(s)) }

func shorten(s string) string {
	const most = 40
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// object visits the members of an object and checks that the required ones are
// there. visit has to take or skip the value of each.
func (c *cursor) object(visit func(name string), required ...string) {
	c.members(c.token(), "an object", visit, required)
}

// optionalObject is object where null may stand, and reports whether there was
// an object.
func (c *cursor) optionalObject(visit func(name string), required ...string) bool {
	t := c.token()
	if t == nil {
		return false
	}
	c.members(t, "an object or null", visit, required)
	return true
}

func (c *cursor) members(start json.Token, what string, visit func(name string), required []string) {
	if start != json.Delim('{') {
		c.needs(what, start)
		return
	}
	at := len(c.path)
	missing := uint64(1)<<len(required) - 1 // a bit for each
	for c.more() {
		name, _ := c.token().(string)
		c.path = append(append(c.path[:at], '.'), name...)
		for i, r := range required {
			if r == name {
				missing &^= 1 << i
			}
		}
		visit(name)
	}
	if c.err != nil {
		return
	}
	c.path = c.path[:at]
	if missing != 0 {
		c.path = append(append(c.path, '.'), required[bits.TrailingZeros64(missing)]...)
		c.fail("missing")
	}
	c.token() // the end
}

// list visits the items of a list.
func (c *cursor) list(visit func()) {
	c.items(c.token(), "a list", visit)
}

// optionalList is list where null may stand, and reports whether there was a
// list.
func (c *cursor) optionalList(visit func()) bool {
	t := c.token()
	if t == nil {
		return false
	}
	c.items(t, "a list or null", visit)
	return true
}

func (c *cursor) items(start json.Token, what string, visit func()) {
	if start != json.Delim('[') {
		c.needs(what, start)
		return
	}
	at := len(c.path)
	for i := 0; c.more(); i++ {
		c.path = append(c.path[:at], '[')
		c.path = strconv.AppendInt(c.path, int64(i), 10)
		c.path = append(c.path, ']')
		visit()
	}
	if c.err == nil {
		c.path = c.path[:at]
		c.token() // the end
	}
}

// skip passes over a value, whatever it is.
func (c *cursor) skip() {
	if c.err != nil {
		return
	}
	if err := c.dec.Decode(&c.nothing); err != nil {
		c.fail("%v", err)
	}
}

// anything takes any JSON value and keeps nothing of it.
type anything struct{}

func (*anything) UnmarshalJSON([]byte) error { return nil }

func (c *cursor) text() string {
	t := c.token()
	s, ok := t.(string)
	if !ok {
		c.needs("a text", t)
	}
	return s
}

// optionalText returns nil for null.
func (c *cursor) optionalText() *string {
	t := c.token()
	if t == nil {
		return nil
	}
	s, ok := t.(string)
	if !ok {
		c.needs("a text or null", t)
	}
	return &s
}

func (c *cursor) boolean() bool {
	t := c.token()
	b, ok := t.(bool)
	if !ok {
		c.needs("true or false", t)
	}
	return b
}

// number reads a whole number from least to most.
func number[T whole](c *cursor, least, most T) T {
	n, _ := wholeNumber(c, c.token(), least, most, "")
	return n
}

// optionalNumber returns nil for null.
func optionalNumber[T whole](c *cursor, least, most T) *T {
	t := c.token()
	if t == nil {
		return nil
	}
	n, ok := wholeNumber(c, t, least, most, ", or null")
	if !ok {
		return nil
	}
	return &n
}

func wholeNumber[T whole](c *cursor, t json.Token, least, most T, or string) (T, bool) {
	n, ok := t.(json.Number)
	v, err := strconv.ParseInt(n.String(), 10, 64)
	if !ok || err != nil || v < int64(least) || v > int64(most) {
		c.needs(fmt.Sprintf("a whole number from %d to %d%s", least, most, or), t)
		return 0, false
	}
	return T(v), true
}
