package main

import (
	"io"
	"os"
	"syscall"
)

// world is what a run touches besides the network.
type world struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	isTerminal     bool // stdout is a terminal that understands colours
}

// signalError is the cause of a context that a signal ended.
type signalError struct{ os.Signal }

func (e signalError) Error() string { return e.String() }

// status is 128 and the signal's number, as shells have it.
func (e signalError) status() int {
	if e.Signal == syscall.SIGTERM {
		return statusTerminated
	}
	return statusInterrupted
}

// useColor decides once whether tables are coloured:
// --color > NO_COLOR > CLICOLOR_FORCE, FORCE_COLOR > TERM=dumb > a terminal.
func (w world) useColor(flag string) bool {
	switch {
	case flag == colorAlways:
		return true
	case flag == colorNever, w.getenv("NO_COLOR") != "":
		return false
	case forces(w.getenv("CLICOLOR_FORCE")), forces(w.getenv("FORCE_COLOR")):
		return true
	case w.getenv("TERM") == "dumb":
		return false
	}
	return w.isTerminal
}

// forces reads CLICOLOR_FORCE and FORCE_COLOR: set, and not to "no".
func forces(value string) bool { return value != "" && value != "0" && value != "false" }

// witness remembers that a write failed, for writers whose callers do not
// look: help texts that go to a full disk.
type witness struct {
	w   io.Writer
	err error
}

func (o *witness) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}
