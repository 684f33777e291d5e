// Command kver shows which versions of the Kafka API a broker offers, and
// which of them a client would use.
//
// This package wires: flags, environment, signals, streams and the exit
// status. What follows from a table is decided in internal/negotiate, what
// goes over the wire in internal/dial, how it looks in internal/render, and
// how documents are written and read in internal/snapshot.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(mainStatus()) }

// mainStatus runs kver on the real world. An interrupted run still reports
// what was read, then ends with the status that a shell gives to the signal.
func mainStatus() int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		signal.Stop(signals) // a second one ends the process at once
		cancel(signalError{s})
	}()
	return run(ctx, os.Args[1:], world{
		stdin:      os.Stdin,
		stdout:     os.Stdout,
		stderr:     os.Stderr,
		getenv:     os.Getenv,
		isTerminal: colorTerminal(os.Stdout),
	})
}
