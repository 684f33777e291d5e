package catalog

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kver-cli/kver/internal/kafkatest"
)

var record = flag.Bool("record", false, "record recordings.txt anew, from real nodes")

const (
	// newestVersion is the highest version of ApiVersions that a release takes.
	newestVersion = 5
	askTimeout    = 10 * time.Second
	// handful is how many nodes are recorded again each day. All take minutes.
	handful = 5
)

// recordedReleases are the releases in recordings.txt: of each minor release the last
// patch, and all that came out in the last three years.
func recordedReleases() []string {
	return []string{
		"0.10.0.1", "0.10.1.1", "0.10.2.2", "0.11.0.3", "1.0.2", "1.1.1",
		"2.0.1", "2.1.1", "2.2.2", "2.3.1", "2.4.1", "2.5.1", "2.6.3", "2.7.2", "2.8.2",
		"3.0.2", "3.1.2", "3.2.3", "3.3.2", "3.4.1", "3.5.2",
		"3.6.0", "3.6.1", "3.6.2", "3.7.0", "3.7.1", "3.7.2", "3.8.0", "3.8.1", "3.9.0", "3.9.1", "3.9.2",
		"4.0.0", "4.0.1", "4.0.2", "4.1.0", "4.1.1", "4.1.2", "4.2.0", "4.2.1", "4.2.2", "4.3.0", "4.3.1", "4.3.2", "4.4.0",
	}
}

// job is one release to start with ZooKeeper or with KRaft, and how.
type job struct {
	release string
	mode    kafkatest.Kind
	setting Setting
}

func (j job) String() string {
	return fmt.Sprintf("%s-%s-%s", j.release, j.mode, cmp.Or(j.setting, defaultWord))
}

// unstable are the lines that make a node offer what is not released: the
// first came with 3.5, the second with 3.8, the third was for 3.7 only.
func unstable() []string {
	return []string{"unstable.api.versions.enable=true", "unstable.feature.versions.enable=true", "unstable.metadata.versions.enable=true"}
}

// jobs are what is started of a release.
func jobs(release string) (all []job) {
	from := func(first string) bool { return kafkatest.CompareReleases(release, first) >= 0 }
	for _, mode := range []kafkatest.Kind{kafkatest.ZooKeeper, kafkatest.KRaft} {
		kraft := mode == kafkatest.KRaft
		if kraft && !from("3.0") || !kraft && from("4.0") {
			continue
		}
		all = append(all, job{release, mode, Default})
		if kraft && from("3.7") {
			all = append(all, job{release, mode, Telemetry})
		}
		if from("3.5") {
			all = append(all, job{release, mode, Unstable})
		}
	}
	return all
}

// run starts the nodes and returns what they answer. A KRaft broker runs under
// a controller in another process, as brokers do: up to 3.2 one that shares
// the process offers other keys. With default settings it is asked before and
// after it forwards its first request.
func (j job) run(t *testing.T) (all []recording) {
	t.Helper()
	began := time.Now()
	defer func() { t.Logf("%s: %s", j, time.Since(began).Round(10*time.Millisecond)) }()
	var lines []string
	if j.setting == Unstable {
		lines = unstable()
	}
	if j.mode == kafkatest.ZooKeeper {
		return []recording{ask(t, kafkatest.Start(t, j.release, j.mode, lines...), j.setting)}
	}
	controller := kafkatest.Start(t, j.release, kafkatest.Controller, lines...)
	if j.setting == Telemetry {
		lines = kafkatest.Receiver(t, j.release)
	} else {
		all = append(all, ask(t, controller, j.setting))
	}
	broker := kafkatest.Join(t, controller, j.release, lines...)
	all = append(all, ask(t, broker, j.setting))
	if j.setting == Default {
		if err := kafkatest.Forward(broker.Addr, askTimeout); err != nil {
			t.Fatal(err)
		}
		all = append(all, ask(t, broker, Forwarded))
	}
	return all
}

// ask asks with the highest version that is answered, and makes sure that
// nothing is lost when the answer is written down.
func ask(t *testing.T, p *kafkatest.Process, setting Setting) recording {
	t.Helper()
	for version := int16(newestVersion); version >= 0; version-- {
		raw, err := kafkatest.AskRaw(p.Addr, version, askTimeout)
		if err != nil {
			t.Fatal(err)
		}
		table, err := kafkatest.DecodeFrame(version, raw)
		if err != nil {
			t.Fatal(err)
		}
		if table.Code != 0 {
			continue
		}
		id := uint32(raw[4])<<24 | uint32(raw[5])<<16 | uint32(raw[6])<<8 | uint32(raw[7])
		if again := frame(id, version, table); !bytes.Equal(raw, again) {
			t.Fatalf("%s %s: the answer\n%x\nis encoded again as\n%x", p.Node, setting, raw, again)
		}
		r := recording{p.Node, setting, version, canonical(table)}
		if table.Throttle != 0 || len(rowWords(table)) != len(table.Rows) {
			t.Fatalf("%s %s: recordings.txt has no place for a throttle or a key advertised twice: %+v", p.Node, setting, table)
		}
		return r
	}
	t.Fatalf("%s %s answers no version", p.Node, setting)
	return recording{}
}

// TestRecord starts some nodes again, others each day and always the newest,
// and holds their answers against recordings.txt. With -record it starts all
// (or those that -run names: TestRecord/4.1.0) and writes the file.
func TestRecord(t *testing.T) {
	if *record {
		recordAll(t)
		return
	}
	was := recordingsOf(t, Entries())
	for _, j := range today(t) {
		t.Run(j.String(), func(t *testing.T) {
			t.Parallel()
			for _, r := range j.run(t) {
				expected(t, was, r)
			}
		})
	}
}

// expected compares an answer with the recorded one. A setting that has none
// changes nothing.
func expected(t *testing.T, was map[string]recording, r recording) {
	t.Helper()
	want, ok := was[r.id()]
	if !ok {
		want, ok = was[recording{node: r.node}.id()]
	}
	if !ok || want.version != r.version || want.hash() != r.hash() {
		t.Errorf("%s answers v%d with changes to what is recorded: %v", r.id(), r.version, changes(want.table, r.table))
	}
}

// today are the newest release's nodes and a handful of all others, which
// comes round to every node.
func today(t *testing.T) []job {
	t.Helper()
	var all []job
	for _, release := range recordedReleases() {
		all = append(all, jobs(release)...)
	}
	newest := jobs(recordedReleases()[len(recordedReleases())-1])
	all = all[:len(all)-len(newest)]
	day := int(time.Now().Unix() / int64(24*time.Hour/time.Second))
	first := day * handful % len(all)
	t.Logf("on day %d: nodes %d to %d of %d", day, first, (first+handful-1)%len(all), len(all))
	some := slices.DeleteFunc(newest, func(j job) bool { return j.setting != Default })
	for i := range handful {
		some = append(some, all[(first+i)%len(all)])
	}
	return some
}

// recordAll records release by release. One that fails keeps what it had.
func recordAll(t *testing.T) {
	var mu sync.Mutex
	all := recordingsOf(t, Entries())
	maps.DeleteFunc(all, func(_ string, r recording) bool { return !slices.Contains(recordedReleases(), r.node.Release) })
	t.Cleanup(func() { // when all subtests are through
		t.Logf("%d recordings", len(all))
		if err := os.WriteFile("recordings.txt", []byte(write(all)), 0o644); err != nil {
			t.Error(err)
		}
	})
	for _, release := range recordedReleases() {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			var got []recording
			for _, j := range jobs(release) {
				got = append(got, j.run(t)...)
			}
			mu.Lock()
			defer mu.Unlock()
			maps.DeleteFunc(all, func(_ string, r recording) bool { return r.node.Release == release })
			for _, r := range got {
				all[r.id()] = r
			}
		})
	}
}
