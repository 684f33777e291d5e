package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kver-cli/kver/internal/negotiate"
)

func ptr[T any](v T) *T { return &v }

// rowsOf reads key:min-max words, as in tables_test.go.
func rowsOf(t testing.TB, table string) []negotiate.Row {
	t.Helper()
	var rows []negotiate.Row
	for _, word := range strings.Fields(table) {
		var r negotiate.Row
		if n, err := fmt.Sscanf(word, "%d:%d-%d", &r.Key, &r.Min, &r.Max); n != 3 {
			t.Fatalf("row %q: %v", word, err)
		}
		rows = append(rows, r)
	}
	return negotiate.Tidy(rows)
}

// peer is one that answered ApiVersions at the version with the table.
func peer(t testing.TB, target, table string, version int16) *negotiate.Peer {
	t.Helper()
	p := &negotiate.Peer{
		Target:    target,
		Address:   target,
		Rows:      rowsOf(t, table),
		Handshake: negotiate.Handshake{Version: &version, Layout: &version, Requests: 1, Connections: 1},
	}
	p.Listener, p.Mode = negotiate.Classify(p.Rows)
	return p
}

// with replaces rows of a table or adds them.
func with(table string, rows ...string) string {
	kept := make(map[string]bool)
	for _, r := range rows {
		key, _, _ := strings.Cut(r, ":")
		kept[key] = true
	}
	for _, r := range strings.Fields(table) {
		if key, _, _ := strings.Cut(r, ":"); !kept[key] {
			rows = append(rows, r)
		}
	}
	return strings.Join(rows, " ")
}

func withFeatures(p *negotiate.Peer, features ...negotiate.Feature) *negotiate.Peer {
	p.Features = append([]negotiate.Feature{}, features...)
	negotiate.SortFeatures(p.Features)
	p.FinalizedEpoch = ptr(int64(66))
	return p
}

func feature(name string, low, high, level int16) negotiate.Feature {
	return negotiate.Feature{Name: name, Supported: &negotiate.Range{Min: low, Max: high}, Finalized: &level}
}

func kafka42(t testing.TB, target string) *negotiate.Peer {
	return withFeatures(peer(t, target, broker42, 4),
		feature("metadata.version", 7, 29, 29),
		feature("kraft.version", 0, 1, 0),
		feature("transaction.version", 0, 2, 2),
		feature("group.version", 0, 1, 1),
		feature("eligible.leader.replicas.version", 0, 1, 1),
		feature("share.version", 0, 1, 1),
		feature("streams.version", 0, 1, 1))
}

func kafka41(t testing.TB, target string) *negotiate.Peer {
	return withFeatures(peer(t, target, broker41, 4),
		feature("metadata.version", 7, 27, 27),
		feature("kraft.version", 0, 1, 0),
		feature("transaction.version", 0, 2, 2),
		feature("group.version", 0, 1, 1),
		feature("eligible.leader.replicas.version", 0, 1, 1),
		feature("share.version", 0, 1, 0))
}

func kafka44(t testing.TB, target string) *negotiate.Peer {
	return withFeatures(peer(t, target, broker44, 4),
		feature("metadata.version", 7, 33, 33),
		feature("kraft.version", 0, 1, 0),
		feature("transaction.version", 0, 2, 2),
		feature("group.version", 0, 1, 1),
		feature("eligible.leader.replicas.version", 0, 1, 1),
		feature("share.version", 0, 2, 2),
		feature("streams.version", 0, 1, 1))
}

func refused(target string) *negotiate.Peer {
	return &negotiate.Peer{Target: target, Failure: &negotiate.Failure{
		Stage: "connect", Code: "refused", Micros: 200,
		Message: "connecting to 127.0.0.1:9092: refused",
		Hint:    "is the broker up, and is 9092 its listener?",
	}}
}

// older is a codec below Kafka 4.2: ahead on some keys, no schema for others,
// too old for one.
func older() negotiate.Codec {
	schemas := make(map[int16]negotiate.Schema)
	kmsg := negotiate.Kmsg()
	for _, key := range kmsg.Keys() {
		r := *kmsg.Range(key)
		switch {
		case key >= 76:
			continue
		case key == 2 || key == 8 || key == 27:
			r.Max--
		case key == 3:
			r.Max -= 3
		case key == 19:
			r.Max = 1
		}
		schemas[key] = negotiate.Schema{Request: r, Response: r}
	}
	return negotiate.NewCodec("kafka-protocol", "0.17.0", "", schemas)
}

func report(sel negotiate.Selection, peers ...*negotiate.Peer) negotiate.Report {
	return negotiate.Negotiate(peers, negotiate.Kmsg(), sel)
}
