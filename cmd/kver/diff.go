package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/kver-cli/kver/internal/negotiate"
	"github.com/kver-cli/kver/internal/render"
	"github.com/kver-cli/kver/internal/snapshot"
)

type diffOptions struct{ command }

func newDiff(w world) *cobra.Command {
	o := &diffOptions{command{world: w}}
	cmd := &cobra.Command{
		Use:   "diff TARGET TARGET…",
		Short: "Where brokers or snapshots disagree",
		Long: `Compare the tables of brokers and snapshots. The first target is the baseline;
targets with the same table form a group. Only keys and features that differ are
shown, each change with its kind. A change is breaking when a client that worked
against the baseline may fail: removed, min-raised, max-lowered.

Without --fail-on, any difference ends with status 1, as diff(1) has it.

` + targetHelp + `

` + statusHelp,
		Example: `  kver diff kafka-1:9092 kafka-2:9092
  kver diff baseline.json broker:9092 --fail-on breaking
  kver diff tuesday.json today.json --api Produce,Fetch`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	o.bind(cmd)
	cmd.Flags().Lookup("fail-on").Usage = "end with status 1 on changes of these `KIND,…`: breaking, breaking-own (without\n" +
		"keys that depend on the active controller), any (default), none, or added,\n" +
		"removed, min-raised, min-lowered, max-raised, max-lowered, finalized-raised,\nfinalized-lowered"
	completeList(cmd, "fail-on", changeKinds())
	return cmd
}

func changeKinds() []string {
	kinds := []string{negotiate.GateBreaking, negotiate.GateBreakingOwn, negotiate.GateAny, negotiate.GateNone}
	for _, c := range negotiate.Changes() {
		kinds = append(kinds, string(c))
	}
	return kinds
}

func (o *diffOptions) run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return usagef("no targets: diff compares two or more addresses or snapshots")
	}
	if err := o.check(); err != nil {
		return err
	}
	gate, err := negotiate.ParseChangeGate(o.failOn)
	if err != nil {
		return usagef("--fail-on: %w", err)
	}
	peers, apis, err := o.read(ctx, args, 2)
	if err != nil {
		return err
	}
	d := negotiate.Diff(peers, negotiate.Selection{APIs: apis})
	d.Lore = lore()
	return o.finish(ctx, o.judge(d, gate), func(w io.Writer) error {
		if o.output == outputJSON {
			return snapshot.WriteDiff(w, d)
		}
		return render.Diff(w, d, o.style(false))
	})
}

// judge says what the differences come to. Without a gate, that two tables
// differ is what the report says; only a run without a report has to say it.
func (o *diffOptions) judge(d negotiate.Difference, gate negotiate.ChangeGate) outcome {
	out := outcome{failed: d.Failed, hits: d.Hits(gate), unjudged: d.BaselineFailed}
	out.finding = len(out.hits) > 0
	if len(gate) == 0 && d.Differs() {
		out.finding = true
		if o.quiet {
			out.hits = []negotiate.Hit{d.Summary()}
		}
	}
	return out
}
