package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kver-cli/kver/internal/negotiate"
)

// A line of recordings.txt has these fields and then the changes, all
// separated by a blank; a line that begins with # is for people.
//
//	kraft default 4.1.0,4.1.1 v4 95ff… 0:0-13 -4 metadata.version:7-27=27
//
// The changes turn the table of another line into this one's: of the default
// line before of the same kind or, for a setting, of the default line of its
// first release. The first line of a kind begins with nothing.
const (
	fieldKind = iota
	fieldSetting
	fieldReleases
	fieldVersion
	fieldHash
	fields
)

// defaultWord is the empty setting in the file, and the flags are changes that
// concern neither a row nor a feature.
const (
	defaultWord        = "default"
	flagFinalizedEpoch = "finalized-epoch"
	flagZkMigration    = "zk-migration-ready"
)

// firstFeatures is the first version of ApiVersions whose answer has room for
// features (KIP-584).
const firstFeatures = 3

// decode reads what is in recordings.txt. What it returns beside an error is
// what comes before the mistake.
func decode(text string) ([]Entry, error) {
	var entries []Entry
	n := 0
	for line := range strings.Lines(text) {
		n++
		if strings.HasPrefix(line, "#") {
			continue
		}
		e, err := decodeLine(strings.Fields(line), entries)
		if err != nil {
			return entries, fmt.Errorf("line %d: %w", n, err)
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func decodeLine(words []string, before []Entry) (Entry, error) {
	if len(words) < fields {
		return Entry{}, fmt.Errorf("%d fields, and it takes %d", len(words), fields)
	}
	e := Entry{
		Setting:  Setting(words[fieldSetting]),
		Releases: strings.Split(words[fieldReleases], ","),
		SHA256:   words[fieldHash],
	}
	if e.Setting == defaultWord {
		e.Setting = Default
	}
	var ok bool
	if e.Listener, e.Mode, ok = kindOf(words[fieldKind]); !ok {
		return Entry{}, fmt.Errorf("no kind is called %q", words[fieldKind])
	}
	digits, ok := strings.CutPrefix(words[fieldVersion], "v")
	if e.Version, ok = number(digits, ok); !ok {
		return Entry{}, fmt.Errorf("%q is no version", words[fieldVersion])
	}
	e.begin(before)
	for _, change := range words[fields:] {
		if !e.apply(change) {
			return Entry{}, fmt.Errorf("the change %q cannot be made", change)
		}
	}
	e.finish()
	return e, nil
}

// kindOf reads the first field of a line.
func kindOf(word string) (negotiate.Listener, negotiate.Mode, bool) {
	switch word {
	case "zookeeper":
		return negotiate.BrokerListener, negotiate.ZooKeeper, true
	case "kraft":
		return negotiate.BrokerListener, negotiate.KRaft, true
	case "controller":
		return negotiate.ControllerListener, negotiate.KRaft, true
	}
	return "", "", false
}

// begin copies the table that the changes are to.
func (e *Entry) begin(before []Entry) {
	for _, b := range slices.Backward(before) {
		switch {
		case b.Setting != Default, b.Listener != e.Listener, b.Mode != e.Mode:
		case e.Setting == Default, slices.Contains(b.Releases, e.Releases[0]):
			e.Rows, e.Features = slices.Clone(b.Rows), slices.Clone(b.Features)
			e.ZkMigrationReady, e.finalizedEpoch = b.ZkMigrationReady, b.finalizedEpoch
			return
		}
	}
}

// apply makes one change: a row (0:0-13), a feature (group.version:0-1=1) or a
// flag is set, or taken away with a hyphen before its key or name.
func (e *Entry) apply(change string) bool {
	word, removed := strings.CutPrefix(change, "-")
	name, rest, valued := strings.Cut(word, ":")
	switch name {
	case flagFinalizedEpoch:
		e.finalizedEpoch = !removed
		return !valued
	case flagZkMigration:
		e.ZkMigrationReady = !removed
		return !valued
	}
	if removed == valued {
		return false
	}
	if key, ok := number(name, true); ok {
		return e.applyRow(key, removed, rest)
	}
	return e.applyFeature(name, removed, rest)
}

func (e *Entry) applyRow(key int16, removed bool, text string) bool {
	i, found := slices.BinarySearchFunc(e.Rows, key, func(r negotiate.Row, k int16) int { return cmp.Compare(r.Key, k) })
	if removed {
		if found {
			e.Rows = slices.Delete(e.Rows, i, i+1)
		}
		return found
	}
	versions, ok := span(text)
	if !ok {
		return false
	}
	if !found {
		e.Rows = slices.Insert(e.Rows, i, negotiate.Row{})
	}
	e.Rows[i] = negotiate.Row{Key: key, Range: versions, Times: 1}
	return true
}

// applyFeature sets what is supported and, behind =, the level finalized. One
// of the two may be missing.
func (e *Entry) applyFeature(name string, removed bool, text string) bool {
	i, found := slices.BinarySearchFunc(e.Features, name, func(f negotiate.Feature, n string) int { return cmp.Compare(f.Name, n) })
	if removed {
		if found {
			e.Features = slices.Delete(e.Features, i, i+1)
		}
		return found
	}
	f := negotiate.Feature{Name: name}
	supported, level, finalized := strings.Cut(text, "=")
	if supported != "" {
		versions, ok := span(supported)
		if !ok {
			return false
		}
		f.Supported = &versions
	}
	if finalized {
		n, ok := number(level, true)
		if !ok {
			return false
		}
		f.Finalized = &n
	}
	if !found {
		e.Features = slices.Insert(e.Features, i, negotiate.Feature{})
	}
	e.Features[i] = f
	return supported != "" || finalized
}

// finish says what an answer leaves unsaid: a feature that is not listed is at
// level 0, provided that the epoch says the list is to be believed; below v3
// there is no list.
func (e *Entry) finish() {
	if e.Version >= firstFeatures && e.Features == nil {
		e.Features = []negotiate.Feature{}
	}
	for i, f := range e.Features {
		switch {
		case !e.finalizedEpoch:
			e.Features[i].Finalized = nil
		case f.Finalized == nil:
			e.Features[i].Finalized = new(int16)
		}
	}
}

// span reads versions: 0-13.
func span(text string) (negotiate.Range, bool) {
	low, high, ok := strings.Cut(text, "-")
	from, fromOK := number(low, ok)
	to, toOK := number(high, ok)
	return negotiate.Range{Min: from, Max: to}, fromOK && toOK
}

// number reads a number that is not negative. It has the form of a step in a
// chain of them: where the one before failed, so does this.
func number(digits string, ok bool) (int16, bool) {
	n, err := strconv.ParseInt(digits, 10, 16)
	return int16(n), ok && err == nil && n >= 0
}
