package snapshot

import (
	"fmt"
	"math"
	"slices"

	"github.com/kver-cli/kver/internal/negotiate"
)

// What is read of a document: the facts about peers and nothing that follows
// from them. Fields of a later kver are passed over wherever they are. Fields
// without which a report would be wrong are required; others may be missing,
// and are none.

func facts(text []byte) (Document, *Error) {
	c := newCursor(text)
	var d Document
	c.object(func(name string) {
		switch name {
		case "selection":
			d.APIs = c.selection()
		case "brokers":
			d.Peers = nil
			c.list(func() { d.Peers = append(d.Peers, c.peer()) })
		default:
			c.skip()
		}
	}, "schema", "selection", "brokers")
	if c.err == nil {
		c.err = d.check()
	}
	return d, c.err
}

// check refuses what no kver writes and every gate would pass: a document of
// no brokers, or a broker with neither a table nor an error.
func (d Document) check() *Error {
	if len(d.Peers) == 0 {
		return &Error{Place: ".brokers", Msg: "empty; a snapshot is of one broker at least", Hint: hintWrite}
	}
	for i, p := range d.Peers {
		if d.APIs == nil && p.Failure == nil && len(p.Rows) == 0 {
			return &Error{Place: fmt.Sprintf(".brokers[%d]", i), Msg: "neither an API key nor an error", Hint: hintWrite}
		}
	}
	return nil
}

// selection returns the APIs that a document was recorded for. One narrowed by
// state lacks keys that the peers did offer, so that it is no snapshot.
func (c *cursor) selection() (apis []int16) {
	c.object(func(name string) {
		switch name {
		case "apis":
			apis = optionalNumbers[int16](c, math.MinInt16, math.MaxInt16)
		case "states":
			if c.optionalList(c.skip) && c.err == nil {
				c.fail("not a snapshot: recorded with --state")
				c.err.Hint = hintStates
			}
		default:
			c.skip()
		}
	}, "apis", "states")
	return apis
}

// optionalNumbers returns nil for null only.
func optionalNumbers[T whole](c *cursor, least, most T) []T {
	list := []T{}
	if !c.optionalList(func() { list = append(list, number(c, least, most)) }) {
		return nil
	}
	return list
}

func (c *cursor) peer() *negotiate.Peer {
	p := &negotiate.Peer{}
	c.object(func(name string) {
		if !c.whoIs(p, name) && !c.table(p, name) {
			c.skip()
		}
	}, "target", "listener", "mode", "apis", "features", "error")
	p.Rows = negotiate.Tidy(p.Rows)
	if p.Failure != nil && (p.Rows != nil || p.Features != nil) {
		c.fail("both an error and a table; needs one of them")
	}
	return p
}

// whoIs reads a field about the peer itself and how it was asked, and reports
// whether name is one.
func (c *cursor) whoIs(p *negotiate.Peer, name string) bool {
	switch name {
	case "target":
		p.Target = c.text()
	case "address":
		p.Address = c.word()
	case "nodeId":
		p.NodeID = optionalNumber[int32](c, math.MinInt32, math.MaxInt32)
	case "rack":
		p.Rack = c.optionalText()
	case "listener":
		p.Listener = oneOf(c, negotiate.BrokerListener, negotiate.ControllerListener)
	case "mode":
		p.Mode = oneOf(c, negotiate.KRaft, negotiate.ZooKeeper)
	case "recorded":
		p.Recorded = nil
		c.optionalList(func() { p.Recorded = append(p.Recorded, c.text()) })
	case "release":
		p.Release = c.release()
	case "handshake":
		p.Handshake = c.handshake()
	case "error":
		p.Failure = c.failure()
	default:
		return false
	}
	return true
}

// table reads a field of the peer's answer, and reports whether name is one.
func (c *cursor) table(p *negotiate.Peer, name string) bool {
	switch name {
	case "apis":
		p.Rows = nil
		c.list(func() {
			if r, offered := c.row(); offered {
				p.Rows = append(p.Rows, r)
			}
		})
	case "features":
		p.Features = []negotiate.Feature{}
		if !c.optionalList(func() { p.Features = append(p.Features, c.feature()) }) {
			p.Features = nil
		}
	case "finalizedEpoch":
		p.FinalizedEpoch = optionalNumber[int64](c, math.MinInt64, math.MaxInt64)
	case "zkMigrationReady":
		p.ZkMigrationReady = c.boolean()
	case "unknownTags":
		p.UnknownTags = nil
		c.list(func() { p.UnknownTags = append(p.UnknownTags, number[uint32](c, 0, math.MaxUint32)) })
	default:
		return false
	}
	return true
}

// word reads a text, or null for the empty one.
func (c *cursor) word() string {
	if s := c.optionalText(); s != nil {
		return *s
	}
	return ""
}

// oneOf reads a word of a vocabulary, or null for the empty one.
func oneOf[T ~string](c *cursor, words ...T) T {
	s := c.optionalText()
	if s == nil {
		return ""
	}
	if w := T(*s); slices.Contains(words, w) {
		return w
	}
	c.needs(choice(words)+" or null", *s)
	return ""
}

// release reads a verdict. It holds for a document narrowed to some keys only;
// whoever reads a whole table can judge it anew.
func (c *cursor) release() *negotiate.Release {
	var r negotiate.Release
	verdicts := []negotiate.Likeness{negotiate.Exact, negotiate.InRange, negotiate.NewerThan, negotiate.Like, negotiate.NotKafka}
	if !c.optionalObject(func(name string) {
		switch name {
		case "verdict":
			if r.Verdict = negotiate.Likeness(c.text()); c.err == nil && !slices.Contains(verdicts, r.Verdict) {
				c.needs(choice(verdicts), string(r.Verdict))
			}
		case "name":
			r.Name = c.word()
		case "evidence":
			r.Evidence = c.texts()
		case "differs":
			r.Differs = c.texts()
		default:
			c.skip()
		}
	}, "verdict", "name") {
		return nil
	}
	return &r
}

func (c *cursor) texts() (list []string) {
	c.list(func() { list = append(list, c.text()) })
	return list
}

func (c *cursor) handshake() (h negotiate.Handshake) {
	c.object(func(name string) {
		switch name {
		case "version":
			h.Version = optionalNumber[int16](c, 0, math.MaxInt16)
		case "layout":
			h.Layout = optionalNumber[int16](c, 0, math.MaxInt16)
		case "requests":
			h.Requests = number(c, 0, math.MaxInt32)
		case "connections":
			h.Connections = number(c, 0, math.MaxInt32)
		case "refused":
			h.Refused = nil
			c.list(func() { h.Refused = append(h.Refused, c.refusal()) })
		case "throttleTimeMs":
			h.ThrottleMillis = number[int32](c, 0, math.MaxInt32)
		default:
			c.skip()
		}
	})
	return h
}

func (c *cursor) refusal() (r negotiate.Refusal) {
	reasons := []negotiate.Reason{negotiate.UnsupportedVersion, negotiate.Closed, negotiate.Reset}
	c.object(func(name string) {
		switch name {
		case "version":
			r.Version = number[int16](c, 0, math.MaxInt16)
		case "reason":
			if r.Reason = negotiate.Reason(c.text()); c.err == nil && !slices.Contains(reasons, r.Reason) {
				c.needs(choice(reasons), string(r.Reason))
			}
		default:
			c.skip()
		}
	}, "version", "reason")
	return r
}

// row reads one row, and reports whether it is one that the peer offers.
func (c *cursor) row() (r negotiate.Row, offered bool) {
	var least, most *int16
	r.Times = 1
	c.object(func(name string) {
		switch name {
		case "apiKey":
			r.Key = number[int16](c, math.MinInt16, math.MaxInt16)
		case "minVersion":
			least = optionalNumber[int16](c, math.MinInt16, math.MaxInt16)
		case "maxVersion":
			most = optionalNumber[int16](c, math.MinInt16, math.MaxInt16)
		case "times":
			r.Times = number(c, 0, math.MaxInt32)
		default:
			c.skip()
		}
	}, "apiKey", "minVersion", "maxVersion")
	if least == nil && most == nil || c.err != nil {
		return r, false
	}
	if least == nil || most == nil {
		c.fail("half a range; needs both minVersion and maxVersion, or null for both")
		return r, false
	}
	r.Min, r.Max = *least, *most
	return r, true
}

func (c *cursor) feature() (f negotiate.Feature) {
	c.object(func(name string) {
		switch name {
		case "name":
			f.Name = c.text()
		case "supported":
			f.Supported = c.supported()
		case "finalized":
			f.Finalized = optionalNumber[int16](c, math.MinInt16, math.MaxInt16)
		default:
			c.skip()
		}
	}, "name", "supported", "finalized")
	return f
}

func (c *cursor) supported() *negotiate.Range {
	var r negotiate.Range
	if !c.optionalObject(func(name string) {
		switch name {
		case "min":
			r.Min = number[int16](c, math.MinInt16, math.MaxInt16)
		case "max":
			r.Max = number[int16](c, math.MinInt16, math.MaxInt16)
		default:
			c.skip()
		}
	}, "min", "max") {
		return nil
	}
	return &r
}

func (c *cursor) failure() *negotiate.Failure {
	var f negotiate.Failure
	if !c.optionalObject(func(name string) {
		switch name {
		case "stage":
			f.Stage = c.text()
		case "code":
			f.Code = c.text()
		case "message":
			f.Message = c.text()
		case "hint":
			f.Hint = c.word()
		default:
			c.skip()
		}
	}, "stage", "code", "message") {
		return nil
	}
	return &f
}
