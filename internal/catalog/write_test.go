package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kver-cli/kver/internal/kafkatest"
)

// header is what recordings.txt begins with.
const header = `# What each release of Apache Kafka advertised, recorded from running nodes by
#   go test ./internal/catalog -run '^TestRecord$' -record -timeout 60m
# kind, setting, releases, version asked, SHA-256 of the canonical answer, then
# what changed since the default line before, or a setting from the default:
# key:versions, -key, feature:supported=finalized, -feature, flag, -flag.
`

// recording is what one node answered, in canonical form.
type recording struct {
	node    kafkatest.Node
	setting Setting
	version int16
	table   kafkatest.Table
}

func (r recording) id() string { return r.node.String() + "-" + string(cmp.Or(r.setting, defaultWord)) }

func (r recording) hash() string { return hash(r.version, r.table) }

// recordedKinds and recordedSettings are in the order of recordings.txt.
func recordedKinds() []kafkatest.Kind {
	return []kafkatest.Kind{kafkatest.ZooKeeper, kafkatest.KRaft, kafkatest.Controller}
}

func recordedSettings() []Setting { return []Setting{Default, Forwarded, Telemetry, Unstable} }

// recordingsOf takes entries apart into what each node answered.
func recordingsOf(t *testing.T, entries []Entry) map[string]recording {
	t.Helper()
	all := map[string]recording{}
	for _, e := range entries {
		i := slices.IndexFunc(recordedKinds(), func(k kafkatest.Kind) bool {
			listener, mode, _ := kindOf(string(k))
			return listener == e.Listener && mode == e.Mode
		})
		for _, release := range e.Releases {
			r := recording{kafkatest.Node{Release: release, Kind: recordedKinds()[i]}, e.Setting, e.Version, tableOf(e)}
			if _, twice := all[r.id()]; twice {
				t.Errorf("%s is there twice", r.id())
			}
			all[r.id()] = r
		}
	}
	return all
}

// write writes recordings.txt. A setting that changes nothing is left out.
func write(all map[string]recording) string {
	var b strings.Builder
	b.WriteString(header)
	for _, kind := range recordedKinds() {
		defaults := map[string]kafkatest.Table{} // by release
		for _, setting := range recordedSettings() {
			var before kafkatest.Table
			before.Epoch = -1
			for _, group := range grouped(all, kind, setting) {
				first := group[0]
				if setting != Default {
					before = defaults[first.node.Release]
				}
				var releases []string
				for _, r := range group {
					releases = append(releases, r.node.Release)
					if setting == Default {
						defaults[r.node.Release] = r.table
					}
				}
				fmt.Fprintf(&b, "%s %s %s v%d %s", kind, cmp.Or(setting, defaultWord), strings.Join(releases, ","), first.version, first.hash())
				for _, change := range changes(before, first.table) {
					b.WriteString(" " + change)
				}
				b.WriteByte('\n')
				before = first.table
			}
		}
	}
	return b.String()
}

// grouped are the recordings of a kind with a setting, those that are the same
// together, the oldest first.
func grouped(all map[string]recording, kind kafkatest.Kind, setting Setting) (groups [][]recording) {
	some := slices.Collect(maps.Values(all))
	some = slices.DeleteFunc(some, func(r recording) bool {
		plain, ok := all[recording{node: r.node}.id()]
		same := setting != Default && ok && plain.hash() == r.hash()
		return r.node.Kind != kind || r.setting != setting || same
	})
	slices.SortFunc(some, func(a, b recording) int { return kafkatest.CompareReleases(a.node.Release, b.node.Release) })
	for _, r := range some {
		i := slices.IndexFunc(groups, func(g []recording) bool { return g[0].hash() == r.hash() })
		if i < 0 {
			groups = append(groups, nil)
			i = len(groups) - 1
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

// changes are the words that turn one table into another.
func changes(from, to kafkatest.Table) []string {
	words := differences(rowWords(from), rowWords(to), func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return cmp.Compare(x, y)
	})
	words = append(words, differences(featureWords(from), featureWords(to), strings.Compare)...)
	return append(words, differences(flagWords(from), flagWords(to), strings.Compare)...)
}

func differences(from, to map[string]string, order func(a, b string) int) (words []string) {
	for _, name := range slices.SortedFunc(maps.Keys(from), order) {
		if _, ok := to[name]; !ok {
			words = append(words, "-"+name)
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(to), order) {
		if was, ok := from[name]; !ok || was != to[name] {
			words = append(words, name+to[name])
		}
	}
	return words
}

func rowWords(t kafkatest.Table) map[string]string {
	words := map[string]string{}
	for _, r := range t.Rows {
		words[strconv.Itoa(int(r.Key))] = fmt.Sprintf(":%d-%d", r.Min, r.Max)
	}
	return words
}

func featureWords(t kafkatest.Table) map[string]string {
	words := map[string]string{}
	for _, f := range t.Supported {
		words[f.Name] = fmt.Sprintf(":%d-%d", f.Min, f.Max)
	}
	for _, f := range t.Finalized {
		words[f.Name] = fmt.Sprintf("%s=%d", cmp.Or(words[f.Name], ":"), f.Max)
	}
	return words
}

func flagWords(t kafkatest.Table) map[string]string {
	words := map[string]string{}
	if t.Epoch >= 0 {
		words[flagFinalizedEpoch] = ""
	}
	if t.ZkMigrationReady {
		words[flagZkMigration] = ""
	}
	return words
}
