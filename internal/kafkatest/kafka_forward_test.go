package kafkatest

import (
	"slices"
	"testing"
)

// TestForward puts a broker under an older controller: with its first request
// to that it loses a key and two versions.
func TestForward(t *testing.T) {
	t.Parallel()
	broker := Join(t, Start(t, "4.2.0", Controller), "4.4.0")
	before, err := Ask(broker.Addr, 4, askTimeout)
	if err != nil {
		t.Fatal(err)
	}
	if err := Forward(broker.Addr, askTimeout); err != nil {
		t.Fatal(err)
	}
	after, err := Ask(broker.Addr, 4, askTimeout)
	if err != nil {
		t.Fatal(err)
	}
	if unregister := (Row{94, 0, 0}); len(before.Rows) != 77 || len(after.Rows) != 76 || slices.Contains(after.Rows, unregister) {
		t.Errorf("%d keys, then %d, want 77, then 76 without 94: %v", len(before.Rows), len(after.Rows), after.Rows)
	}
}
