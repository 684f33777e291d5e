package catalog

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kver-cli/kver/internal/negotiate"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name     string
		kind     string
		recorded string // the last release the table was recorded from
		keys     int
	}{
		{"kafka@4.4", "KRaft broker", "4.4.0", 77},
		{"kafka@4.2", "KRaft broker", "4.2.2", 75},
		{"kafka@4.2.0", "KRaft broker", "4.2.2", 75},
		{"KAFKA@4.2/KRaft", "KRaft broker", "4.2.2", 75},
		{"kafka@4.4/controller", "KRaft controller", "4.4.0", 42},
		{"kafka@4.0", "KRaft broker", "4.0.2", 61},
		{"kafka@4.0.0", "KRaft broker", "4.0.0", 61},
		{"kafka@3.9", "KRaft broker", "3.9.2", 61},
		{"kafka@3.9/zk", "ZooKeeper broker", "3.9.2", 62},
		{"kafka@3.9/ZooKeeper", "ZooKeeper broker", "3.9.2", 62},
		{"kafka@3.3", "KRaft broker", "3.3.2", 0},
		{"kafka@3.2", "ZooKeeper broker", "3.2.3", 0},
		{"kafka@3.2/kraft", "KRaft broker", "3.2.3", 0},
		{"kafka@2.8.2", "ZooKeeper broker", "2.8.2", 0},
		{"kafka@0.11", "ZooKeeper broker", "0.11.0.3", 34},
		{"kafka@0.11.0", "ZooKeeper broker", "0.11.0.3", 34},
		{"kafka@0.10.0", "ZooKeeper broker", "0.10.0.1", 0},
		{"kafka@0.10.2.2", "ZooKeeper broker", "0.10.2.2", 0},
	} {
		p, err := Find(c.name)
		if err != nil {
			t.Error(err)
			continue
		}
		if kind := negotiate.Kind(p.Listener, p.Mode); kind != c.kind || p.Recorded[len(p.Recorded)-1] != c.recorded || p.Target != c.name {
			t.Errorf("%s is a %s, recorded from %q", p.Target, kind, p.Recorded)
		}
		if n := len(p.Keys()); c.keys != 0 && n != c.keys {
			t.Errorf("%s has %d keys, want %d", c.name, n, c.keys)
		}
		if p.Failure != nil || p.Handshake.Requests != 0 || p.Release == nil || p.Release.Verdict != negotiate.Exact {
			t.Errorf("%s: %+v", c.name, p)
		}
	}
}

func TestFindNothing(t *testing.T) {
	for name, want := range map[string]string{
		"kafka@":                 "no release named; these are known:",
		"kafka@/zk":              "no release named",
		"kafka@9.9":              `no recording of Kafka "9.9"; the nearest is kafka@4.4 (kafka@ lists all)`,
		"kafka@4":                "more than one release; there is 4.0, 4.1, 4.2, 4.3, 4.4",
		"kafka@0.10":             "more than one release; there is 0.10.0, 0.10.1, 0.10.2",
		"kafka@0.9":              `no recording of Kafka "0.9"; the nearest is kafka@0.10.0`,
		"kafka@4.1.9":            "no recording of Kafka 4.1.9; of 4.1 there is 4.1.0, 4.1.1",
		"kafka@4.1/zk":           "Kafka 4.1 has no such listener; for 4.1 there is kraft, controller",
		"kafka@2.8/controller":   "for 2.8 there is zk",
		"kafka@4.1/xx":           `no kind of listener is called "xx"; for 4.1 there is kraft, controller`,
		"kafka@4.1/":             `no kind of listener is called ""`,
		"kafka@4.1/zk/zk":        "no kind of listener",
		"kafka@abc":              `no recording of Kafka "abc"`,
		"kafka@.":                "no recording of Kafka",
		"kafka@99999999999999.1": "the nearest is",
		"kafka@-1":               "no recording of Kafka",
	} {
		p, err := Find(name)
		var wrong *NameError
		if p != nil || !errors.As(err, &wrong) || wrong.Name != name || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	_, err := Find("kafka@")
	var list *NameError
	if !errors.As(err, &list) || len(list.Known) != len(Minors()) {
		t.Fatalf("no list: %v", err)
	}
	known := strings.Join(list.Known, "\n")
	for _, want := range []string{"kafka@0.10.0", "zk", "kafka@4.4", "kraft, controller", "(4.0.0, 4.0.1, 4.0.2)"} {
		if !strings.Contains(known, want) {
			t.Errorf("the list does not say %q:\n%s", want, known)
		}
	}
}

// TestNames: every name that is offered is found, and every recording of a
// node as it comes has one.
func TestNames(t *testing.T) {
	found := make(map[string]bool)
	for _, name := range Names() {
		p, err := Find(name)
		if err != nil {
			t.Error(err)
			continue
		}
		found[string(p.Mode)+string(p.Listener)+p.Recorded[0]] = true
	}
	for _, e := range Entries() {
		if key := string(e.Mode) + string(e.Listener) + e.Releases[0]; e.Setting == Default && !found[key] {
			t.Errorf("no name finds %s", key)
		}
	}
	if names := Names(); len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
		t.Error("a name is offered twice")
	}
}

func TestCompare(t *testing.T) {
	ordered := []string{"0.10.0.1", "0.10.2.2", "0.11.0.3", "1.0.2", "2.8.2", "3.9.2", "3.10.0", "4.0", "4.0.0", "4.0.1"}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := compare(a, b); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%s and %s compare as %d", a, b, got)
			}
		}
	}
}
