package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/kver-cli/kver/internal/dial"
	"github.com/kver-cli/kver/internal/negotiate"
	"github.com/kver-cli/kver/internal/snapshot"
)

// A target is one place to read peers from: an address or a snapshot.
type target struct {
	address  dial.Address
	snapshot string // the file's name, stdinName, or "" for an address
	peers    []*negotiate.Peer
	apis     []int16 // the keys a snapshot was recorded for, nil for all
}

// stdinName is how a snapshot on standard input is named, as an argument.
const stdinName = "-"

// key is equal for targets that are the same question.
func (t target) key() string {
	if t.snapshot != "" {
		return "file " + t.snapshot
	}
	return t.address.Key()
}

func (t target) String() string {
	if t.snapshot != "" {
		return t.snapshot
	}
	return t.address.String()
}

// parseTargets reads the arguments. Equal targets are kept once; named counts
// all of them. Notes are lines for standard error.
func parseTargets(args []string) (targets []target, named int, notes []string, err error) {
	seen := make(map[string]bool)
	for _, entry := range splitTargets(args) {
		t, err := parseTarget(entry)
		if err != nil {
			return nil, 0, nil, usageError{err}
		}
		named++
		if seen[t.key()] {
			notes = append(notes, fmt.Sprintf("%s is named more than once and read once", t))
			continue
		}
		seen[t.key()] = true
		if t.address.Note != "" {
			notes = append(notes, t.address.Note)
		}
		targets = append(targets, t)
	}
	return targets, named, notes, nil
}

// splitTargets takes comma lists apart. Only @FILE may have a comma in it.
func splitTargets(args []string) []string {
	var entries []string
	for _, arg := range args {
		if strings.HasPrefix(arg, "@") {
			entries = append(entries, arg)
			continue
		}
		entries = append(entries, strings.Split(arg, ",")...)
	}
	return entries
}

func parseTarget(entry string) (target, error) {
	file, isFile := strings.CutPrefix(entry, "@")
	switch {
	case entry == "":
		return target{}, errors.New(`a target is empty (look for ",," or a comma at an end)`)
	case isFile && file == "":
		return target{}, errors.New("@ without a file name")
	case isFile:
		return target{snapshot: file}, nil
	case entry == stdinName, strings.HasSuffix(entry, ".json") && !strings.Contains(entry, "://"):
		return target{snapshot: entry}, nil
	case strings.HasPrefix(strings.ToLower(entry), "kafka@"):
		return target{}, fmt.Errorf("%s: this kver knows no releases by name; give an address or a snapshot", entry)
	}
	a, err := dial.ParseAddress(entry)
	return target{address: a}, err
}

// load reads the snapshots among the targets. They come first, so that a wrong
// file name is found before anything is dialled.
func (t *target) load(stdin io.Reader) error {
	if t.snapshot == "" {
		return nil
	}
	in, name := stdin, "standard input"
	if t.snapshot != stdinName {
		f, err := os.Open(t.snapshot)
		if err != nil {
			return usagef("reading the snapshot %s: %w (write one with: kver versions -o json)", t.snapshot, bare(err))
		}
		defer func() { _ = f.Close() }() // only read
		in, name = f, t.snapshot
	}
	doc, err := snapshot.Read(in, name)
	if err != nil {
		return usageError{err}
	}
	t.peers, t.apis = doc.Peers, doc.APIs
	return nil
}

// bare is the reason of a file error, without the name that is said before it.
func bare(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// gather reads every target and returns the peers in the order of the
// arguments, and the keys that all of them can answer for (nil: every key).
func (c *command) gather(ctx context.Context, targets []target) ([]*negotiate.Peer, []int16, error) {
	apis := c.apis
	var addresses []dial.Address
	for i := range targets {
		t := &targets[i]
		if err := t.load(c.world.stdin); err != nil {
			return nil, nil, err
		}
		if t.snapshot == "" {
			addresses = append(addresses, t.address)
		}
		narrowed, err := narrow(apis, c.apis != nil, t)
		if err != nil {
			return nil, nil, err
		}
		apis = narrowed
	}
	asked := c.dialConfig().AskAll(ctx, addresses, c.parallel)
	var peers []*negotiate.Peer
	for _, t := range targets {
		if t.snapshot != "" {
			peers = append(peers, t.peers...)
			continue
		}
		peers, asked = append(peers, asked[0]), asked[1:]
	}
	return peers, apis, nil
}

// narrow limits the keys of a run to those that a snapshot can answer for. A
// key that the user named and the snapshot was not recorded for is an error.
func narrow(apis []int16, named bool, t *target) ([]int16, error) {
	if t.apis == nil {
		return apis, nil
	}
	if apis == nil {
		return t.apis, nil
	}
	var both []int16
	for _, key := range apis {
		switch {
		case slices.Contains(t.apis, key):
			both = append(both, key)
		case named:
			return nil, usagef("%s was recorded with --api and cannot answer for %s", t, negotiate.Name(key))
		}
	}
	if len(both) == 0 {
		return nil, usagef("%s was recorded with --api for other keys than the snapshots before it", t)
	}
	return both, nil
}
