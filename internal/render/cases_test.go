package render

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/fatih/color"

	"github.com/kver-cli/kver/internal/negotiate"
)

var escapes = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// TestB86ColourMovesNothing: the coloured bytes without their escapes are the
// plain ones, and each colour ends where it began: in its own piece of text.
func TestB86ColourMovesNothing(t *testing.T) {
	pieces := 0
	for _, s := range scenes(t) {
		plainText, coloured := shown(t, s, false), shown(t, s, true)
		if got := escapes.ReplaceAllString(coloured, ""); got != plainText {
			t.Errorf("%s: colour changed the text:\n%s", s.name, got)
		}
		if strings.ContainsRune(plainText, '\x1b') {
			t.Errorf("%s: escapes without colour", s.name)
		}
		for i, line := range strings.Split(coloured, "\n") {
			pieces += checkPairs(t, fmt.Sprintf("%s:%d", s.name, i+1), line)
		}
	}
	if pieces == 0 {
		t.Error("nothing was painted")
	}
}

var pair = regexp.MustCompile(`\x1b\[[1-9][0-9;]*m([^\x1b]*)\x1b\[(22|0|22;0)m`)

// checkPairs wants every escape of a line to be one of a pair around text.
func checkPairs(t *testing.T, where, line string) int {
	t.Helper()
	pairs := pair.FindAllStringSubmatch(line, -1)
	for _, p := range pairs {
		if p[1] == "" || strings.HasSuffix(p[1], "  ") {
			t.Errorf("%s: paints %q", where, p[1])
		}
	}
	if rest := pair.ReplaceAllString(line, ""); strings.ContainsRune(rest, '\x1b') {
		t.Errorf("%s: colour left open or a stray reset: %q", where, line)
	}
	return len(pairs)
}

// TestB86ColourIsAValue: neither the environment nor fatih's global decides.
func TestB86ColourIsAValue(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	t.Setenv("TERM", "dumb")
	s := scenes(t)[0]
	if !strings.Contains(shown(t, s, true), "\x1b[1;31m2 missing\x1b[") {
		t.Error("missing is not bold red with colour on")
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("FORCE_COLOR", "1")
	t.Setenv("CLICOLOR_FORCE", "1")
	before := color.NoColor
	t.Cleanup(func() { color.NoColor = before }) //nolint:reassign // put back
	for _, no := range []bool{true, false} {
		color.NoColor = no //nolint:reassign // as it is on a terminal, and in a pipe
		if strings.ContainsRune(shown(t, s, false), '\x1b') || !strings.ContainsRune(shown(t, s, true), '\x1b') {
			t.Errorf("color.NoColor = %t decides", no)
		}
	}
}

// TestB88Header: header words are as written, without blanks in them, and
// every row has as many columns as its header.
func TestB88Header(t *testing.T) {
	between := regexp.MustCompile(` {3,}`)
	tables := 0
	for _, s := range scenes(t) {
		columns := 0
		for i, line := range strings.Split(shown(t, s, false), "\n") {
			fields := between.Split(strings.TrimLeft(line, " "), -1)
			switch {
			case fields[0] == "KEY" || fields[0] == "FEATURE":
				columns, tables = len(fields), tables+1
				if words := strings.Fields(line); len(words) != columns || strings.ToUpper(line) != line {
					t.Errorf("%s:%d: header %q", s.name, i+1, line)
				}
			case line == "" || strings.HasPrefix(line, "NOTE"):
				columns = 0
			case columns > 0 && len(fields) != columns:
				t.Errorf("%s:%d: %d columns under %d: %q", s.name, i+1, len(fields), columns, line)
			}
		}
	}
	if tables < len(scenes(t)) {
		t.Errorf("only %d tables were seen", tables)
	}
	const want = "KEY   API                                     MIN   MAX   OURS   USE   STATE"
	if got := shown(t, scenes(t)[0], false); !strings.Contains(got, "\n"+want+"\n") {
		t.Errorf("no line %q", want)
	}
}

// TestB93NothingIsCut: long names stay whole, and on the line of their row.
func TestB93NothingIsCut(t *testing.T) {
	host := strings.Repeat("very-long-host-name.", 10) + "example.net:9092"
	p := kafka42(t, host)
	name := strings.Repeat("feature.", 30) + "version"
	withFeatures(p, feature(name, 0, 1, 1))
	failed := refused(host + "0")
	failed.Failure.Message = strings.Repeat("long ", 60) + "story"
	t.Setenv("COLUMNS", "20")
	for _, s := range []scene{
		{show: versions(report(negotiate.Selection{}, p, failed))},
		{show: ahead(negotiate.Negotiate([]*negotiate.Peer{p, failed}, older(), negotiate.Selection{}))},
		{show: diff(negotiate.Selection{}, kafka41(t, "a"), p, failed)},
	} {
		got := shown(t, s, true)
		for _, want := range []string{host, host + "0", failed.Failure.Message} {
			if !strings.Contains(got, want) {
				t.Errorf("%q is not whole in:\n%.2000s", want, got)
			}
		}
	}
	got := shown(t, scene{show: versions(report(negotiate.Selection{}, p))}, false)
	if want := name + "         0-1           1   -\n"; !strings.Contains(got, want) {
		t.Errorf("no row %q in:\n%s", want, got)
	}
}

// TestB95SomethingIsSaid whatever there is nothing of.
func TestB95SomethingIsSaid(t *testing.T) {
	tooNew := negotiate.Selection{States: []negotiate.State{negotiate.TooNew}}
	keys := negotiate.Selection{APIs: []int16{93}}
	for _, tt := range []struct {
		name, want string
		show       func(io.Writer, Style) error
	}{
		{"nothing ahead", "broker:9092 is not ahead of kmsg v1.15.1 (Kafka 4.4) on any of 75 keys\n", ahead(report(negotiate.Selection{}, kafka42(t, "broker:9092")))},
		{"nothing offered", "broker:9092 offers none of these keys\n", ahead(report(keys, kafka42(t, "broker:9092")))},
		{"no differences", "no differences\n", diff(negotiate.Selection{}, kafka42(t, "a"), kafka42(t, "b"))},
		{"nothing to compare", "nothing to compare\n", diff(negotiate.Selection{}, refused("a"), refused("b"))},
		{"all failed", "2 of 2 brokers could not be read\n", versions(report(negotiate.Selection{}, refused("a"), refused("b")))},
		{"one failed", "1 of 1 broker could not be read\n", ahead(report(negotiate.Selection{}, refused("a")))},
		{"no rows in the states", "no rows in these states\n", versions(report(tooNew, kafka42(t, "a")))},
		{"no disagreement", "all 2 brokers that answered offer the same versions\n", versions(report(negotiate.Selection{}, kafka42(t, "a"), kafka42(t, "b")))},
		{"features unknown", "features: not reported at ApiVersions v2\n", versions(report(negotiate.Selection{}, peer(t, "a", broker42, 2)))},
		{"no features", "features: none\n", versions(report(negotiate.Selection{}, withFeatures(peer(t, "a", zk39, 3))))},
	} {
		if got := shown(t, scene{show: tt.show}, false); !strings.Contains("\n"+got, "\n"+tt.want) {
			t.Errorf("%s: no line %q in:\n%s", tt.name, tt.want, got)
		}
	}
}

// TestB100EqualBrokersOnce: twelve equal brokers have one table.
func TestB100EqualBrokersOnce(t *testing.T) {
	for _, s := range scenes(t) {
		if s.name != "versions-crowd" {
			continue
		}
		got := shown(t, s, false)
		if n := strings.Count(got, "OURS   USE   STATE"); n != 2 {
			t.Errorf("%d tables", n)
		}
		for i := range 13 {
			if !strings.Contains(got, fmt.Sprintf("kafka-%d.example.net:9092", i+1)) {
				t.Errorf("broker %d is not named", i+1)
			}
		}
		return
	}
	t.Error("no such scene")
}

// TestAbsentRows are shown with All or when they are asked for.
func TestAbsentRows(t *testing.T) {
	const row = "\n  4   LeaderAndIsr"
	only := negotiate.Selection{States: []negotiate.State{negotiate.Absent}}
	for _, tt := range []struct {
		sel  negotiate.Selection
		all  bool
		want bool
	}{{all: false}, {all: true, want: true}, {sel: only, want: true}} {
		s := scene{show: versions(report(tt.sel, kafka42(t, "broker:9092"))), all: tt.all}
		got := shown(t, s, false)
		if strings.Contains(got, row) != tt.want || strings.Contains(got, " absent\n") != tt.want && strings.Contains(got, " absent   ours") != tt.want {
			t.Errorf("%+v: rows or count of absent keys are wrong:\n%.900s", tt, got)
		}
	}
}
