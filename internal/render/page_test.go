package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/kver-cli/kver/internal/negotiate"
)

func written(t *testing.T, draw func(p *page)) string {
	t.Helper()
	var b bytes.Buffer
	p := newPage(&b, Style{})
	draw(p)
	if err := p.close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFlow wraps between spans only, at pageWidth, and never leaves a blank at
// the end of a line or an empty line.
func TestFlow(t *testing.T) {
	for n := range 40 {
		names := make([]string, n+1)
		for i := range names {
			names[i] = strings.Repeat("x", 1+(i*7)%23)
		}
		got := written(t, func(p *page) {
			p.flow(7, append([]span{{"NOTE", faint, 0}}, list(names, plain, ":")...)...)
		})
		for i, line := range strings.Split(strings.TrimSuffix(got, "\n"), "\n") {
			if width(line) > pageWidth || strings.TrimSpace(line) == "" || strings.TrimRight(line, " ") != line {
				t.Errorf("%d names, line %d: %q", n+1, i+1, line)
			}
			if indented := strings.HasPrefix(line, "       x"); indented != (i > 0) {
				t.Errorf("%d names, line %d has the wrong indent: %q", n+1, i+1, line)
			}
		}
		if joined := strings.Join(strings.Fields(got), " "); joined != "NOTE "+strings.Join(names, ", ")+":" {
			t.Errorf("%d names became %q", n+1, joined)
		}
	}
}

// TestFlowLongWord: what does not fit on any line is left whole.
func TestFlowLongWord(t *testing.T) {
	long := strings.Repeat("y", pageWidth+20)
	got := written(t, func(p *page) { p.flow(3, words("first "+long+" last", plain)...) })
	if want := " first\n   " + long + "\n   last\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTable aligns by columns of the screen, not by bytes.
func TestTable(t *testing.T) {
	got := written(t, func(p *page) {
		p.table([]column{left("NAME"), right("N"), left("LAST")}, [][]cell{
			{say("größe", plain), say("1", plain), say("x", plain)},
			{say("日本", plain), say("100", plain), changeCell([]negotiate.Change{negotiate.Removed, negotiate.MaxRaised})},
			{say("e\u0301", plain), say("-", plain), say("-", plain)},
		})
		p.table([]column{left("B")}, [][]cell{{say("second", plain)}})
	})
	want := "NAME      N   LAST\n" +
		"größe     1   x\n" +
		"日本    100   removed (breaking), max-raised\n" +
		"e\u0301         -   -\n" +
		"B\nsecond\n"
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		count(0, "key"): "0 keys", count(1, "key"): "1 key", count(2, "key"): "2 keys",
		took(200): "0.2 ms", took(35_400): "35.4 ms", took(5_000_000): "5.0 s",
		oursName(negotiate.Kmsg()):              "kmsg v1.15.1 (Kafka 4.4)",
		oursName(negotiate.Codec{Name: "mine"}): "mine",
		rangeText(nil):                          "-",
		number(nil):                             "-",
		number(ptr(int16(0))):                   "0",
		peerText("\x1b"):                        "-",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestClampedText gets one and many right.
func TestClampedText(t *testing.T) {
	by := func(n int16) negotiate.Verdict {
		return negotiate.Verdict{Theirs: &negotiate.Range{Max: 3 + n}, Ours: &negotiate.Range{Max: 3}}
	}
	for want, rows := range map[string][]negotiate.Verdict{
		"1 key, by 1 version":        {by(1)},
		"1 key, by 2 versions":       {by(2)},
		"2 keys, by 1 version each":  {by(1), by(1)},
		"2 keys, by 3 versions each": {by(3), by(3)},
		"3 keys, by 1 to 4 versions": {by(2), by(1), by(4)},
	} {
		if got := clampedText(rows); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestEveryStateHasATone: the ordinary ones are quiet, and what fails is not.
func TestEveryStateHasATone(t *testing.T) {
	for _, s := range negotiate.States() {
		if got, want := toneOf(s) == alarm, s.Unsupported(); got != want {
			t.Errorf("%s: alarm is %t", s, got)
		}
	}
	if toneOf(negotiate.Same) != faint || toneOf(negotiate.Behind) != plain || toneOf(negotiate.Ahead) == toneOf(negotiate.Unknown) {
		t.Error("the states that work are not told apart")
	}
}

// TestGroupRemarks: a note that holds for all brokers of a table names none.
func TestGroupRemarks(t *testing.T) {
	slow := kafka42(t, "slow:9092")
	slow.Handshake.ThrottleMillis = 100
	both := kafka42(t, "both:9092")
	both.Handshake.ThrottleMillis = 100
	got := shown(t, scene{show: versions(report(negotiate.Selection{}, slow, kafka42(t, "quick:9092"), both))}, false)
	if want := "\nNOTE   slow:9092, both:9092: the broker throttles this client for 100 ms\n"; !strings.Contains(got, want) {
		t.Errorf("no line %q in:\n%.700s", want, got)
	}
	got = shown(t, scene{show: versions(report(negotiate.Selection{}, slow, both))}, false)
	if want := "\nNOTE   the broker throttles this client for 100 ms\n"; !strings.Contains(got, want) {
		t.Errorf("no line %q in:\n%.700s", want, got)
	}
}
