package snapshot

import "github.com/kver-cli/kver/internal/negotiate"

// The parts that documents have in common.

func (p *pen) codec(c negotiate.Codec) {
	p.field("ours").object(oneLine, func() {
		p.field("name").text(c.Name)
		p.field("version").word(c.Version)
		p.field("kafka").word(c.Kafka)
	})
}

func (p *pen) selection(apis []int16, states []negotiate.State) {
	p.field("selection").object(oneLine, func() {
		p.field("apis")
		if apis == nil {
			p.null()
		} else {
			numbers(p, apis)
		}
		p.field("states")
		if states == nil {
			p.null()
		} else {
			texts(p, oneLine, states)
		}
	})
}

// peer writes who a broker is and how its table was read.
func (p *pen) peer(b *negotiate.Peer) {
	p.field("target").text(b.Target)
	p.field("address").word(b.Address)
	optional(p.field("nodeId"), b.NodeID)
	p.field("rack")
	if b.Rack == nil {
		p.null()
	} else {
		p.text(*b.Rack)
	}
	p.kind(b.Listener, b.Mode)
	p.field("recorded")
	if len(b.Recorded) == 0 {
		p.null()
	} else {
		texts(p, oneLine, b.Recorded)
	}
	p.release(b.Release)
	p.field("handshake").handshake(b.Handshake)
}

func (p *pen) release(r *negotiate.Release) {
	p.field("release")
	if r == nil {
		p.null()
		return
	}
	p.object(lines, func() {
		p.field("verdict").text(string(r.Verdict))
		p.field("name").word(r.Name)
		texts(p.field("evidence"), lines, r.Evidence)
		texts(p.field("differs"), lines, r.Differs)
	})
}

func (p *pen) kind(l negotiate.Listener, m negotiate.Mode) {
	p.field("listener").word(string(l))
	p.field("mode").word(string(m))
}

func (p *pen) handshake(h negotiate.Handshake) {
	p.object(oneLine, func() {
		optional(p.field("version"), h.Version)
		optional(p.field("layout"), h.Layout)
		p.field("requests").number(int64(h.Requests))
		p.field("connections").number(int64(h.Connections))
		p.field("refused").list(oneLine, len(h.Refused), func(i int) {
			p.object(oneLine, func() {
				p.field("version").number(int64(h.Refused[i].Version))
				p.field("reason").text(string(h.Refused[i].Reason))
			})
		})
		p.field("throttleTimeMs").number(int64(h.ThrottleMillis))
	})
}

// verdicts writes a line for each row. more adds fields to a row.
func (p *pen) verdicts(rows []negotiate.Verdict, more func(negotiate.Verdict)) {
	p.field("apis").list(lines, len(rows), func(i int) {
		p.object(oneLine, func() {
			p.verdict(rows[i])
			more(rows[i])
		})
	})
}

func noMore(negotiate.Verdict) {}

func (p *pen) verdict(v negotiate.Verdict) {
	p.field("apiKey").number(int64(v.Key))
	p.field("name").text(v.Name)
	p.ends(v.Theirs)
	p.field("times").number(int64(v.Times))
	p.field("ours").versions(v.Ours)
	optional(p.field("use"), v.Use)
	p.field("binds").word(string(v.Binds))
	p.field("state").text(string(v.State))
	texts(p.field("notes"), oneLine, v.Notes)
}

// ends writes both ends of a range as members of the open object.
func (p *pen) ends(r *negotiate.Range) {
	if r == nil {
		p.field("minVersion").null()
		p.field("maxVersion").null()
		return
	}
	p.field("minVersion").number(int64(r.Min))
	p.field("maxVersion").number(int64(r.Max))
}

// versions writes the range of an API.
func (p *pen) versions(r *negotiate.Range) {
	if r == nil {
		p.null()
		return
	}
	p.object(oneLine, func() { p.ends(r) })
}

// supported writes the range of a feature.
func (p *pen) supported(r *negotiate.Range) {
	if r == nil {
		p.null()
		return
	}
	p.object(oneLine, func() {
		p.field("min").number(int64(r.Min))
		p.field("max").number(int64(r.Max))
	})
}

// failure leaves out how long the attempt took: two runs compare equal.
func (p *pen) failure(f *negotiate.Failure) {
	p.field("error")
	if f == nil {
		p.null()
		return
	}
	p.object(lines, func() {
		p.field("stage").text(f.Stage)
		p.field("code").text(f.Code)
		p.field("message").text(f.Message)
		p.field("hint").word(f.Hint)
	})
}

// introductions writes what versions of one key brought.
func (p *pen) introductions(name string, all []negotiate.Introduction) {
	p.field(name).list(oneLine, len(all), func(i int) {
		p.object(oneLine, func() { p.introduction(all[i]) })
	})
}

func (p *pen) introduction(i negotiate.Introduction) {
	p.field("version").number(int64(i.Version))
	p.brings(i.Release, i.KIP, i.Words)
}

// brings writes since when there is a version or a level, and what it is for.
func (p *pen) brings(release, kip, words string) {
	p.field("since").text(release)
	p.field("kip").word(kip)
	p.field("brings").text(words)
}
