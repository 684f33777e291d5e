package kafkatest

import (
	"slices"
	"testing"
)

// TestReceiver gives brokers a receiver: they offer keys 71 and 72, and
// nothing else that is new.
func TestReceiver(t *testing.T) {
	for release, keys := range map[string]int{"3.9.1": 63, "4.4.0": 79} {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			p := Start(t, release, KRaft, Receiver(t, release)...)
			table, err := Ask(p.Addr, 4, askTimeout)
			if err != nil {
				t.Fatal(err)
			}
			if len(table.Rows) != keys || !slices.Contains(table.Rows, Row{71, 0, 0}) || !slices.Contains(table.Rows, Row{72, 0, 0}) {
				t.Errorf("%d keys, want %d with 71 and 72: %v", len(table.Rows), keys, table.Rows)
			}
		})
	}
}
