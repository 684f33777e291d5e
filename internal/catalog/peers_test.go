package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kver-cli/kver/internal/negotiate"
)

// peerOf is a peer with the rows "key:min-max …".
func peerOf(t testing.TB, rows string) *negotiate.Peer {
	t.Helper()
	var all []negotiate.Row
	for word := range strings.FieldsSeq(rows) {
		key, text, _ := strings.Cut(word, ":")
		n, err := strconv.ParseInt(key, 10, 16)
		r, ok := span(text)
		if err != nil || !ok {
			t.Fatalf("%q is no row", word)
		}
		all = append(all, negotiate.Row{Key: int16(n), Range: r})
	}
	p := &negotiate.Peer{Target: "peer:9092", Rows: negotiate.Tidy(all)}
	p.Listener, p.Mode = negotiate.Classify(p.Rows)
	return p
}

// set puts rows into a peer's table, or takes them out: "-24".
func set(t testing.TB, p *negotiate.Peer, changes string) *negotiate.Peer {
	t.Helper()
	for word := range strings.FieldsSeq(changes) {
		key, gone := strings.CutPrefix(word, "-")
		key, _, _ = strings.Cut(key, ":")
		n, err := strconv.ParseInt(key, 10, 16)
		if err != nil {
			t.Fatal(err)
		}
		p.Rows = slices.DeleteFunc(p.Rows, func(r negotiate.Row) bool { return int64(r.Key) == n })
		if !gone {
			p.Rows = negotiate.Tidy(append(p.Rows, peerOf(t, word).Rows...))
		}
	}
	p.Listener, p.Mode = negotiate.Classify(p.Rows)
	return p
}

// under is a broker that has forwarded a request to a controller.
func under(p *negotiate.Peer, controller Entry) *negotiate.Peer {
	var rows []negotiate.Row
	for _, r := range p.Rows {
		if p.Forwards(r.Key) {
			of := controller.row(r.Key)
			if of == nil {
				continue
			}
			both, ok := r.Range.Overlap(*of)
			if !ok {
				continue
			}
			r.Range = both
		}
		rows = append(rows, r)
	}
	p.Rows = rows
	return p
}

// TestMixedClusters: a KRaft broker is what its binary is, under whatever
// controller it is and however much of that shows, with and without telemetry
// and unstable versions. Nothing is ever said to be another release.
func TestMixedClusters(t *testing.T) {
	exact := 0
	for _, b := range Entries() {
		if b.Listener != negotiate.BrokerListener || b.Mode != negotiate.KRaft || b.Setting == Forwarded {
			continue
		}
		for _, c := range Entries() {
			if c.Listener != negotiate.ControllerListener || c.Setting != Default {
				continue
			}
			r := Identify(under(live(b), c))
			name := fmt.Sprintf("%s %q under %s", b.Releases[0], b.Setting, c.Releases[0])
			minor := Minor(b.Releases[0])
			switch r.Verdict {
			case negotiate.Exact:
				exact++
				if r.Name != minor && !strings.HasPrefix(r.Name, b.Releases[0]) {
					t.Errorf("%s is exactly %s: %q", name, r.Name, r.Evidence)
				}
			case negotiate.InRange:
				first, last, _ := strings.Cut(r.Name, "-")
				if compare(first, minor) > 0 || compare(minor, last) > 0 {
					t.Errorf("%s is in %s: %q", name, r.Name, r.Evidence)
				}
				t.Logf("%s: %s %q", name, verdict(r), r.Evidence)
			default:
				t.Errorf("%s is %s: %q %q", name, verdict(r), r.Evidence, r.Differs)
			}
		}
	}
	t.Logf("%d exact", exact)
}

// TestUnderAnOlderController is the case that was run: a 4.4 broker under a
// 4.0 controller, before and after its first forwarded request.
func TestUnderAnOlderController(t *testing.T) {
	b := broker(t, "4.4.0")
	before := live(b)
	after := under(live(b), entryOf(t, "4.0.0", negotiate.ControllerListener, negotiate.KRaft, Default))
	if len(before.Rows) != 77 || len(after.Rows) != 76 {
		t.Fatalf("%d rows before, %d after, want 77 and 76", len(before.Rows), len(after.Rows))
	}
	r := Identify(after)
	if verdict(r) != "exact 4.4" || !strings.Contains(strings.Join(r.Evidence, ";"),
		"AlterPartitionReassignments (45), AddRaftVoter (80), UnregisterController (94): as under a 4.0 controller; depends on the active controller") {
		t.Errorf("%s: %q", verdict(r), r.Evidence)
	}
	// One row that no controller explains: not that release as it comes.
	if r := Identify(set(t, after, "19:2-5")); r.Verdict != negotiate.Like {
		t.Errorf("CreateTopics ends at 5, and it is %s: %q", verdict(r), r.Evidence)
	}
}

// TestOthers: what is not Apache Kafka's own table is never said to be one.
func TestOthers(t *testing.T) {
	kafka39 := func() *negotiate.Peer { return live(broker(t, "3.9.1")) }
	feature := func(p *negotiate.Peer, name string, r negotiate.Range) *negotiate.Peer {
		p.Features = append(slices.Clone(p.Features), negotiate.Feature{Name: name, Supported: &r})
		negotiate.SortFeatures(p.Features)
		return p
	}
	for _, c := range []struct {
		name, want, says string
		peer             *negotiate.Peer
	}{
		{"Redpanda, December 2024", "not-kafka", "no kind of Kafka listener",
			peerOf(t, "0:0-7 1:4-11 2:0-4 3:0-8 8:1-8 9:0-7 10:0-4 11:0-6 12:0-4 13:0-5 14:0-4 15:0-4 16:0-3 17:0-1 18:0-3 19:0-6 20:0-5 22:0-4 23:0-3 24:0-3 25:0-3 26:0-3 28:0-3 29:0-2 30:0-2 31:0-2 32:0-3 33:0-1 35:0-3 36:0-2 37:0-3 42:0-2 43:0-2 44:0-1")},
		{"Event Hubs", "not-kafka", "", peerOf(t, "0:0-7 1:4-6 2:0-8 3:0-5 8:0-3 9:0-3 11:0-9 17:0-1 18:0-3")},
		{"Event Hubs, 2019", "not-kafka", "", peerOf(t, "0:3-5 1:4-6 3:0-5 18:0-1")},
		{"MSK Serverless", "not-kafka", "", peerOf(t, "0:7-9 1:10-12 3:7-11 17:1-1 18:2-3 36:0-2")},
		{"AutoMQ on 3.9", "like 3.9", "AutoMQ",
			feature(set(t, kafka39(), "2:0-10 55:0-2 501:0-0 502:0-0 511:0-0 600:0-0"), "automq.version", negotiate.Range{Min: 1, Max: 7})},
		{"Inkless on 4.2", "like 4.2", "Inkless", set(t, live(broker(t, "4.2.0")), "500:0-0 501:0-0 502:0-0")},
		{"Confluent", "like 4.1", "Confluent", set(t, live(broker(t, "4.1.0")), "10000:0-2 10012:0-0")},
		{"a key of nobody", "like 4.1", "no Apache Kafka has key 700", set(t, live(broker(t, "4.1.0")), "700:0-2")},
		{"a proxy without unknown keys", "like 4.4", "StreamsGroupTopologyDescriptionUpdate (93) is not offered", set(t, live(broker(t, "4.4.0")), "-93")},
		{"a proxy that clamps", "like 4.4", "Fetch (1) 4-13 instead of 4-18", set(t, live(broker(t, "4.4.0")), "1:4-13")},
		{"a refusal taken for a table", "not-kafka", "", peerOf(t, "18:0-3")},
		{"everything of the client library", "not-kafka", "", peerOf(t, "0:0-8 1:0-11 3:0-9 4:0-4 18:0-3 52:0-0 53:0-0 55:0-0")},
		{"a broker of five keys", "not-kafka", "", peerOf(t, "0:0-8 1:0-11 3:0-9 4:0-4 18:0-3")},
	} {
		r := Identify(c.peer)
		all := strings.Join(append(slices.Clone(r.Evidence), r.Differs...), "; ")
		if verdict(r) != c.want || !strings.Contains(all, c.says) {
			t.Errorf("%s is %s: %s; want %s, %q", c.name, verdict(r), all, c.want, c.says)
		}
		if r.Verdict == negotiate.Like && len(r.Differs) == 0 {
			t.Errorf("%s is like something, and differs nowhere", c.name)
		}
	}
}

// TestKnownCircumstances: what a setting, an upgrade or an old answer changes
// is no reason to doubt the release.
func TestKnownCircumstances(t *testing.T) {
	zk := func(release string) *negotiate.Peer {
		return live(entryOf(t, release, negotiate.BrokerListener, negotiate.ZooKeeper, Default))
	}
	finalized := live(broker(t, "4.4.0"))
	finalized.Features = slices.Clone(finalized.Features)
	for i := range finalized.Features {
		low := int16(7)
		finalized.Features[i].Finalized = &low
	}
	v3, three := live(broker(t, "4.4.0")), int16(3)
	v3.Handshake.Version, v3.Handshake.Layout = &three, &three
	v3.Features = slices.DeleteFunc(slices.Clone(v3.Features), func(f negotiate.Feature) bool { return f.Supported.Min == 0 })
	v0, zero := live(broker(t, "4.4.0")), int16(0)
	v0.Handshake.Version, v0.Handshake.Layout, v0.Features = &zero, &zero, nil
	migrating := zk("3.9.1")
	migrating.Features = []negotiate.Feature{{Name: metadataVersion, Supported: &negotiate.Range{Min: 1, Max: 21}}}
	both := set(t, live(entryOf(t, "4.1.0", negotiate.BrokerListener, negotiate.KRaft, Unstable)), "71:0-0 72:0-0")
	newer := set(t, live(broker(t, "4.4.0")), "1:4-19 95:0-0")
	newer.Features = []negotiate.Feature{{Name: metadataVersion, Supported: &negotiate.Range{Min: 7, Max: 36}}}

	for _, c := range []struct {
		name, want, says string
		peer             *negotiate.Peer
	}{
		{"finalized far below", "exact 4.4", "finalized at 7 (3.3-IV3)", finalized},
		{"asked at v3", "exact 4.4", "", v3},
		{"asked at v0", "exact 4.4", "all 77 rows agree", v0},
		{"inter.broker.protocol.version 0.10", "exact 2.3", "inter.broker.protocol.version", set(t, zk("2.3.1"), "-24 -25 -26 -27 -28")},
		{"migrating to KRaft", "exact 3.9", "", migrating},
		{"telemetry and unstable versions", "exact 4.1", "telemetry receiver", both},
		{"newer than this", "newer-than 4.4", "supports 7-36", newer},
		{"4.0.0, before KAFKA-19444", "exact 4.0.0", "", live(broker(t, "4.0.0"))},
		{"4.0.1, after it", "exact 4.0.1+", "", live(broker(t, "4.0.1"))},
	} {
		r := Identify(c.peer)
		if all := strings.Join(r.Evidence, "; "); verdict(r) != c.want || !strings.Contains(all, c.says) {
			t.Errorf("%s is %s: %s, %q; want %s, %q", c.name, verdict(r), all, r.Differs, c.want, c.says)
		}
	}
}

// BenchmarkIdentify is one broker of the usual kind, and the one that is
// compared with everything.
func BenchmarkIdentify(b *testing.B) {
	usual := live(broker(b, "4.4.0"))
	mixed := under(live(broker(b, "4.4.0")), entryOf(b, "4.0.0", negotiate.ControllerListener, negotiate.KRaft, Default))
	for name, p := range map[string]*negotiate.Peer{"usual": usual, "mixed": mixed} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Identify(p)
			}
		})
	}
}
