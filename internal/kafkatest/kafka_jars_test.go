//go:build linux || darwin

package kafkatest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeMaven is a program in mvn's place. $out is the folder it shall fill,
// which is in the cache.
func fakeMaven(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mvn")
	if err := os.WriteFile(path, []byte("#!/bin/sh\nfor a; do case $a in -DoutputDirectory=*) out=${a#*=};; esac; done\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// TestFetchTogether lets many want the same jars at a time: Maven runs once,
// and what somebody else left half done is gone.
func TestFetchTogether(t *testing.T) {
	cache := t.TempDir()
	old := filepath.Join(cache, scratch+"1") // somebody was interrupted an hour ago
	if err := os.Mkdir(old, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(old, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	mvn := fakeMaven(t, `sleep 0.1; echo run >>"$out/../runs"; echo jar >"$out/a.jar"`)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := fetchOnce(cache, filepath.Join(cache, "1.0"), mvn, "pom"); err != nil {
				t.Error(err)
			}
			if !complete(filepath.Join(cache, "1.0"), "pom") {
				t.Error("the folder is not complete")
			}
		})
	}
	wg.Wait()
	if runs, err := os.ReadFile(filepath.Join(cache, "runs")); err != nil || string(runs) != "run\n" {
		t.Errorf("mvn ran %q (%v), want once", runs, err)
	}
	if got, want := names(t, cache), []string{"1.0", "lock", "runs"}; !slices.Equal(got, want) {
		t.Errorf("the cache has %v, want %v", got, want)
	}
}

// TestFetchBroken has Maven fail half way: it is tried again, and what it left
// is not taken for jars.
func TestFetchBroken(t *testing.T) {
	cache := t.TempDir()
	mvn := fakeMaven(t, `echo jar >"$out/a.jar"; echo run >>"$out/../runs"; echo no network; exit 1`)
	err := fetchOnce(cache, filepath.Join(cache, "1.0"), mvn, "pom")
	if err == nil || !strings.Contains(err.Error(), "no network") {
		t.Errorf("the error is %v, want one with mvn's words", err)
	}
	if got, want := names(t, cache), []string{"lock", "runs"}; !slices.Equal(got, want) {
		t.Errorf("the cache has %v, want %v", got, want)
	}
	if runs, _ := os.ReadFile(filepath.Join(cache, "runs")); string(runs) != "run\nrun\n" {
		t.Errorf("mvn ran %q, want twice", runs)
	}
}

// TestFetchChanged changes what a release needs: its folder is filled anew.
func TestFetchChanged(t *testing.T) {
	cache := t.TempDir()
	folder := filepath.Join(cache, "1.0")
	for _, jar := range []string{"a.jar", "b.jar"} {
		pom := pomOf([]string{"group:" + jar + ":1"})
		if err := fetchOnce(cache, folder, fakeMaven(t, `echo jar >"$out/`+jar+`"`), pom); err != nil {
			t.Fatal(err)
		}
		if got, want := names(t, folder), []string{jar, recipe}; !slices.Equal(got, want) {
			t.Errorf("the folder has %v, want %v", got, want)
		}
	}
}
