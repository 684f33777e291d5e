package catalog

import (
	_ "embed" // the data below
	"iter"
	"strconv"
	"strings"

	"github.com/kver-cli/kver/internal/negotiate"
)

// The data is text that is searched when somebody asks, and nothing is kept:
// most runs never ask, and a search takes microseconds.
var (
	//go:embed brings.txt
	brings string
	//go:embed levels.txt
	levels string
)

// Brings returns what the versions of a key that lie in the range brought,
// oldest first: those that Apache Kafka first offered in 2.4 or later. It is a
// negotiate.History.
func Brings(key int16, in negotiate.Range) []negotiate.Introduction {
	var brought []negotiate.Introduction
	for l := range linesOf(brings, strconv.Itoa(int(key))) {
		if in.Contains(l.number) {
			brought = append(brought, negotiate.Introduction{
				Key: key, Version: l.number, Release: l.release, KIP: l.kip, Words: l.words,
			})
		}
	}
	return brought
}

// LevelBrings returns what a level of a feature means, and false where that is
// not known. It is a negotiate.LevelHistory.
func LevelBrings(feature string, level int16) (negotiate.LevelIntroduction, bool) {
	for l := range linesOf(levels, feature) {
		if l.number == level {
			return negotiate.LevelIntroduction{
				Feature: feature, Level: level, Release: l.release, KIP: l.kip, Words: l.words,
			}, true
		}
	}
	return negotiate.LevelIntroduction{}, false
}

// line is one line of the data.
type line struct {
	subject string // an API key or a feature
	number  int16  // its version or level
	release string
	kip     string
	words   string
}

// linesOf returns the lines about one subject. They stand together, and each
// starts a line, so that the first is found without reading what is before it.
// The subject may be a peer's word, with blanks in it.
func linesOf(text, subject string) iter.Seq[line] {
	return func(yield func(line) bool) {
		at := strings.Index(text, "\n"+subject+" ")
		if at < 0 {
			return
		}
		for s := range strings.Lines(text[at+1:]) {
			if l, ok := parseLine(s); !ok || l.subject != subject || !yield(l) {
				return
			}
		}
	}
}

// parseLine reads "subject number release KIP words # source". A KIP that is a
// dash is none; the source is for those who read the data.
func parseLine(s string) (line, bool) {
	s, _, _ = strings.Cut(s, "#")
	f := strings.SplitN(strings.TrimSpace(s), " ", 5)
	if len(f) != 5 {
		return line{}, false
	}
	number, err := strconv.ParseInt(f[1], 10, 16)
	if err != nil {
		return line{}, false
	}
	l := line{subject: f[0], number: int16(number), release: f[2], kip: f[3], words: f[4]}
	if l.kip == "-" {
		l.kip = ""
	}
	return l, true
}
