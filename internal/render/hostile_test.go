package render

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/kver-cli/kver/internal/negotiate"
)

const child = "KVER_RENDER_CHILD"

// TestLocale: the bytes are the same in a locale in which the library takes
// some letters for two columns wide.
func TestLocale(t *testing.T) {
	odd := withFeatures(kafka42(t, "broker:9092"), feature("Ω±§ЖВ.version", 0, 1, 1), feature("日本語", 0, 1, 1))
	all := append(scenes(t), scene{name: "letters", show: versions(report(negotiate.Selection{}, odd))})
	var here bytes.Buffer
	for _, s := range all {
		here.WriteString(shown(t, s, true))
	}
	if os.Getenv(child) != "" {
		_, _ = os.Stdout.Write(here.Bytes())
		os.Exit(0)
	}
	for _, env := range []string{"RUNEWIDTH_EASTASIAN=1", "LC_ALL=ja_JP.UTF-8", "LC_ALL=C", "LANG=zh_TW.UTF-8"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestLocale$")
		cmd.Env = []string{child + "=1", "TERM=vt100", env}
		there, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(there, here.Bytes()) {
			t.Errorf("%s changes the output", env)
		}
	}
}

// full is a writer with room for n bytes.
type full struct{ n int }

var errFull = errors.New("no space left")

func (f *full) Write(b []byte) (int, error) {
	if len(b) > f.n {
		return 0, errFull
	}
	f.n -= len(b)
	return len(b), nil
}

// TestFailingWriter: every function returns the writer's error, at whichever
// byte it comes.
func TestFailingWriter(t *testing.T) {
	for _, s := range scenes(t) {
		size := len(shown(t, s, true))
		for _, room := range []int{0, 1, size / 2, size - 1} {
			if err := s.show(&full{room}, Style{Color: true, All: s.all}); !errors.Is(err, errFull) {
				t.Errorf("%s with room for %d of %d bytes: %v", s.name, room, size, err)
			}
		}
	}
	many := distinct(t, 50)
	if err := Versions(&full{bufferSize + 1}, many, Style{}); !errors.Is(err, errFull) {
		t.Errorf("in the middle: %v", err)
	}
}

// pieces counts what arrives at a writer.
type pieces struct{ n, largest int }

func (p *pieces) Write(b []byte) (int, error) {
	p.n, p.largest = p.n+1, max(p.largest, len(b))
	return len(b), nil
}

// TestPieces: one broker is written at once, many are not held in memory.
func TestPieces(t *testing.T) {
	var one, many pieces
	if err := Versions(&one, distinct(t, 1), Style{Color: true, All: true}); err != nil || one.n != 1 {
		t.Errorf("one broker in %d pieces: %v", one.n, err)
	}
	if err := Versions(&many, distinct(t, 100), Style{}); err != nil || many.largest > bufferSize {
		t.Errorf("%d bytes at once: %v", many.largest, err)
	}
}

// TestPeerText: nothing that a peer chose can do anything to a terminal.
func TestPeerText(t *testing.T) {
	const evil = "a\x1b[31m\nb\r\t\u009b2J\u202ec\x00\x7f\xff\u2066\u200b\ufeffd\u2028e\x07"
	p := kafka42(t, "host"+evil)
	p.Address, p.Rack, p.Source = evil, ptr(evil), evil
	withFeatures(p, feature(evil, 0, 1, 1), feature("\x1b", 0, 1, 1))
	other := kafka41(t, "other"+evil)
	other.Features = append(other.Features, feature(evil, 0, 3, 3))
	bad := refused("bad" + evil)
	bad.Failure = &negotiate.Failure{Stage: evil, Code: evil, Message: evil, Hint: evil}
	hidden := withFeatures(peer(t, "hidden", broker42, 3))
	for name, show := range map[string]func(io.Writer, Style) error{
		"versions": versions(report(negotiate.Selection{}, p, other, bad)),
		"ahead":    ahead(negotiate.Negotiate([]*negotiate.Peer{p, bad}, older(), negotiate.Selection{})),
		"diff":     diff(negotiate.Selection{}, p, other, bad),
		"notes":    diff(negotiate.Selection{}, p, hidden),
	} {
		got := shown(t, scene{show: show}, false)
		if !strings.Contains(got, "a[31m b 2Jcd e") && !strings.Contains(got, "a[31m b 2Jcd") {
			t.Errorf("%s does not show the text at all:\n%s", name, got)
		}
		for i, r := range got {
			if r != '\n' && (r < ' ' || r > '~') {
				t.Errorf("%s lets %U through at %d: %.80q", name, r, i, got[max(i-40, 0):])
			}
		}
		if strings.Contains(got, "\n b") || strings.Contains(got, "\nb ") {
			t.Errorf("%s lets a line break through:\n%s", name, got)
		}
	}
}
