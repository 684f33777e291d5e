package catalog

import (
	_ "embed" // the recordings
	"sync"

	"github.com/kver-cli/kver/internal/negotiate"
)

// Setting is what was done to a node before it was asked.
type Setting string

// The settings.
const (
	Default Setting = ""
	// Forwarded is a KRaft broker that has forwarded its first request to a
	// controller of its own release, and from then on offers no more of the
	// forwarded keys than that controller does.
	Forwarded Setting = "forwarded"
	// Telemetry is a KRaft broker with a plug-in that takes the metrics of
	// clients (KIP-714).
	Telemetry Setting = "telemetry"
	// Unstable is a node that was told to offer what is not released yet
	// (unstable.api.versions.enable and unstable.feature.versions.enable).
	Unstable Setting = "unstable"
)

// Entry is one table that Apache Kafka advertised when it was recorded.
type Entry struct {
	Listener negotiate.Listener
	Mode     negotiate.Mode
	Setting  Setting
	Releases []string // that answered with the same bytes, ascending
	Version  int16    // of ApiVersions: the highest that the releases answer
	// SHA256 is the hash, in hex, of the whole answer in its canonical form:
	// correlation id 0, rows by key, features by name, and the epoch of the
	// finalized ones 0 where there is one.
	SHA256 string
	Rows   []negotiate.Row // in Tidy order

	// Features are as dial gives them: nil below ApiVersions v3, Finalized 0
	// for what is not listed although the node knows the levels.
	Features         []negotiate.Feature
	ZkMigrationReady bool

	// finalizedEpoch tells a node that knows the finalized levels, though
	// there may be none, from one that does not.
	finalizedEpoch bool
}

//go:embed recordings.txt
var recordings string

// decoded are the entries of recordings.txt. A test decodes the file, so that
// it cannot be shipped with a mistake in it.
var decoded = sync.OnceValue(func() []Entry {
	entries, _ := decode(recordings)
	return entries
})

// Entries returns all recordings in the file's order: by kind, the oldest
// release first. They are decoded on first use and shared; nobody may change
// them.
func Entries() []Entry { return decoded() }
