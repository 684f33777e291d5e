package kafkatest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	// cacheVariable names another place for the jars than the user's cache.
	cacheVariable = "KVER_KAFKA_CACHE"
	// mavenTimeout is some fifty times what a release takes from an empty cache.
	mavenTimeout = 5 * time.Minute
	// mavenTries covers one hiccup of the repository.
	mavenTries = 2
	// recipe is the file that is in a folder of jars once it is complete.
	recipe = "pom.xml"
	// scratch begins the name of a folder that is being filled.
	scratch = "partial-"
)

// Jars returns the folder that holds a release's jars, after fetching them if
// need be. Test binaries that run at the same time share the folders.
func Jars(t testing.TB, release string) string {
	t.Helper()
	r, ok := findRelease(release)
	if !ok {
		t.Fatalf("kafkatest knows no release %s", release)
	}
	return jars(t, r.Version, r.artifacts())
}

// every is the class path of all jars in a folder.
func every(folder string) string { return filepath.Join(folder, "*") }

// jars returns the folder of that name, with the artifacts and all they need.
func jars(t testing.TB, name string, artifacts []string) string {
	t.Helper()
	cache, err := cacheFolder()
	if err != nil {
		t.Fatalf("finding a place for Kafka's jars: %v", err)
	}
	folder, pom := filepath.Join(cache, name), pomOf(artifacts)
	if complete(folder, pom) {
		return folder
	}
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		unable(t, "mvn is missing, which fetches Kafka's jars: %v", err)
	}
	if err := fetchOnce(cache, folder, mvn, pom); err != nil {
		t.Fatalf("fetching the jars of %s: %v", name, err)
	}
	return folder
}

func cacheFolder() (string, error) {
	if dir := os.Getenv(cacheVariable); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "kver-kafka"), err
}

// complete reports whether the folder holds what the pom asks for. A folder
// gets its name when it is complete; the comparison catches a changed release
// table.
func complete(folder, pom string) bool {
	have, err := os.ReadFile(filepath.Join(folder, recipe))
	return err == nil && string(have) == pom
}

// fetchOnce fetches under the cache's lock: Maven's own repository is not made
// for two at a time, and whoever comes second finds the work done.
func fetchOnce(cache, folder, mvn, pom string) error {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	unlock, err := lock(filepath.Join(cache, "lock"))
	if err != nil {
		return fmt.Errorf("locking %s: %w", cache, err)
	}
	defer unlock()
	if complete(folder, pom) {
		return nil
	}
	sweep(cache)
	for try := 1; ; try++ {
		if err = fetch(cache, folder, mvn, pom); err == nil || try == mavenTries {
			return err
		}
	}
}

// sweep removes what interrupted downloads left. Where lock does nothing,
// somebody may still be at work on what is young.
func sweep(cache string) {
	left, _ := filepath.Glob(filepath.Join(cache, scratch+"*")) // the pattern is a good one
	for _, path := range left {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > 2*mavenTimeout {
			os.RemoveAll(path) //nolint:errcheck // the next one tries again
		}
	}
}

// fetch lets Maven fill a folder of another name and renames it at the end, so
// that what was interrupted is never taken for complete.
func fetch(cache, folder, mvn, pom string) error {
	partial, err := os.MkdirTemp(cache, scratch)
	if err != nil {
		return err
	}
	defer os.RemoveAll(partial) //nolint:errcheck // left behind, it is only in the way
	if err := os.WriteFile(filepath.Join(partial, recipe), []byte(pom), 0o644); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), mavenTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, mvn, "-q", "-B", "-Dstyle.color=never", "-f", filepath.Join(partial, recipe),
		"dependency:copy-dependencies", "-DoutputDirectory="+partial, "-DincludeScope=runtime")
	cmd.WaitDelay = time.Second
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	done, err := startTied(cmd)
	if err == nil {
		err = <-done
	}
	if err != nil {
		return fmt.Errorf("running mvn: %w\n%s", errors.Join(err, ctx.Err()), out.String())
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	return os.Rename(partial, folder)
}

// pomOf writes a project that needs nothing but the artifacts.
func pomOf(artifacts []string) string {
	var b strings.Builder
	b.WriteString("<project><modelVersion>4.0.0</modelVersion>\n" +
		"<groupId>kver</groupId><artifactId>kafkatest</artifactId><version>1</version>\n<dependencies>\n")
	for _, a := range artifacts {
		group, rest, _ := strings.Cut(a, ":")
		artifact, version, _ := strings.Cut(rest, ":")
		fmt.Fprintf(&b, "<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>\n", group, artifact, version)
	}
	b.WriteString("</dependencies></project>\n")
	return b.String()
}
