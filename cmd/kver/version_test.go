package main

import (
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Builds that were not given a version show "(devel)" or nothing at all, and
// send it to brokers.
func TestB109(t *testing.T) {
	vcs := func(revision, modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: modified}}
	}
	for _, tt := range []struct {
		name string
		info debug.BuildInfo
		want string
	}{
		{"a module", debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "v1.2.3"},
		{"a checkout", debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: vcs("0123456789abcdef", "false")}, "0123456789ab"},
		{"with changes", debug.BuildInfo{Settings: vcs("0123456789abcdef", "true")}, "0123456789ab+dirty"},
		{"nothing known", debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "dev"},
	} {
		if got := versionOf(&tt.info); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The same of real builds: a plain one, and one that the linker was told of.
func TestB109Built(t *testing.T) {
	for _, tt := range []struct {
		flags, want string
	}{
		{"", "kver "},
		{"-X main.version=9.8.7", "kver 9.8.7 (kmsg v1.15.1: Kafka 4.4, keys 0-94)\n"},
	} {
		path := filepath.Join(t.TempDir(), "kver")
		if out, err := exec.Command("go", "build", "-ldflags", tt.flags, "-o", path, ".").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		out, err := exec.Command(path, "--version").Output()
		if got := string(out); err != nil || !strings.HasPrefix(got, tt.want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%q: %q, %v", tt.flags, got, err)
		}
	}
}

// On Windows the library refuses to run when the desktop is the parent, which
// schedulers are, too. kver runs.
func TestB108(t *testing.T) {
	newRoot(world{})
	if cobra.MousetrapHelpText != "" {
		t.Errorf("the guard is on: %q", cobra.MousetrapHelpText)
	}
}
