package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/kver-cli/kver/internal/negotiate"
	"github.com/kver-cli/kver/internal/render"
	"github.com/kver-cli/kver/internal/snapshot"
)

type aheadOptions struct{ command }

func newAhead(w world) *cobra.Command {
	o := &aheadOptions{command{world: w}}
	cmd := &cobra.Command{
		Use:   "ahead TARGET…",
		Short: "Where brokers are ahead of this build's codec, and what that costs",
		Long: `Show only the rows on which a broker offers what this build's codec cannot
encode: those that are clamped to our maximum and work, and those that cannot be
called at all. Being ahead is the ordinary state of a newer cluster, so the
status is 0 unless --fail-on says otherwise.

` + targetHelp + `

` + statusHelp,
		Example: `  kver ahead broker:9092
  kver ahead broker:9092 --fail-on too-new,unknown`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	o.bind(cmd)
	bindStateGate(cmd)
	return cmd
}

func (o *aheadOptions) run(ctx context.Context, args []string) error {
	gate, err := o.checkWithGate(args)
	if err != nil {
		return err
	}
	peers, apis, err := o.read(ctx, args, 1)
	if err != nil {
		return err
	}
	r := negotiate.Negotiate(peers, negotiate.Kmsg(), negotiate.Selection{APIs: apis})
	r.Lore = lore()
	return o.finish(ctx, o.judge(r, gate), func(w io.Writer) error {
		if o.output == outputJSON {
			return snapshot.WriteAhead(w, r)
		}
		return render.Ahead(w, r, o.style(false))
	})
}
