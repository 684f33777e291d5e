package kafkatest

import (
	"slices"
	"strings"
	"testing"
)

// TestParseTool reads every kind of line, and only the block of the node.
func TestParseTool(t *testing.T) {
	out := "127.0.0.1:9091 (id: 2 rack: null isFenced: false) -> (\n\tFetch(1): 4 to 18 [usable: 18]\n)\n" +
		"127.0.0.1:9092 (id: 1 rack: null isFenced: false) -> (\n" +
		"\tProduce(0): 0 to 13 [usable: 13],\n" +
		"\tStopReplica(5): 0 [unusable: node too new],\n" +
		"\tPushTelemetry(72): UNSUPPORTED,\n" +
		"\tUNKNOWN(99): 1 to 2 [unusable: node too new]\n)\n"
	want := []ToolRow{{"Produce", Row{0, 0, 13}}, {"StopReplica", Row{5, 0, 0}}, {"UNKNOWN", Row{99, 1, 2}}}
	got, err := parseTool(out, "127.0.0.1:9092")
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v and %v, want %v", got, err, want)
	}
	for name, broken := range map[string]string{
		"another node": strings.ReplaceAll(out, "9092", "9093"),
		"cut off":      out[:len(out)-3],
		"another form": strings.ReplaceAll(out, "0 to 13", "0-13"),
	} {
		if rows, err := parseTool(broken, "127.0.0.1:9092"); err == nil {
			t.Errorf("%s: read as %v", name, rows)
		}
	}
}

// TestApacheTool holds Decode against Apache's own reading, at both ends of
// what the tool reads and for each kind of listener.
func TestApacheTool(t *testing.T) {
	for _, n := range []Node{{"4.4.0", KRaft}, {"4.4.0", Controller}, {"3.9.1", ZooKeeper}, {"0.10.0.1", ZooKeeper}} {
		t.Run(n.String(), func(t *testing.T) {
			t.Parallel()
			p := Start(t, n.Release, n.Kind)
			want, err := Ask(p.Addr, 0, askTimeout)
			if err != nil {
				t.Fatal(err)
			}
			var got []Row
			for _, r := range ApacheTool(t, n.Kind, p.Addr) {
				got = append(got, r.Row)
			}
			slices.SortFunc(want.Rows, func(a, b Row) int { return int(a.Key) - int(b.Key) })
			if !slices.Equal(got, want.Rows) {
				t.Errorf("Apache's tool reads\n%v\nand Decode\n%v", got, want.Rows)
			}
		})
	}
}
