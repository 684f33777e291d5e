package main

import (
	"fmt"
	"runtime/debug"

	"github.com/kver-cli/kver/internal/negotiate"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// version is set by the linker for binaries that are given away.
var version string

// buildVersion names this build: what the linker set, else the module's
// version, else the revision it was built from, else "dev".
func buildVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "dev"
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	if revision == "" {
		return "dev"
	}
	return revision + dirty
}

// versionLine is the answer to --version.
func versionLine() string {
	return fmt.Sprintf("kver %s (kmsg %s: Kafka %s, keys 0-%d)\n",
		buildVersion(), negotiate.KmsgVersion, negotiate.KmsgKafka, kmsg.MaxKey)
}
