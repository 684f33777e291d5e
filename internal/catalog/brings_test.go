package catalog

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kver-cli/kver/internal/negotiate"
)

// What every line of brings.txt and levels.txt has to look like. The words go
// into a column of a table, hence their length.
var (
	bringsLine = regexp.MustCompile(`^(\d+) (\d+) ([234]\.\d) (KIP-[1-9]\d*|KAFKA-[1-9]\d*|-) ([^ #](?: ?[^ #])*)( # \S+(?: \S+)*)?$`)
	levelsLine = regexp.MustCompile(`^([a-z.]+) (\d+) ([34]\.\d) (KIP-[1-9]\d*|KAFKA-[1-9]\d*|-) ([^ #](?: ?[^ #])*)( # \S+(?: \S+)*)?$`)
)

const (
	maxWords = 60
	maxBytes = 22_000 // both files are part of the binary
)

// minors are the minor releases that introduce something here.
var minors = []string{
	"2.4", "2.5", "2.6", "2.7", "2.8",
	"3.0", "3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7", "3.8", "3.9",
	"4.0", "4.1", "4.2", "4.3", "4.4",
}

// dataLines returns the lines that are data, and fails where one is not in
// form, or not behind the one before it.
func dataLines(t *testing.T, text string, form *regexp.Regexp, compare func(a, b line) int) []line {
	t.Helper()
	if len(text) > maxBytes {
		t.Errorf("%d bytes, and %d are what the binary has room for", len(text), maxBytes)
	}
	if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && (r < ' ' || r > '~') }); i >= 0 {
		t.Errorf("byte %d is not printable ASCII", i)
	}
	var all []line
	for s := range strings.Lines(text) {
		s = strings.TrimSuffix(s, "\n")
		if strings.HasPrefix(s, "#") {
			continue
		}
		l, ok := parseLine(s)
		if !ok || !form.MatchString(s) {
			t.Errorf("not in form: %q", s)
			continue
		}
		if n := len(all); n > 0 && compare(all[n-1], l) >= 0 {
			t.Errorf("%q is twice or out of order", s)
		}
		if len(l.words) > maxWords {
			t.Errorf("%d characters, and %d are shown: %q", len(l.words), maxWords, l.words)
		}
		if strings.HasSuffix(l.words, ".") || sentence.MatchString(l.words) {
			t.Errorf("words are lower case and no sentence: %q", l.words)
		}
		if !slices.Contains(minors, l.release) {
			t.Errorf("no minor release is called %s: %q", l.release, s)
		}
		all = append(all, l)
	}
	if len(all) == 0 {
		t.Fatal("no data")
	}
	return all
}

// sentence finds a capital that begins a sentence, not an acronym or a name.
var sentence = regexp.MustCompile(`^[A-Z][a-z]*( |$)`)

func TestBringsData(t *testing.T) {
	key := func(l line) int {
		n, _ := strconv.Atoi(l.subject)
		return n
	}
	lines := dataLines(t, brings, bringsLine, func(a, b line) int {
		return cmp.Or(cmp.Compare(key(a), key(b)), cmp.Compare(a.number, b.number))
	})
	for _, l := range lines {
		k := int16(key(l))
		if name := negotiate.Name(k); strings.HasPrefix(name, "Unknown") {
			t.Errorf("key %d has no name", k)
		}
		want := []negotiate.Introduction{{Key: k, Version: l.number, Release: l.release, KIP: l.kip, Words: l.words}}
		if got := Brings(k, negotiate.Range{Min: l.number, Max: l.number}); !slices.Equal(got, want) {
			t.Errorf("%s %d: got %v, want %v", l.subject, l.number, got, want)
		}
	}
}

// metadata.version is the one feature whose levels have names; a name says in
// which release the level came, though not before there were features.
func TestLevelsData(t *testing.T) {
	lines := dataLines(t, levels, levelsLine, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.subject, b.subject), cmp.Compare(a.number, b.number))
	})
	named := int16(0)
	for i, l := range lines {
		if i > 0 && lines[i-1].subject == l.subject && lines[i-1].number != l.number-1 {
			t.Errorf("%s has nothing between levels %d and %d", l.subject, lines[i-1].number, l.number)
		}
		want := negotiate.LevelIntroduction{Feature: l.subject, Level: l.number, Release: l.release, KIP: l.kip, Words: l.words}
		if got, ok := LevelBrings(l.subject, l.number); !ok || got != want {
			t.Errorf("%s %d: got %v, want %v", l.subject, l.number, got, want)
		}
		if l.subject != "metadata.version" {
			continue
		}
		named = l.number
		minor, _, _ := strings.Cut(negotiate.LevelName(l.subject, l.number), "-")
		if release := max(minor, "3.3"); minor == "" || l.release != release {
			t.Errorf("%s %d is of %s, and its name says %q", l.subject, l.number, l.release, minor)
		}
	}
	if name := negotiate.LevelName("metadata.version", named+1); named == 0 || name != "" {
		t.Errorf("metadata.version stops at %d, and the next level is %q", named, name)
	}
}

func TestBrings(t *testing.T) {
	for _, c := range []struct {
		what string
		key  int16
		in   negotiate.Range
		want string
	}{
		{"one version", 1, negotiate.Range{Min: 18, Max: 18}, "18 4.1 KIP-1166"},
		{"several, oldest first", 1, negotiate.Range{Min: 16, Max: 18}, "16 3.7 KIP-951, 17 3.9 KIP-853, 18 4.1 KIP-1166"},
		{"older than the data", 1, negotiate.Range{Min: 0, Max: 11}, ""},
		{"partly older", 1, negotiate.Range{Min: 0, Max: 12}, "12 2.7 KIP-595"},
		{"partly newer", 1, negotiate.Range{Min: 18, Max: 32767}, "18 4.1 KIP-1166"},
		{"a new key", 88, negotiate.Range{Min: 0, Max: 0}, "0 4.2 KIP-1071"},
		{"the first key", 0, negotiate.Range{Min: 13, Max: 13}, "13 4.1 KIP-516"},
		{"the last line", 94, negotiate.Range{Min: 0, Max: 9}, "0 4.4 KIP-1312"},
		{"an issue", 18, negotiate.Range{Min: 4, Max: 4}, "4 3.9 KAFKA-17011"},
		{"a key that begins like another", 9, negotiate.Range{Min: 10, Max: 32767}, "10 4.2 KIP-848"},
		{"a key nobody knows", 1000, negotiate.Range{Min: 0, Max: 32767}, ""},
		{"a negative key", -1, negotiate.Range{Min: -32768, Max: 32767}, ""},
		{"a range that contradicts itself", 1, negotiate.Range{Min: 18, Max: 17}, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			var got []string
			for _, i := range Brings(c.key, c.in) {
				if i.Key != c.key || i.Words == "" {
					t.Errorf("got %+v", i)
				}
				got = append(got, fmt.Sprintf("%d %s %s", i.Version, i.Release, i.KIP))
			}
			if got := strings.Join(got, ", "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Names of features come from peers, and some peers are hostile.
func TestLevelBrings(t *testing.T) {
	for _, c := range []struct {
		feature string
		level   int16
		want    string
	}{
		{"metadata.version", 27, "4.1 KIP-1166"},
		{"metadata.version", 1, "3.3 KIP-734"},
		{"metadata.version", 6, "3.3 "},
		{"eligible.leader.replicas.version", 1, "4.0 KIP-966"},
		{"transaction.version", 2, "4.0 KIP-890"},
		{"metadata.version", 34, ""},
		{"metadata.version", -1, ""},
		{"metadata.versio", 27, ""},
		{"metadata.version 2", 2, ""},
		{"sion", 1, ""},
		{"", 1, ""},
		{"#", 1, ""},
		{" ", 1, ""},
		{"\n", 1, ""},
		{"share.version 0 4.1 KIP-932 no share groups\nshare.version", 1, ""},
	} {
		t.Run(fmt.Sprintf("%q %d", c.feature, c.level), func(t *testing.T) {
			l, ok := LevelBrings(c.feature, c.level)
			if !ok {
				if c.want != "" || l != (negotiate.LevelIntroduction{}) {
					t.Errorf("got %+v, want %q", l, c.want)
				}
				return
			}
			if got := l.Release + " " + l.KIP; got != c.want || l.Words == "" {
				t.Errorf("got %+v, want %q", l, c.want)
			}
		})
	}
}

// A report about a release that is far behind asks for a hundred keys.
func BenchmarkBrings(b *testing.B) {
	for b.Loop() {
		for key := range int16(95) {
			Brings(key, negotiate.Range{Min: 0, Max: 32767})
		}
	}
}

func BenchmarkLevelBrings(b *testing.B) {
	for b.Loop() {
		LevelBrings("transaction.version", 2)
	}
}
