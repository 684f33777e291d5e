package render

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text that came from a peer fit for a terminal. Whatever does not
// print is dropped: control characters (ESC and C1 among them), bidirectional
// overrides, invisible and unassigned runes, bytes that are not UTF-8. White
// space of any kind becomes one blank, so that words stay apart and lines stay
// lines.
func Clean(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		s = s[n:]
		switch {
		case r == utf8.RuneError && n == 1:
		case unicode.IsSpace(r):
			if b.Len() > 0 && !strings.HasSuffix(b.String(), " ") {
				b.WriteByte(' ')
			}
		case unicode.IsPrint(r) && !unicode.In(r, invisible...):
			b.WriteRune(r)
		}
	}
	return strings.TrimSuffix(b.String(), " ")
}

// invisible are runes that count as letters or marks and show nothing.
var invisible = []*unicode.RangeTable{unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector}
