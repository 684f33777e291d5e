package render

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "metadata.version", "metadata.version"},
		{"letters", "größe Ω 日本語", "größe Ω 日本語"},
		{"combining mark", "e\u0301", "e\u0301"},
		{"ESC", "\x1b[31mred\x1b[0m", "[31mred[0m"},
		{"OSC 8 link", "\x1b]8;;http://x\x07text\x1b]8;;\x07", "]8;;http://xtext]8;;"},
		{"C1", "a\u009b31mb\u0085c", "a31mb c"},
		{"raw C1 byte", "a\x9bb", "ab"},
		{"NUL and DEL", "a\x00b\x7fc", "abc"},
		{"backspace", "safe\b\b\b\bevil", "safeevil"},
		{"carriage return", "safe\revil", "safe evil"},
		{"newlines", "one\n\n two\r\n\tthree", "one two three"},
		{"around", "\t text \n", "text"},
		{"blanks only", " \n\t ", ""},
		{"no-break space", "a\u00a0b", "a b"},
		{"line separator", "a\u2028b\u2029c", "a b c"},
		{"bidi", "a\u202eb\u202c\u2066c\u2069\u200fd", "abcd"},
		{"invisible", "a\u200b\u200d\ufeff\u00ad\u2060b", "ab"},
		{"fillers", "a\u3164\u115f\ufe0fb", "ab"},
		{"tags", "a\U000e0041b", "ab"},
		{"private use", "a\ue000b", "ab"},
		{"unassigned", "a\U000effffb", "ab"},
		{"invalid UTF-8", "a\xff\xc0\xafb\xe2\x82", "ab"},
		{"replacement character", "a\ufffdb", "a\ufffdb"},
		{"surrogate bytes", "a\xed\xa0\x80b", "ab"},
	} {
		if got := Clean(tt.in); got != tt.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", " a ", "\x1b[2J", "\u202e\n\xff", "日本\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		if !utf8.ValidString(got) || strings.TrimSpace(got) != got || Clean(got) != got {
			t.Errorf("Clean(%q) = %q", s, got)
		}
		for _, r := range got {
			if !unicode.IsPrint(r) {
				t.Errorf("Clean(%q) keeps %U", s, r)
			}
		}
	})
}
