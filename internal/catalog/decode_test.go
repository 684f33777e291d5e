package catalog

import "testing"

// TestRecordings decodes what is embedded, and makes of every entry again the
// answer that it was made of: nothing was lost, and nothing edited.
func TestRecordings(t *testing.T) {
	entries, err := decode(recordings)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if got := hash(e.Version, tableOf(e)); got != e.SHA256 {
			t.Errorf("%s %s %s %v: the hash is %s, want %s", e.Mode, e.Listener, e.Setting, e.Releases, got, e.SHA256)
		}
	}
	if got := write(recordingsOf(t, entries)); got != recordings {
		t.Errorf("what was decoded is written as\n%s", got)
	}
}
