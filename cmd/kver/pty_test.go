//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/creack/pty"
)

var escapes = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// onTerminal runs kver on a terminal of some columns and returns what it shows.
func onTerminal(t *testing.T, columns uint16, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("kver", args...)
	cmd.Env = append(os.Environ(), append([]string{"TERM=xterm-256color", "NO_COLOR=", "FORCE_COLOR=", "CLICOLOR_FORCE="}, env...)...)
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: columns})
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	shown, _ := io.ReadAll(terminal) // Linux ends it with EIO
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, shown)
	}
	return strings.ReplaceAll(string(shown), "\r\n", "\n")
}

// Cells were cut to the width of a terminal, or of one that was not there. A
// terminal changes decoration, never content: the same bytes at any width, and
// in a pipe, once escapes are taken out.
func TestB93(t *testing.T) {
	args := []string{"versions", "../../testdata/snapshots/kafka-4.2.0.json", "--all"}
	piped, err := exec.Command("kver", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, columns := range []uint16{20, 80, 200} {
		shown := onTerminal(t, columns, nil, args...)
		if !escapes.MatchString(shown) {
			t.Errorf("%d columns: no colour on a terminal", columns)
		}
		if plain := escapes.ReplaceAllString(shown, ""); plain != string(piped) {
			t.Errorf("%d columns: the terminal shows\n%s\nthe pipe\n%s", columns, plain, piped)
		}
	}
}

// What a terminal is told to show overrules what it can.
func TestColorOnTerminal(t *testing.T) {
	file := "../../testdata/snapshots/kafka-4.2.0.json"
	for _, tt := range []struct {
		name   string
		env    []string
		args   []string
		colour bool
	}{
		{"plain", nil, nil, true},
		{"NO_COLOR", []string{"NO_COLOR=1"}, nil, false},
		{"NO_COLOR over FORCE_COLOR", []string{"NO_COLOR=1", "FORCE_COLOR=1"}, nil, false},
		{"TERM=dumb", []string{"TERM=dumb"}, nil, false},
		{"FORCE_COLOR over TERM=dumb", []string{"TERM=dumb", "FORCE_COLOR=1"}, nil, true},
		{"--color over NO_COLOR", []string{"NO_COLOR=1"}, []string{"--color", "always"}, true},
		{"--color=never", nil, []string{"--color=never"}, false},
		{"JSON", nil, []string{"-o", "json", "--color=always"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			shown := onTerminal(t, 80, tt.env, append([]string{"versions", file}, tt.args...)...)
			if got := strings.Contains(shown, "\x1b"); got != tt.colour {
				t.Errorf("colour: %v, want %v", got, tt.colour)
			}
		})
	}
}
