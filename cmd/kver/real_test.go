package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kver-cli/kver/internal/kafkatest"
)

// document is what these tests read of a kver.versions document, with types of
// their own.
type document struct {
	Brokers []struct {
		Listener, Mode *string
		Handshake      struct {
			Version               *int16
			Requests, Connections int
			Refused               []struct{ Reason string }
		}
		APIs []struct {
			APIKey     int16
			MinVersion *int16
			MaxVersion *int16
			State      string
			Use        *int16
		}
		Features []struct {
			Name      string
			Supported struct{ Min, Max int16 }
			Finalized int16
		}
		Error *struct{ Stage, Code, Message, Hint string }
	}
}

// kver runs the program in this process.
func kver(args ...string) (status int, stdout, stderr string) {
	var out, diagnostics bytes.Buffer
	status = run(context.Background(), args, world{
		stdin: strings.NewReader(""), stdout: &out, stderr: &diagnostics, getenv: func(string) string { return "" },
	})
	return status, out.String(), diagnostics.String()
}

func readDocument(t *testing.T, stdout string) document {
	t.Helper()
	var doc document
	if err := json.NewDecoder(strings.NewReader(stdout)).Decode(&doc); err != nil && err != io.EOF {
		t.Fatalf("%v in %s", err, stdout)
	}
	if len(doc.Brokers) != 1 {
		t.Fatalf("%d brokers in %s", len(doc.Brokers), stdout)
	}
	return doc
}

// TestRealBrokers holds kver's table of every release against the frame that
// the broker sends, read by a decoder that is not kver's, and for the releases
// that people run most against Apache's own tool.
func TestRealBrokers(t *testing.T) {
	for _, node := range kafkatest.Nodes() {
		t.Run(node.String(), func(t *testing.T) {
			p := kafkatest.Start(t, node.Release, node.Kind)
			switch node.Release {
			case "0.8.2.2":
				refused(t, p.Addr, "no-apiversions", 3)
			case "0.9.0.1":
				refused(t, p.Addr, "timeout", 1)
			default:
				agrees(t, p)
			}
		})
	}
}

// refused is a broker that does not know ApiVersions.
func refused(t *testing.T, addr, code string, connections int) {
	t.Helper()
	status, stdout, stderr := kver("versions", addr, "-o", "json", "--timeout", "2s")
	b := readDocument(t, stdout).Brokers[0]
	if status != statusIncomplete || b.Error == nil || b.Error.Code != code || b.Handshake.Connections != connections {
		t.Fatalf("status %d, %+v, %s; want code %s after %d connections", status, b, stderr, code, connections)
	}
	if !strings.Contains(b.Error.Hint, "0.9") && !strings.Contains(b.Error.Hint, "older than 0.10") {
		t.Errorf("the hint %q does not think of an old broker", b.Error.Hint)
	}
}

func agrees(t *testing.T, p *kafkatest.Process) {
	t.Helper()
	status, stdout, stderr := kver("versions", p.Addr, "-o", "json")
	if status != statusClean || stderr != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	b := readDocument(t, stdout).Brokers[0]
	if b.Handshake.Version == nil || b.Handshake.Connections != 1 || b.Handshake.Requests != 1+len(b.Handshake.Refused) || b.Handshake.Requests > 2 {
		t.Errorf("handshake %+v: want one connection and one request, or two after a refusal", b.Handshake)
	}
	frame, err := kafkatest.Ask(p.Addr, *b.Handshake.Version, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var rows []kafkatest.Row
	for _, a := range b.APIs {
		if a.MinVersion != nil {
			rows = append(rows, kafkatest.Row{Key: a.APIKey, Min: *a.MinVersion, Max: *a.MaxVersion})
		}
		if a.State == "invalid" || a.State == "unknown" || a.State == "ahead" {
			t.Errorf("row %+v: no release is ahead of this codec", a)
		}
	}
	sameRows(t, "the broker's frame", rows, frame.Rows)
	if len(b.Features) != len(frame.Supported) {
		t.Errorf("%d features, the frame has %d", len(b.Features), len(frame.Supported))
	}
	wantKind(t, p.Kind, b.Listener, b.Mode)
	if p.Release == "4.4.0" || p.Release == "3.9.1" {
		var tool []kafkatest.Row
		for _, r := range kafkatest.ApacheTool(t, p.Kind, p.Addr) {
			tool = append(tool, r.Row)
		}
		sameRows(t, "Apache's tool", rows, tool)
	}
	if p.Release == "4.2.0" && p.Kind == kafkatest.KRaft && len(rows) != 75 {
		t.Errorf("%d keys, and Kafka 4.2.0 offers 75 on a broker listener", len(rows))
	}
}

func sameRows(t *testing.T, where string, got, want []kafkatest.Row) {
	t.Helper()
	byKey := func(a, b kafkatest.Row) int { return int(a.Key) - int(b.Key) }
	want = slices.SortedFunc(slices.Values(want), byKey)
	if !slices.Equal(got, want) {
		t.Errorf("kver and %s differ\nkver: %v\nthat: %v", where, got, want)
	}
}

func wantKind(t *testing.T, kind kafkatest.Kind, listener, mode *string) {
	t.Helper()
	want := map[kafkatest.Kind][2]string{
		kafkatest.KRaft:      {"broker", "kraft"},
		kafkatest.Controller: {"controller", "kraft"},
		kafkatest.ZooKeeper:  {"broker", "zookeeper"},
	}[kind]
	if listener == nil || mode == nil || *listener != want[0] || *mode != want[1] {
		t.Errorf("listener and mode are %v and %v, want %v", listener, mode, want)
	}
}
