package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// A shown command is one that users read in the README or in a help text, with
// the output they are told to expect, if any.
type shown struct {
	command string
	output  []string // nil where none is shown
}

// TestREADME runs every command of the README and compares what it shows.
func TestREADME(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	box := newSandbox(t)
	commands := commandsIn(string(text))
	const atLeast = 12 // a README without its commands is a test that looks at nothing
	if len(commands) < atLeast {
		t.Fatalf("found %d commands, expected %d or more", len(commands), atLeast)
	}
	for _, c := range commands {
		t.Run(c.command, func(t *testing.T) { box.run(t, c) })
	}
}

// TestHelpExamples runs every example of the help texts.
func TestHelpExamples(t *testing.T) {
	box := newSandbox(t)
	root := newRoot(world{getenv: os.Getenv})
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		for line := range strings.Lines(cmd.Example) {
			c := shown{command: strings.TrimSpace(line)}
			t.Run(c.command, func(t *testing.T) { box.run(t, c) })
		}
	}
}

// TestInstall runs the README's command to install kver.
func TestInstall(t *testing.T) {
	bin := t.TempDir()
	cmd := exec.Command("go", "install", "./cmd/kver")
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), "GOBIN="+bin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(filepath.Join(bin, "kver"), "--version").Output()
	if err != nil || !strings.HasPrefix(string(out), "kver ") {
		t.Errorf("%q, %v", out, err)
	}
}

var (
	inline   = regexp.MustCompile("`(kver [^`]+)`")
	yamlStep = regexp.MustCompile(`(?m)^ {4}(kver .+)$`)
)

// commandsIn finds the commands in a page: in console blocks with their
// output, in the run step of a yaml block, and in running text.
func commandsIn(page string) []shown {
	var found []shown
	for i, part := range strings.Split(page, "```") {
		switch lang, body, _ := strings.Cut(part, "\n"); {
		case i%2 == 0:
			for _, m := range inline.FindAllStringSubmatch(part, -1) {
				found = append(found, shown{command: strings.Join(strings.Fields(m[1]), " ")})
			}
		case lang == "console":
			found = append(found, session(body)...)
		case lang == "yaml":
			for _, m := range yamlStep.FindAllStringSubmatch(body, -1) {
				found = append(found, shown{command: m[1]})
			}
		}
	}
	return found
}

// session takes a console block apart.
func session(body string) []shown {
	var found []shown
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			found = append(found, shown{command: command, output: []string{}})
			continue
		}
		last := &found[len(found)-1]
		last.output = append(last.output, line)
	}
	return found
}

// sandbox is a folder with what the shown commands name: the repository's
// testdata, snapshots, and brokers under the names that the texts give them.
type sandbox struct {
	dir     string
	brokers *strings.Replacer
	back    *strings.Replacer
}

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(repo, "testdata"), filepath.Join(dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	var names, there, back []string
	for _, name := range []string{"kafka-1:9092", "kafka-2:9092", "broker:9092"} {
		addr := fakeBroker(t)
		names = append(names, name)
		there = append(there, name, addr)
		back = append(back, addr, name)
	}
	box := &sandbox{dir, strings.NewReplacer(there...), strings.NewReplacer(back...)}
	for _, file := range []string{"baseline.json", "tuesday.json", "today.json"} {
		box.run(t, shown{command: "kver versions " + names[2] + " -o json > " + file})
	}
	return box
}

// run runs one command as a shell would. It has to end with status 0, or 1
// from a diff, and to show what is promised.
func (b *sandbox) run(t *testing.T, c shown) {
	t.Helper()
	command := strings.Replace(c.command, "go run ./cmd/kver", "kver", 1)
	if strings.HasPrefix(command, "go ") {
		t.Fatalf("%s is no command for this test", command)
	}
	cmd := exec.Command("sh", "-c", b.brokers.Replace(command))
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "BROKERS="+b.brokers.Replace("kafka-1:9092,kafka-2:9092"))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	isDiff := strings.HasPrefix(command, "kver diff")
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != statusFinding || !isDiff) {
		t.Fatalf("%s: %v\n%s%s", c.command, err, out, stderr.String())
	}
	if c.output == nil {
		return
	}
	got := strings.Split(strings.TrimSuffix(b.back.Replace(string(out)), "\n"), "\n")
	if len(out) == 0 {
		got = nil
	}
	if !matches(c.output, got) {
		t.Errorf("%s\nshows:\n%s\n\nis:\n%s", c.command, strings.Join(c.output, "\n"), strings.Join(got, "\n"))
	}
}

// matches reports whether the output is what was shown, where a line with
// nothing but … stands for any number of lines.
func matches(want, got []string) bool {
	switch {
	case len(want) == 0:
		return len(got) == 0
	case want[0] == "…":
		for i := range len(got) + 1 {
			if matches(want[1:], got[i:]) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && want[0] == got[0] && matches(want[1:], got[1:])
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		want, got string
		ok        bool
	}{
		{"a b", "a b", true},
		{"a …", "a b c", true},
		{"… c", "a b c", true},
		{"a … c …", "a b c", true},
		{"a", "a b", false},
		{"a b", "a", false},
		{"a … d", "a b c", false},
	} {
		if got := matches(strings.Fields(tt.want), strings.Fields(tt.got)); got != tt.ok {
			t.Errorf("%q against %q: %v", tt.want, tt.got, got)
		}
	}
}
