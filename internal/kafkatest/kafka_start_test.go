package kafkatest

import (
	"slices"
	"testing"
)

// TestCombined holds why Start runs a broker and its controller in one
// process: a broker in a process of its own offers the same.
func TestCombined(t *testing.T) {
	for _, release := range []string{"4.2.0", "3.9.1"} {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			combined := Start(t, release, KRaft)
			separate := Join(t, Start(t, release, Controller), release)
			want, err := Ask(combined.Addr, 4, askTimeout)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Ask(separate.Addr, 4, askTimeout)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Rows, want.Rows) || !sameFeatures(got.Supported, want.Supported) || !sameFeatures(got.Finalized, want.Finalized) {
				t.Errorf("a broker alone answers\n%+v\nand one with its controller\n%+v", got, want)
			}
		})
	}
}

// TestJoin runs a new broker under the controller of an older release. It
// finalizes what the controller knows.
func TestJoin(t *testing.T) {
	t.Parallel()
	broker := Join(t, Start(t, "4.2.0", Controller), "4.4.0")
	table, err := Ask(broker.Addr, 4, askTimeout)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Feature{"metadata.version", 29, 29}); len(table.Rows) != 77 || !slices.Contains(table.Finalized, want) {
		t.Errorf("%d keys and %v, want 77 and %v", len(table.Rows), table.Finalized, want)
	}
}

// TestSettings gives a node another listener and an older metadata version.
func TestSettings(t *testing.T) {
	t.Parallel()
	second := loopback(FreePort())
	p := Start(t, "4.2.0", KRaft, "--release-version=4.0",
		"listeners=PLAINTEXT://{addr},SECOND://"+second+",CONTROLLER://{controller}",
		"listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SECOND:PLAINTEXT,CONTROLLER:PLAINTEXT")
	for _, addr := range []string{p.Addr, second} {
		table, err := Ask(addr, 4, askTimeout)
		if err != nil {
			t.Fatal(err)
		}
		if want := (Feature{"metadata.version", 25, 25}); len(table.Rows) != 75 || !slices.Contains(table.Finalized, want) {
			t.Errorf("%d keys and %v, want 75 and %v", len(table.Rows), table.Finalized, want)
		}
	}
}
