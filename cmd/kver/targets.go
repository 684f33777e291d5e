package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kver-cli/kver/internal/catalog"
	"github.com/kver-cli/kver/internal/dial"
	"github.com/kver-cli/kver/internal/negotiate"
	"github.com/kver-cli/kver/internal/snapshot"
)

// A target is one place to read peers from: an address, a snapshot or a release
// of Apache Kafka.
type target struct {
	address  dial.Address
	snapshot string // the file's name, stdinName, or "" for anything else
	release  string // kafka@4.1, or "" for anything else
	peers    []*negotiate.Peer
	apis     []int16 // the keys a snapshot was recorded for, nil for all
}

// stdinName is how a snapshot on standard input is named, as an argument.
const stdinName = "-"

// key is equal for targets that are the same question.
func (t target) key() string {
	switch {
	case t.snapshot != "":
		return "file " + filepath.Clean(t.snapshot)
	case t.release != "":
		return strings.ToLower(t.release)
	}
	return t.address.Key()
}

func (t target) String() string {
	if t.isAddress() {
		return t.address.String()
	}
	return t.snapshot + t.release
}

func (t target) isAddress() bool { return t.snapshot == "" && t.release == "" }

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
	case entry == stdinName, strings.HasSuffix(strings.ToLower(entry), ".json") && !strings.Contains(entry, "://"):
		return target{snapshot: entry}, nil
	case strings.HasPrefix(strings.ToLower(entry), catalog.Prefix):
		p, err := catalog.Find(entry)
		return target{release: entry, peers: []*negotiate.Peer{p}}, err
	}
	a, err := dial.ParseAddress(entry)
	return target{address: a}, err
}

// load reads the snapshots among the targets. They come first, so that a wrong
// file name is found before anything is dialled. A pipe or a terminal that says
// nothing can be interrupted; whoever reads it is left behind.
func (t *target) load(ctx context.Context, stdin io.Reader) error {
	if t.snapshot == "" {
		return nil
	}
	type result struct {
		doc snapshot.Document
		err error
	}
	done := make(chan result, 1)
	go func() {
		doc, err := readSnapshot(t.snapshot, stdin)
		done <- result{doc, err}
	}()
	select {
	case r := <-done:
		t.peers, t.apis = r.doc.Peers, r.doc.APIs
		return r.err
	case <-ctx.Done():
		why := fmt.Errorf("reading the snapshot %s: %w", t.snapshot, context.Cause(ctx))
		var sig signalError
		if errors.As(why, &sig) {
			return &exitError{sig.status(), why}
		}
		return &exitError{statusIncomplete, why}
	}
}

func readSnapshot(file string, stdin io.Reader) (snapshot.Document, error) {
	in, name := stdin, "standard input"
	if file != stdinName {
		f, err := os.Open(file)
		if err != nil {
			return snapshot.Document{}, usagef("reading the snapshot %s: %w (write one with: kver versions -o json)", file, bare(err))
		}
		defer func() { _ = f.Close() }() // only read
		in, name = f, file
	}
	doc, err := snapshot.Read(in, name)
	if err != nil {
		return snapshot.Document{}, usageError{err}
	}
	return doc, nil
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
		if err := t.load(ctx, c.world.stdin); err != nil {
			return nil, nil, err
		}
		if t.isAddress() {
			addresses = append(addresses, t.address)
		}
		narrowed, err := narrow(apis, c.apis != nil, t)
		if err != nil {
			return nil, nil, err
		}
		if len(narrowed) > 0 && len(narrowed) != len(apis) {
			c.say(fmt.Sprintf("%s was recorded with --api: only what it was recorded for is looked at", t))
		}
		apis = narrowed
	}
	asked := c.dialConfig().AskAll(ctx, addresses, c.atOnce())
	identify(asked)
	var peers []*negotiate.Peer
	for _, t := range targets {
		if t.isAddress() {
			peers, asked = append(peers, asked[0]), asked[1:]
			continue
		}
		if t.apis == nil { // of some keys only, what was judged of them all holds
			identify(t.peers)
		}
		peers = append(peers, t.peers...)
	}
	return peers, apis, nil
}

// identify says of every peer with a table which release it looks like. Equal
// tables are judged once.
func identify(peers []*negotiate.Peer) {
	var judged []*negotiate.Peer
	for _, p := range peers {
		if p.Failure != nil {
			continue
		}
		i := slices.IndexFunc(judged, func(j *negotiate.Peer) bool {
			return len(p.Recorded) == 0 && len(j.Recorded) == 0 && negotiate.SameTable(j, p) &&
				p.HiddenFeatures() == j.HiddenFeatures()
		})
		if i >= 0 {
			p.Release = judged[i].Release
			continue
		}
		p.Release = catalog.Identify(p)
		judged = append(judged, p)
	}
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

// lore is what is known of versions and levels beyond their numbers.
func lore() negotiate.Lore {
	return negotiate.Lore{Versions: catalog.Brings, Levels: catalog.LevelBrings}
}
