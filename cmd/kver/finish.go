package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/kver-cli/kver/internal/negotiate"
)

// outcome is what a run came to, before anything is rendered.
type outcome struct {
	failed  []*negotiate.Peer
	finding bool // a gate was hit
	// unjudged is set where a target failed without which no gate means what
	// it says, so that --allow-unreachable cannot turn it into a pass.
	unjudged bool
	hits     []negotiate.Hit // what to say of it
}

// finish writes the report, says on standard error what has to be said there,
// and returns the exit status. write renders the report.
func (c *command) finish(ctx context.Context, o outcome, write func(io.Writer) error) error {
	status := c.status(ctx, o)
	var unwritten error
	if !c.quiet {
		unwritten = write(c.world.stdout)
	}
	if errors.Is(unwritten, syscall.EPIPE) { // a reader that has left wants no word
		return &exitError{max(status, statusIncomplete), unwritten}
	}
	if c.quiet || c.output != outputTable { // a table shows them in their place
		for _, p := range o.failed {
			c.say(fmt.Sprintf("%s: %s: %s (try: %s)", negotiate.Label(p), p.Failure.Stage, p.Failure.Message, p.Failure.Hint))
		}
	}
	for _, h := range o.hits {
		c.say(fmt.Sprintf("%s: %s", h.Target, h.Reason))
	}
	if unwritten != nil {
		return &exitError{max(status, statusIncomplete), fmt.Errorf("writing the report: %w", unwritten)}
	}
	return exitWith(status)
}

func (c *command) status(ctx context.Context, o outcome) int {
	var sig signalError
	switch {
	case errors.As(context.Cause(ctx), &sig):
		return sig.status()
	case len(o.failed) > 0 && (!c.allowUnreachable || o.unjudged):
		return statusIncomplete
	case o.finding:
		return statusFinding
	}
	return statusClean
}
