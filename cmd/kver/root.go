package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/kver-cli/kver/internal/catalog"
	"github.com/kver-cli/kver/internal/dial"
	"github.com/kver-cli/kver/internal/render"
)

const targetHelp = `A TARGET is one of:
  host, host:port, [::1]:9093       an address; the port is 9092 unless named
  SSL://host:port, SASL_SSL://…     the same over TLS (also PLAINTEXT://,
                                    SASL_PLAINTEXT://); no login is needed
  file.json, @FILE, -               a snapshot: what "kver versions -o json"
                                    wrote, from a file or standard input
  kafka@4.1, kafka@4.1.1            a release of Apache Kafka as it was recorded:
  kafka@3.9/zk, kafka@4.1/controller  its broker, or another listener of it
and several addresses may be joined by commas.`

const stateHelp = `States (B: the broker's range, O: ours):
  same      usable, both end at the same version
  behind    usable, the broker ends before us
  ahead     usable at our maximum, the broker goes further
  unknown   the broker offers a key that our codec has no schema for
  too-new   nothing in common, B is above O: the client has to move
  too-old   nothing in common, B is below O: the broker has to move
  missing   not offered, though expected here or named with --api
  absent    not offered and not expected on this kind of listener (--all)
  invalid   the row contradicts itself; nothing is negotiated on it`

// run is kver on a given world. It returns the exit status.
func run(ctx context.Context, args []string, w world) int {
	out := &witness{w: w.stdout}
	w.stdout = out
	root := newRoot(w)
	root.SetArgs(args)
	status, rest := statusOf(root.ExecuteContext(ctx))
	if out.err != nil {
		status = max(status, statusIncomplete)
		if rest == nil {
			rest = fmt.Errorf("writing the output: %w", out.err)
		}
	}
	if rest != nil && !errors.Is(out.err, syscall.EPIPE) { // a reader that has left wants no word
		_, _ = fmt.Fprintf(w.stderr, "kver: %s\n", render.Clean(rest.Error())) // nowhere left to complain
		var name *catalog.NameError
		if errors.As(rest, &name) {
			for _, line := range name.Known {
				_, _ = fmt.Fprintf(w.stderr, "  %s\n", line)
			}
		}
	}
	return status
}

func newRoot(w world) *cobra.Command {
	root := &cobra.Command{
		Use:   "kver",
		Short: "Shows which Kafka API versions brokers offer, and which would be used",
		Long: `kver asks Kafka brokers which versions of each API key they serve (the
ApiVersions handshake), puts that beside what a client can encode, and says
which version will be used, which side binds, and what is out of reach.

` + statusHelp,
		Example: `  kver versions broker:9092
  kver ahead broker:9092
  kver diff kafka-1:9092 kafka-2:9092`,
		Args:          cobra.ArbitraryArgs,
		RunE:          misled,
		SilenceErrors: true, // printed once, in run
		SilenceUsage:  true,
		// cobra's own distance, which it sets only where it answers itself.
		SuggestionsMinimumDistance: 2,
	}
	// Not cobra's own version flag: its template drags text/template into the
	// binary, and with it every exported method of every type.
	root.Flags().Bool("version", false, "print the version of kver and of its codec")
	root.SetIn(w.stdin)
	root.SetOut(w.stdout)
	root.SetErr(w.stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if cmd == root {
			return usagef("%w (flags follow the command: kver versions broker:9092 -q; see kver --help)", err)
		}
		return usagef("%w (see %s --help)", err, cmd.CommandPath())
	})
	root.SetHelpCommand(newHelp())
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(newVersions(w), newAhead(w), newDiff(w), newCompletion(w))
	// A scheduler on Windows looks like a double click to cobra, which would
	// then refuse to run.
	cobra.MousetrapHelpText = ""
	return root
}

// newHelp replaces cobra's help command, which takes a misspelt topic for a
// success.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help on a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usagef("no help on %q (see kver --help)", strings.Join(args, " "))
			}
			return about.Help()
		},
	}
}

// misled answers a call without a command: nothing, an address where a command
// should be, a misspelt command.
func misled(cmd *cobra.Command, args []string) error {
	if asked, err := cmd.Flags().GetBool("version"); err == nil && asked && len(args) == 0 {
		_, err := fmt.Fprint(cmd.OutOrStdout(), versionLine())
		return err
	}
	if len(args) == 0 {
		cmd.SetOut(cmd.ErrOrStderr())
		if err := cmd.Help(); err != nil {
			return err
		}
		return exitWith(statusUsage)
	}
	word := args[0]
	if near := cmd.SuggestionsFor(word); len(near) > 0 {
		return usagef("unknown command %q (did you mean %s?)", word, strings.Join(near, " or "))
	}
	if isTarget(word) {
		return usagef("unknown command %q; to ask a broker: kver versions %s", word, strings.Join(args, " "))
	}
	return usagef("unknown command %q; the commands are versions, ahead and diff (see kver --help)", word)
}

// isTarget reports whether a word looks like a target rather than a command.
func isTarget(word string) bool {
	t, err := parseTarget(strings.Split(word, ",")[0])
	if err != nil {
		return false
	}
	return !t.isAddress() || strings.ContainsAny(word, ":.") || t.address.Port != dial.DefaultPort || word == "localhost"
}
