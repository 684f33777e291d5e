package catalog

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/kver-cli/kver/internal/dial"
	"github.com/kver-cli/kver/internal/kafkatest"
	"github.com/kver-cli/kver/internal/negotiate"
)

// asked is what kver reads from a running node.
func asked(t *testing.T, p *kafkatest.Process) *negotiate.Peer {
	t.Helper()
	a, err := dial.ParseAddress(p.Addr)
	if err != nil {
		t.Fatal(err)
	}
	peer := dial.Config{Timeout: 20 * time.Second, SoftwareName: "kver", SoftwareVersion: "1"}.Ask(context.Background(), a)
	if peer.Failure != nil {
		t.Fatal(peer.Failure)
	}
	return peer
}

// is checks that a node is its own release and no other, for a reason.
func is(t *testing.T, p *kafkatest.Process, peer *negotiate.Peer, says string) {
	t.Helper()
	r := Identify(peer)
	first, later := strings.CutSuffix(r.Name, "+")
	own := r.Name == Minor(p.Release) || r.Name == p.Release ||
		later && Minor(first) == Minor(p.Release) && compare(first, p.Release) <= 0
	if evidence := strings.Join(r.Evidence, "; "); r.Verdict != negotiate.Exact || !own || !strings.Contains(evidence, says) {
		t.Errorf("%s is %s: %s, %q; want it exactly, and %q", p.Node, verdict(r), evidence, r.Differs, says)
	}
}

// TestRealMixedClusters runs brokers under controllers of another release, both
// ways round. What such a broker advertises changes with the first request that
// it forwards, without a restart and without an upgrade: it stays the release
// that it is, and a comparison says what has changed and that a gate may leave
// it alone (KAFKA-10674).
func TestRealMixedClusters(t *testing.T) {
	for _, c := range []struct {
		controller, broker string
		level              string // to format with, of the older one
		lowered            []int16
	}{
		{"4.0.0", "4.4.0", "4.0", []int16{45, 80, 94}},
		{"4.4.0", "4.0.0", "4.0", nil},
		{"4.1.1", "4.2.0", "4.1", []int16{80}},
		{"4.2.0", "4.1.1", "4.1", nil},
		{"3.9.1", "4.1.1", "3.9", []int16{45, 57}},
	} {
		t.Run(c.broker+" under "+c.controller, func(t *testing.T) {
			t.Parallel()
			level := "--release-version=" + c.level
			broker := kafkatest.Join(t, kafkatest.Start(t, c.controller, kafkatest.Controller, level), c.broker, level)
			before := asked(t, broker)
			is(t, broker, before, "metadata.version supports")
			if err := kafkatest.Forward(broker.Addr, 20*time.Second); err != nil {
				t.Fatal(err)
			}
			after := asked(t, broker)
			reason := "depends on the active controller"
			if c.lowered == nil {
				reason = "rows agree"
			}
			is(t, broker, after, reason)
			lowered(t, before, after, c.lowered)
		})
	}
}

// lowered checks what a comparison of one broker with itself finds.
func lowered(t *testing.T, before, after *negotiate.Peer, want []int16) {
	t.Helper()
	d := negotiate.Diff([]*negotiate.Peer{before, after}, negotiate.Selection{})
	var keys []int16
	for _, a := range d.APIs {
		keys = append(keys, a.Key)
		if !a.Forwarded || !slices.Contains(a.Notes, "depends on the active controller") {
			t.Errorf("%s changed and nothing says why: %+v", a.Name, a)
		}
	}
	if !slices.Equal(keys, want) {
		t.Errorf("keys %v changed, want %v", keys, want)
	}
	for word, hits := range map[string]int{negotiate.GateBreaking: len(want), negotiate.GateBreakingOwn: 0} {
		gate, err := negotiate.ParseChangeGate([]string{word})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Hits(gate); len(got) != hits {
			t.Errorf("%s hits %v, want %d", word, got, hits)
		}
	}
}

// TestRealCircumstances runs nodes whose tables a setting changes.
func TestRealCircumstances(t *testing.T) {
	for _, c := range []struct {
		name, release string
		kind          kafkatest.Kind
		settings      []string
		says          string
	}{
		{"unstable versions", "4.2.0", kafkatest.KRaft, unstable(), "unstable versions switched on"},
		{"finalized below", "4.4.0", kafkatest.KRaft, []string{"--release-version=4.1"}, "finalized at 27 (4.1-IV1)"},
		{"an old inter.broker.protocol.version", "2.3.1", kafkatest.ZooKeeper, []string{"inter.broker.protocol.version=0.10.2", "log.message.format.version=0.10.2"}, "inter.broker.protocol.version"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := kafkatest.Start(t, c.release, c.kind, c.settings...)
			is(t, p, asked(t, p), c.says)
		})
	}
	t.Run("telemetry", func(t *testing.T) {
		t.Parallel()
		p := kafkatest.Start(t, "4.1.1", kafkatest.KRaft, kafkatest.Receiver(t, "4.1.1")...)
		is(t, p, asked(t, p), "telemetry receiver")
	})
}

// TestApacheAgrees holds kver's rows against Apache's own tool, row by row, for
// one release of every minor one.
func TestApacheAgrees(t *testing.T) {
	for _, minor := range Minors() {
		name := Prefix + minor
		known, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		kind := kafkatest.KRaft
		if known.Mode == negotiate.ZooKeeper {
			kind = kafkatest.ZooKeeper
		}
		release := known.Recorded[len(known.Recorded)-1]
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			p := kafkatest.Start(t, release, kind)
			peer := asked(t, p)
			is(t, p, peer, "")
			var rows []kafkatest.Row
			for _, r := range kafkatest.ApacheTool(t, kind, p.Addr) {
				rows = append(rows, r.Row)
			}
			agree(t, "Apache's tool", peer, rows)
		})
	}
}

// TestLibrdkafkaAgrees holds kver's rows against those of a client that shares
// no code with Kafka's own.
func TestLibrdkafkaAgrees(t *testing.T) {
	for _, n := range []kafkatest.Node{
		{Release: "4.4.0", Kind: kafkatest.KRaft},
		{Release: "3.9.1", Kind: kafkatest.KRaft},
		{Release: "3.9.1", Kind: kafkatest.ZooKeeper},
		{Release: "2.8.2", Kind: kafkatest.ZooKeeper},
		{Release: "1.1.1", Kind: kafkatest.ZooKeeper},
	} {
		t.Run(n.String(), func(t *testing.T) {
			t.Parallel()
			p := kafkatest.Start(t, n.Release, n.Kind)
			peer := asked(t, p)
			agree(t, "librdkafka", peer, kafkatest.Librdkafka(t, p.Addr))
		})
	}
}

// agree compares kver's rows with somebody else's.
func agree(t *testing.T, who string, peer *negotiate.Peer, rows []kafkatest.Row) {
	t.Helper()
	all := make([]negotiate.Row, 0, len(rows))
	for _, r := range rows {
		all = append(all, negotiate.Row{Key: r.Key, Range: negotiate.Range{Min: r.Min, Max: r.Max}})
	}
	if all = negotiate.Tidy(all); !slices.Equal(all, peer.Rows) {
		t.Errorf("kver and %s differ\nkver: %v\nthat: %v", who, peer.Rows, all)
	}
}

// TestKfake: an imitation of a broker is not taken for one that it is not.
func TestKfake(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	a, err := dial.ParseAddress(cluster.ListenAddrs()[0])
	if err != nil {
		t.Fatal(err)
	}
	peer := dial.Config{Timeout: 20 * time.Second, SoftwareName: "kver", SoftwareVersion: "1"}.Ask(context.Background(), a)
	if peer.Failure != nil {
		t.Fatal(peer.Failure)
	}
	if r := Identify(peer); r.Verdict == negotiate.Exact || r.Verdict == negotiate.InRange {
		t.Errorf("it is %s: %q", verdict(r), r.Evidence)
	} else {
		t.Logf("%s: %q, %q", verdict(r), r.Evidence, r.Differs)
	}
}
