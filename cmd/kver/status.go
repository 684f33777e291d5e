package main

import (
	"errors"
	"fmt"
)

// The exit statuses. They follow from the report, before anything is rendered,
// and are the same in every format.
const (
	statusClean       = 0   // every target was read and no gate was hit
	statusFinding     = 1   // every target was read and a gate was hit
	statusUsage       = 2   // wrong usage; stdout is empty
	statusIncomplete  = 3   // a target could not be read, or output not written
	statusInterrupted = 130 // SIGINT
	statusTerminated  = 143 // SIGTERM
)

const statusHelp = `Exit status:
  0    every target was read and no gate was hit
  1    every target was read and a gate was hit (diff: they differ)
  2    wrong usage: a flag, an argument, an unreadable file; stdout is empty
  3    incomplete: a target could not be read, or output not written
  130  interrupted, 143 terminated; what was read is still shown`

// usageError is wrong usage: what is wrong, in one line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// exitError carries the status that a command ends with. Its cause, if there
// is one, has not been printed yet.
type exitError struct {
	status int
	cause  error
}

func (e *exitError) Error() string {
	if e.cause == nil {
		return fmt.Sprintf("status %d", e.status)
	}
	return e.cause.Error()
}

// exitWith returns nil for a clean run.
func exitWith(status int) error {
	if status == statusClean {
		return nil
	}
	return &exitError{status: status}
}

// statusOf gives the status of a run and what is left to print.
func statusOf(err error) (int, error) {
	var exit *exitError
	var usage usageError
	switch {
	case err == nil:
		return statusClean, nil
	case errors.As(err, &exit):
		return exit.status, exit.cause
	case errors.As(err, &usage):
		return statusUsage, err
	}
	return statusIncomplete, err // help or a script that could not be written
}
