package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kver-cli/kver/internal/negotiate"
)

// number writes a version, a key or a level; nil is none.
func number(n *int16) string {
	if n == nil {
		return none
	}
	return strconv.Itoa(int(*n))
}

// rangeText writes a range; nil is none.
func rangeText(r *negotiate.Range) string {
	if r == nil {
		return none
	}
	return r.String()
}

// peerText is what a peer said, fit to be a cell.
func peerText(s string) string {
	if s = Clean(s); s != "" {
		return s
	}
	return none
}

// count writes a number of things: 1 key, 2 keys.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// plural picks the word that goes with a number of things.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// oursName names the client side: kmsg v1.15.1 (Kafka 4.4).
func oursName(c negotiate.Codec) string {
	name := c.Name
	if c.Version != "" {
		name += " " + c.Version
	}
	if c.Kafka != "" {
		name += " (Kafka " + c.Kafka + ")"
	}
	return Clean(name)
}

// kindText says what answered. Only a listener whose keys tell what it is
// counts as Kafka; proxies and other implementations may match no kind.
func kindText(p *negotiate.Peer) string {
	switch r := p.Release; {
	case r == nil: // nobody judged which
		return kindNamed(p, "")
	case r.Verdict == negotiate.Exact || r.Verdict == negotiate.InRange:
		return kindNamed(p, Clean(r.Name))
	default:
		return negotiate.Kind(p.Listener, p.Mode) + ", " + Clean(r.String())
	}
}

// kindNamed is a kind of listener with its release, if that is known.
func kindNamed(p *negotiate.Peer, release string) string {
	kafka := "Kafka"
	if release != "" {
		kafka += " " + release
	}
	switch {
	case p.Mode == "" || p.Listener == "":
		return negotiate.Kind(p.Listener, p.Mode)
	case p.Mode == negotiate.ZooKeeper:
		return fmt.Sprintf("%s %s (ZooKeeper)", kafka, p.Listener)
	}
	return fmt.Sprintf("%s %s (KRaft)", kafka, p.Listener)
}

// description says what answered and how it was read.
func description(p *negotiate.Peer) string {
	text := kindText(p)
	v := p.Handshake.Version
	switch {
	case len(p.Recorded) > 0:
		text += ", recorded from " + Clean(strings.Join(p.Recorded, " "))
		if v != nil {
			text += fmt.Sprintf(" with ApiVersions v%d", *v)
		}
	case v != nil:
		text += fmt.Sprintf(", asked with ApiVersions v%d", *v)
	}
	if p.Source != "" {
		text += ", read from " + Clean(p.Source)
	}
	return text
}

// identity is what else is known of where a peer is.
func identity(p *negotiate.Peer) []string {
	var parts []string
	if p.Address != "" && p.Address != p.Target {
		parts = append(parts, Clean(p.Address))
	}
	if p.NodeID != nil {
		parts = append(parts, fmt.Sprintf("node %d", *p.NodeID))
	}
	if p.Rack != nil {
		parts = append(parts, "rack "+Clean(*p.Rack))
	}
	return parts
}
