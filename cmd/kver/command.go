package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kver-cli/kver/internal/dial"
	"github.com/kver-cli/kver/internal/negotiate"
	"github.com/kver-cli/kver/internal/render"
)

// Values of --color and --output.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"

	outputTable = "table"
	outputJSON  = "json"
)

const (
	// defaultTimeout is for everything one address takes. A broker answers in
	// milliseconds; a far one behind a VPN and TLS in well under a second.
	defaultTimeout = 5 * time.Second
	// defaultParallel is how many addresses are asked at once: enough that
	// large clusters take a moment, few enough for any limit on open files.
	defaultParallel = 64
	// maxParallel is more connections than one machine has ports for.
	maxParallel = 1 << 16
	// spareFiles are for the standard streams, the poller and name servers.
	spareFiles = 16
)

// command is what the three commands share: the values of their flags, read
// and checked, and the world they run in.
type command struct {
	world world

	output           string
	color            string
	quiet            bool
	allowUnreachable bool
	timeout          time.Duration
	parallel         int
	clientID         string
	apiWords         words
	failOn           words

	apis []int16 // from apiWords; nil is every key
}

// bind adds the flags that every command has.
func (c *command) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&c.apiWords, "api", "only these API keys: `NAME|NUMBER,…` (Fetch,18,Unknown(93))")
	f.Var(&c.failOn, "fail-on", "")
	f.BoolVar(&c.allowUnreachable, "allow-unreachable", false, "do not end with status 3 over targets that could not be read")
	f.StringVarP(&c.output, "output", "o", outputTable, "`FORMAT`: table or json")
	f.StringVar(&c.color, "color", colorAuto, "`WHEN` to colour tables: auto, always or never")
	f.BoolVarP(&c.quiet, "quiet", "q", false, "no output but errors and gates that were hit")
	f.DurationVar(&c.timeout, "timeout", defaultTimeout, "for everything that one address takes")
	f.IntVar(&c.parallel, "parallel", defaultParallel, "how many addresses to ask at once, at `N` most")
	f.StringVar(&c.clientID, "client-id", "kver", "client `ID` for the brokers' logs and quotas")
	cmd.ValidArgsFunction = completeTargets
	complete(cmd, "output", outputTable, outputJSON)
	complete(cmd, "color", colorAuto, colorAlways, colorNever)
	completeList(cmd, "api", negotiate.Names())
}

// check reads and checks the flags that every command has.
func (c *command) check() error {
	if !slices.Contains([]string{outputTable, outputJSON}, c.output) {
		return usagef("--output %q: the formats are table and json", c.output)
	}
	if !slices.Contains([]string{colorAuto, colorAlways, colorNever}, c.color) {
		return usagef("--color %q: it is auto, always or never", c.color)
	}
	if c.timeout <= 0 {
		return usagef("--timeout %s: it has to be more than nothing (5s, 500ms)", c.timeout)
	}
	if c.parallel < 1 || c.parallel > maxParallel {
		return usagef("--parallel %d: it is 1 to %d", c.parallel, maxParallel)
	}
	if strings.IndexFunc(c.clientID, func(r rune) bool { return r < ' ' || r > '~' }) >= 0 {
		return usagef("--client-id %q: it is printable ASCII, which every broker takes", c.clientID)
	}
	const maxClientID = 1<<15 - 1 // its length is an int16 on the wire
	if len(c.clientID) > maxClientID {
		return usagef("--client-id of %d characters: it has %d at most", len(c.clientID), maxClientID)
	}
	for _, w := range c.apiWords {
		key, err := negotiate.ParseKey(w)
		if err != nil {
			return usagef("--api: %w", err)
		}
		c.apis = append(c.apis, key)
	}
	slices.Sort(c.apis)
	c.apis = slices.Compact(c.apis)
	return nil
}

func (c *command) dialConfig() dial.Config {
	return dial.Config{
		Timeout:         c.timeout,
		ClientID:        c.clientID,
		SoftwareName:    "kver",
		SoftwareVersion: buildVersion(),
	}
}

func (c *command) style(all bool) render.Style {
	return render.Style{Color: c.world.useColor(c.color), All: all}
}

// atOnce is how many addresses are asked at once: as told, as far as the limit
// on open files allows.
func (c *command) atOnce() int { return max(1, min(c.parallel, openFiles()-spareFiles)) }

// read gathers the peers that the arguments name, at least atLeast of them.
func (c *command) read(ctx context.Context, args []string, atLeast int) ([]*negotiate.Peer, []int16, error) {
	targets, named, notes, err := parseTargets(args)
	if err != nil {
		return nil, nil, err
	}
	for _, n := range notes {
		c.say(n)
	}
	peers, apis, err := c.gather(ctx, targets)
	if err != nil {
		return nil, nil, err
	}
	if max(named, len(peers)) < atLeast {
		return nil, nil, usagef("diff compares two targets or more, and %s is one", targets[0])
	}
	return peers, apis, nil
}

// say writes a line to standard error. What came from peers or arguments is
// stripped of control characters.
func (c *command) say(line string) {
	_, _ = fmt.Fprintf(c.world.stderr, "kver: %s\n", render.Clean(line)) // nowhere left to complain
}
