package snapshot_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/kver-cli/kver/internal/negotiate"
	"github.com/kver-cli/kver/internal/snapshot"
)

func ptr[T any](v T) *T { return &v }

// tableOf is the table of a listener that offers what is expected of its kind,
// each key from 0 to what kmsg knows.
func tableOf(l negotiate.Listener, m negotiate.Mode) []negotiate.Row {
	var rows []negotiate.Row
	codec := negotiate.Kmsg()
	for _, key := range codec.Keys() {
		if negotiate.Expected(l, m, key) {
			rows = append(rows, negotiate.Row{Key: key, Range: *codec.Range(key), Times: 1})
		}
	}
	return rows
}

// kraftPeer is an ordinary broker that was found by discovery.
func kraftPeer(target string) *negotiate.Peer {
	return &negotiate.Peer{
		Target: target, Address: "10.0.0.5:9092", NodeID: ptr[int32](1), Rack: ptr("eu-1a"),
		Listener: negotiate.BrokerListener, Mode: negotiate.KRaft,
		Handshake: negotiate.Handshake{Version: ptr[int16](4), Layout: ptr[int16](4), Requests: 1, Connections: 1},
		Rows:      tableOf(negotiate.BrokerListener, negotiate.KRaft),
		Features: []negotiate.Feature{
			{Name: "group.version", Supported: &negotiate.Range{Min: 0, Max: 1}, Finalized: ptr[int16](1)},
			{Name: "kraft.version", Supported: &negotiate.Range{Min: 0, Max: 1}, Finalized: ptr[int16](0)},
			{Name: "metadata.version", Supported: &negotiate.Range{Min: 7, Max: 27}, Finalized: ptr[int16](27)},
		},
		FinalizedEpoch: ptr[int64](42),
		Release: &negotiate.Release{
			Verdict: negotiate.Exact, Name: "4.1",
			Evidence: []string{"metadata.version supports 7-27 (4.1-IV1)"},
		},
	}
}

// recordedPeer is a release and not a listener.
func recordedPeer(target string) *negotiate.Peer {
	p := kraftPeer(target)
	p.Address, p.NodeID, p.Rack = "", nil, nil
	p.Recorded = []string{"4.1.0", "4.1.1"}
	return p
}

// zooKeeperPeer answered below v3, so that it could not report features.
func zooKeeperPeer(target string) *negotiate.Peer {
	p := &negotiate.Peer{
		Target: target, Address: "10.0.0.6:9092",
		Listener: negotiate.BrokerListener, Mode: negotiate.ZooKeeper,
		Handshake: negotiate.Handshake{
			Version: ptr[int16](0), Layout: ptr[int16](0), Requests: 2, Connections: 1,
			Refused: []negotiate.Refusal{{Version: 4, Reason: negotiate.UnsupportedVersion}},
		},
		Rows: tableOf(negotiate.BrokerListener, negotiate.ZooKeeper),
	}
	for i := range p.Rows {
		p.Rows[i].Max = max(0, p.Rows[i].Max-2)
	}
	return p
}

func failedPeer(target string) *negotiate.Peer {
	return &negotiate.Peer{
		Target: target, Address: "10.0.0.7:9092",
		Handshake: negotiate.Handshake{
			Requests: 2, Connections: 2,
			Refused: []negotiate.Refusal{{Version: 4, Reason: negotiate.Closed}, {Version: 3, Reason: negotiate.Reset}},
		},
		Failure: &negotiate.Failure{
			Stage: "apiversions", Code: "closed", Message: `asking 10.0.0.7:9092: "closed" before <the> first byte & no more`,
			Hint: "try SSL://", Micros: 1234,
		},
	}
}

func range16(least, most int16) negotiate.Range { return negotiate.Range{Min: least, Max: most} }

// oddPeer has everything that a confused peer may say.
func oddPeer(target string) *negotiate.Peer {
	return &negotiate.Peer{
		Target: target, Rack: ptr(""),
		Handshake: negotiate.Handshake{
			Version: ptr[int16](3), Layout: ptr[int16](0), Requests: 3, Connections: 2,
			Refused:        []negotiate.Refusal{{Version: 4, Reason: negotiate.Reset}},
			ThrottleMillis: 500,
		},
		Rows: negotiate.Tidy([]negotiate.Row{
			{Key: -3, Range: range16(0, 1)},
			{Key: 0, Range: range16(0, 13)}, {Key: 0, Range: range16(0, 13)},
			{Key: 1, Range: range16(4, 17)}, {Key: 1, Range: range16(0, 17)},
			{Key: 2, Range: range16(9, 3)},
			{Key: 3, Range: range16(-1, 2)},
			{Key: 18, Range: range16(100, 32767)},
			{Key: 93, Range: range16(0, 7)},
			{Key: 10000, Range: range16(0, 1)}, {Key: 10001, Range: range16(0, 1)},
			{Key: 32767, Range: range16(-32768, 32767)},
		}),
		Features: []negotiate.Feature{
			{Name: "\xffbroken\xc3", Supported: &negotiate.Range{Min: 3, Max: 1}},
			{Name: "grün \"☃\" \\ \x1b[31m\u009b\u2028\U000e0041", Finalized: ptr[int16](-2)},
		},
		FinalizedEpoch:   ptr[int64](1<<63 - 1),
		ZkMigrationReady: true,
		UnknownTags:      []uint32{7, 1<<32 - 1},
		Release: &negotiate.Release{
			Verdict: negotiate.NotKafka, Evidence: []string{"no kind of \"listener\""}, Differs: []string{"Fetch (1) twice", ""},
		},
	}
}

// olderKmsg is a codec that brokers are ahead of.
func olderKmsg() negotiate.Codec {
	schemas := map[int16]negotiate.Schema{}
	for _, key := range negotiate.Kmsg().Keys() {
		if key < 80 {
			r := *negotiate.Kmsg().Range(key)
			r.Max = max(0, r.Max-1)
			schemas[key] = negotiate.Schema{Request: r, Response: r}
		}
	}
	return negotiate.NewCodec("kmsg", "v1.0.0", "", schemas)
}

// lore tells something of two keys and one feature.
func lore() negotiate.Lore {
	return negotiate.Lore{
		Versions: func(key int16, in negotiate.Range) []negotiate.Introduction {
			var all []negotiate.Introduction
			for _, i := range []negotiate.Introduction{
				{Key: 0, Version: 12, Release: "4.0", KIP: "KIP-890", Words: "adds the partition by itself"},
				{Key: 0, Version: 13, Release: "4.1", KIP: "KIP-516", Words: "topic ids"},
				{Key: 88, Version: 0, Release: "4.2", Words: "members of a \"streams\" group"},
			} {
				if i.Key == key && in.Contains(i.Version) {
					all = append(all, i)
				}
			}
			return all
		},
		Levels: func(feature string, level int16) (negotiate.LevelIntroduction, bool) {
			if feature != "metadata.version" || level < 25 || level > 27 {
				return negotiate.LevelIntroduction{}, false
			}
			return negotiate.LevelIntroduction{Feature: feature, Level: level, Release: "4.1", KIP: "KIP-966", Words: "eligible leaders"}, true
		},
	}
}

// anyPeer makes up a peer that is as the model says: rows in order, and no
// table where there is a failure.
func anyPeer(r *rand.Rand) *negotiate.Peer {
	p := &negotiate.Peer{
		Target:    anyText(r),
		Handshake: anyHandshake(r),
		Listener:  pick(r, "", negotiate.BrokerListener, negotiate.ControllerListener),
		Mode:      pick(r, "", negotiate.KRaft, negotiate.ZooKeeper),
		NodeID:    maybe(r, int32(r.Uint32())),
		Rack:      maybe(r, anyText(r)),
		Address:   pick(r, "", "10.0.0.1:9092"),
	}
	if r.IntN(5) == 0 {
		p.Failure = &negotiate.Failure{Stage: anyText(r), Code: anyText(r), Message: anyText(r), Hint: anyText(r)}
		return p
	}
	for range 1 + r.IntN(60) {
		p.Rows = append(p.Rows, negotiate.Row{Key: anyKey(r), Range: range16(anyVersion(r), anyVersion(r))})
	}
	p.Rows = negotiate.Tidy(p.Rows)
	if r.IntN(2) == 0 {
		p.Features = []negotiate.Feature{}
	}
	for range r.IntN(4) {
		p.Features = append(p.Features, negotiate.Feature{
			Name:      pick(r, "metadata.version", anyText(r)),
			Supported: maybe(r, range16(anyVersion(r), anyVersion(r))),
			Finalized: maybe(r, anyVersion(r)),
		})
	}
	p.FinalizedEpoch = maybe(r, r.Int64())
	p.ZkMigrationReady = r.IntN(2) == 0
	for range r.IntN(3) {
		p.UnknownTags = append(p.UnknownTags, r.Uint32())
	}
	return p
}

func anyHandshake(r *rand.Rand) negotiate.Handshake {
	h := negotiate.Handshake{
		Version:  maybe(r, int16(r.IntN(6))),
		Layout:   maybe(r, int16(r.IntN(6))),
		Requests: r.IntN(4), Connections: r.IntN(4),
		ThrottleMillis: pick(r, 0, r.Int32()),
	}
	for range r.IntN(3) {
		h.Refused = append(h.Refused, negotiate.Refusal{
			Version: int16(r.IntN(6)),
			Reason:  pick(r, negotiate.UnsupportedVersion, negotiate.Closed, negotiate.Reset),
		})
	}
	return h
}

func anyKey(r *rand.Rand) int16 { return pick(r, int16(r.IntN(100)), int16(r.Uint32())) }

func anyVersion(r *rand.Rand) int16 {
	return pick(r, int16(r.IntN(4)), int16(r.IntN(20)), int16(r.Uint32()))
}

func anyText(r *rand.Rand) string {
	b := make([]byte, r.IntN(12))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return pick(r, "", "broker:9092", string(b), string([]rune(string(b))), "<a&b> \u2029\u202e\U0001f980")
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func maybe[T any](r *rand.Rand, v T) *T { return pick(r, nil, &v) }

// written returns what a writer writes.
func written(t testing.TB, write func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// versions returns the document about peers beside kmsg.
func versions(t testing.TB, sel negotiate.Selection, peers ...*negotiate.Peer) []byte {
	t.Helper()
	r := negotiate.Negotiate(peers, negotiate.Kmsg(), sel)
	return written(t, func(w io.Writer) error { return snapshot.WriteVersions(w, r) })
}
