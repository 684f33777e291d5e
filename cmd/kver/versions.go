package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/kver-cli/kver/internal/negotiate"
	"github.com/kver-cli/kver/internal/render"
	"github.com/kver-cli/kver/internal/snapshot"
)

type versionsOptions struct {
	command
	stateWords words
	all        bool
}

func newVersions(w world) *cobra.Command {
	o := &versionsOptions{command: command{world: w}}
	cmd := &cobra.Command{
		Use:   "versions TARGET…",
		Short: "What each broker offers, and which version would be used",
		Long: `Ask each broker which versions of each API key it serves, and show them beside
what this build's codec can encode: the version that would be used, and what is
out of reach.

` + targetHelp + `

` + stateHelp + `

` + statusHelp,
		Example: `  kver versions broker:9092
  kver versions kafka-1:9092,kafka-2:9092 --state missing,too-new
  kver versions broker:9092 --api Produce,Fetch,Metadata --fail-on unsupported -q
  kver versions broker:9092 -o json > tuesday.json
  kver versions tuesday.json`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	o.bind(cmd)
	cmd.Flags().Var(&o.stateWords, "state", "only rows in these states: `STATE,…`")
	cmd.Flags().BoolVar(&o.all, "all", false, "also keys that this kind of listener is not expected to offer")
	bindStateGate(cmd)
	completeList(cmd, "state", stateNames())
	return cmd
}

func (o *versionsOptions) run(ctx context.Context, args []string) error {
	gate, err := o.checkWithGate(args)
	if err != nil {
		return err
	}
	states, err := negotiate.ParseStates(o.stateWords)
	if err != nil {
		return usagef("--state: %w", err)
	}
	peers, apis, err := o.read(ctx, args, 1)
	if err != nil {
		return err
	}
	r := negotiate.Negotiate(peers, negotiate.Kmsg(), negotiate.Selection{APIs: apis, States: states})
	r.Lore = lore()
	return o.finish(ctx, o.judge(r, gate), func(w io.Writer) error {
		if o.output == outputJSON {
			return snapshot.WriteVersions(w, r)
		}
		return render.Versions(w, r, o.style(o.all))
	})
}

// checkWithGate checks the flags of a command whose gates are states.
func (c *command) checkWithGate(args []string) ([]negotiate.State, error) {
	if len(args) == 0 {
		return nil, usagef("no target: name a broker's address (broker:9092), a snapshot (file.json) or a release (kafka@4.1)")
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	gate, err := negotiate.ParseStateGate(c.failOn)
	if err != nil {
		return nil, usagef("--fail-on: %w", err)
	}
	return gate, nil
}

// judge says what a report comes to.
func (c *command) judge(r negotiate.Report, gate []negotiate.State) outcome {
	o := outcome{hits: r.Hits(gate)}
	o.finding = len(o.hits) > 0
	for _, b := range r.Failed() {
		o.failed = append(o.failed, b.Peer)
	}
	return o
}

// bindStateGate describes --fail-on of a command whose gates are states.
func bindStateGate(cmd *cobra.Command) {
	cmd.Flags().Lookup("fail-on").Usage = "end with status 1 if a row is in one of these states: `STATE,…`;\n" +
		"unsupported stands for too-new, too-old, missing and invalid"
	completeList(cmd, "fail-on", append([]string{negotiate.GateUnsupported}, stateNames()...))
}

func stateNames() []string {
	var names []string
	for _, s := range negotiate.States() {
		names = append(names, string(s))
	}
	return names
}
