package negotiate

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// kafkaNames holds Apache Kafka's own spelling where kmsg's differs. Source:
// the message definitions of Apache Kafka 4.4.
var kafkaNames = map[int16]string{
	4:  "LeaderAndIsr",
	17: "SaslHandshake",
	22: "InitProducerId",
	29: "DescribeAcls",
	30: "CreateAcls",
	31: "DeleteAcls",
	36: "SaslAuthenticate",
	45: "AlterPartitionReassignments",
	50: "DescribeUserScramCredentials",
	51: "AlterUserScramCredentials",
	67: "AllocateProducerIds",
}

// Name returns Apache Kafka's name for an API key, or Unknown(code) for a key
// that this build's codec has no name for.
func Name(key int16) string {
	if name, ok := kafkaNames[key]; ok {
		return name
	}
	if key < 0 || key > kmsg.MaxKey {
		return fmt.Sprintf("Unknown(%d)", key)
	}
	return kmsg.NameForKey(key)
}

// Names returns the name of every key that has one, by key.
func Names() []string {
	names := make([]string, 0, kmsg.MaxKey+1)
	for key := int16(0); key <= kmsg.MaxKey; key++ {
		names = append(names, Name(key))
	}
	return names
}

// ParseKey reads an API key as users write it: a number, Apache Kafka's name
// or kmsg's in any case, or Unknown(code) as kver prints it. The error of a
// name that nobody knows suggests the nearest one.
func ParseKey(s string) (int16, error) {
	digits := s
	if inner, ok := cutUnknown(s); ok {
		digits = inner
	}
	switch n, err := strconv.ParseInt(digits, 10, 16); {
	case err == nil:
		return int16(n), nil
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("API key %q is outside -32768..32767", s)
	}
	for key := int16(0); key <= kmsg.MaxKey; key++ {
		if strings.EqualFold(s, Name(key)) || strings.EqualFold(s, kmsg.NameForKey(key)) {
			return key, nil
		}
	}
	return 0, &UnknownWordError{What: "API", Word: s, Nearest: nearest(s, Names())}
}

// cutUnknown returns the code in Unknown(code), in any case.
func cutUnknown(s string) (string, bool) {
	const prefix = "unknown("
	if len(s) <= len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return "", false
	}
	return strings.CutSuffix(s[len(prefix):], ")")
}

// UnknownWordError is a word that is not in a vocabulary (API names, states,
// kinds of change), with the nearest one that is, or "". Known is the whole
// vocabulary where that is short enough to be told.
type UnknownWordError struct {
	What, Word, Nearest string
	Known               []string
}

func (e *UnknownWordError) Error() string {
	msg := fmt.Sprintf("unknown %s %q", e.What, e.Word)
	switch {
	case e.Nearest != "":
		msg += fmt.Sprintf(" (did you mean %s?)", e.Nearest)
	case len(e.Known) > 0:
		msg += "; it is one of " + strings.Join(e.Known, ", ")
	}
	return msg
}

// nearest returns the word that takes the fewest edits from s, or "" where all
// are so far away that naming one would be a guess.
func nearest(s string, words []string) string {
	s = strings.ToLower(s)
	best, bestEdits := "", len(s)/2+1
	for _, w := range words {
		lower := strings.ToLower(w)
		if len(s) >= 3 && strings.HasPrefix(lower, s) {
			return w
		}
		if n := edits(s, lower); n < bestEdits {
			best, bestEdits = w, n
		}
	}
	return best
}

// edits is the Levenshtein distance between two words.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
