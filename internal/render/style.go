package render

import (
	"strings"

	"github.com/fatih/color"

	"github.com/kver-cli/kver/internal/negotiate"
)

// Style is how a report is shown. Neither field changes what it says.
type Style struct {
	Color bool // paint it
	All   bool // show absent rows too
}

// tone is what a piece of text is to the reader.
type tone int

// The tones. Plain is whatever the terminal has.
const (
	plain   tone = iota
	faint        // the ordinary case
	bold         // what a section is about
	cyan         // ours binds
	magenta      // ours has no schema
	alarm        // calls fail
	tones
)

// toneOf gives a state its colour, the same in every table and count.
func toneOf(s negotiate.State) tone {
	switch s {
	case negotiate.Same, negotiate.Absent:
		return faint
	case negotiate.Ahead:
		return cyan
	case negotiate.Unknown:
		return magenta
	case negotiate.TooNew, negotiate.TooOld, negotiate.Missing, negotiate.Invalid:
		return alarm
	}
	return plain
}

// ink is what stands before and after text of each tone; nothing without colour.
type ink [tones]struct{ open, shut string }

// newInk decides for each of its colours by itself: fatih's one global looks at
// standard output and the environment, which is not where this text goes.
func newInk(on bool) ink {
	var k ink
	for t, c := range map[tone]*color.Color{
		faint:   color.New(color.Faint),
		bold:    color.New(color.Bold),
		cyan:    color.New(color.FgCyan),
		magenta: color.New(color.FgMagenta),
		alarm:   color.New(color.Bold, color.FgRed),
	} {
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		k[t].open, k[t].shut, _ = strings.Cut(c.Sprint("text"), "text")
	}
	return k
}
