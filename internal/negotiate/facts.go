package negotiate

import "slices"

// This file is data: what is known about rows beyond their numbers, each with
// its source. A fact never changes a number, it adds a note.

// metadataVersion is the feature whose supported maximum tells a KRaft binary.
const metadataVersion = "metadata.version"

// rowFact is a note on an advertised row that meets all its conditions.
type rowFact struct {
	keys       []int16
	minAtMost  int16 // the row's minimum is at most this
	maxAtLeast int16 // the row's maximum is at least this
	levelBelow int16 // metadata.version's supported maximum is below this; 0: whatever it is
	note       string
	source     string
}

const anyMin = 32767

var rowFacts = []rowFact{
	{
		keys: []int16{0}, minAtMost: 2, maxAtLeast: 12,
		note:   "0-2 are advertised but dropped",
		source: "KAFKA-18659: 4.0 and later show Produce from 0 so that old librdkafka keeps compression on",
	},
	{
		keys: []int16{22}, minAtMost: anyMin, maxAtLeast: 6,
		note:   "6 is unstable",
		source: "KIP-939; shown by 4.1 to 4.4 under unstable.api.versions.enable",
	},
	{
		keys: []int16{76, 77, 78, 79}, minAtMost: 0, maxAtLeast: 0,
		note:   "0 is unstable, never in a stable release",
		source: "KIP-932; 3.9 and 4.0 under unstable.api.versions.enable, 4.1 starts at 1",
	},
	{
		keys: []int16{88, 89}, minAtMost: anyMin, maxAtLeast: 0, levelBelow: 28,
		note:   "unstable before 4.2",
		source: "KIP-1071; shown by 4.1 under unstable.api.versions.enable",
	},
	{
		keys: []int16{8, 9}, minAtMost: anyMin, maxAtLeast: 10, levelBelow: 28,
		note:   "10 is unstable before 4.2",
		source: "KIP-848 topic ids; shown by 4.1 under unstable.api.versions.enable",
	},
}

func (f rowFact) applies(p *Peer, r Row) bool {
	if !slices.Contains(f.keys, r.Key) || r.Min > f.minAtMost || r.Max < f.maxAtLeast {
		return false
	}
	if f.levelBelow == 0 {
		return true
	}
	level, ok := p.supportedLevel()
	return ok && level < f.levelBelow
}

// supportedLevel is the metadata.version that the peer's binary supports at
// most: the best witness of its release, since the rows of a KRaft broker are
// not only its own (forwarded, below).
func (p *Peer) supportedLevel() (int16, bool) {
	for _, f := range p.Features {
		if f.Name == metadataVersion && f.Supported != nil {
			return f.Supported.Max, true
		}
	}
	return 0, false
}

// gapFact is a note on a key that a peer does not offer for another reason
// than its age.
type gapFact struct {
	keys   []int16
	mode   Mode  // of a broker
	with   int16 // a key that the peer does offer, which rules age out; 0: none needed
	note   string
	source string
}

var gapFacts = []gapFact{
	{
		keys: []int16{71, 72}, mode: KRaft,
		note:   "only with a telemetry receiver configured",
		source: "KIP-714",
	},
	{
		keys: []int16{24, 25, 26, 27, 28}, mode: ZooKeeper, with: 29,
		note:   "hidden while inter.broker.protocol.version is below 0.11",
		source: "run: transaction APIs need message format 2 between brokers",
	},
}

// applies reports whether the fact explains the gap. What it rests on has to be
// among the selected keys, so that a document of those tells the same.
func (f gapFact) applies(p *Peer, key int16, sel Selection) bool {
	return slices.Contains(f.keys, key) && p.Listener == BrokerListener && p.Mode == f.mode &&
		(f.with == 0 || sel.wants(f.with) && p.Offers(f.with))
}

// forwarded are the keys that a KRaft broker passes to the active controller.
// It advertises the intersection with the controller's table, but its own full
// range until its first forwarded request opened the channel, so that the same
// process answers differently at noon and at one (KAFKA-10674; run with a 4.4
// broker under a 4.0 controller). Source: what ApiKeys calls forwardable in
// Apache Kafka 2.8 to 4.4, run.
var forwarded = []int16{19, 20, 30, 31, 33, 37, 38, 39, 40, 43, 44, 45, 46, 49, 51, 55, 57, 64, 67, 80, 81, 94}

const forwardedNote = "depends on the active controller"

// Forwards reports whether the peer is a KRaft broker that passes requests of the
// key to the active controller, so that its row depends on that controller too.
func (p *Peer) Forwards(key int16) bool {
	return p.Listener == BrokerListener && p.Mode == KRaft && slices.Contains(forwarded, key)
}

// raised are the minimums that Apache Kafka 4.0 put up (KIP-896), by key.
var raised = map[int16]int16{
	1: 4, 2: 1, 8: 2, 9: 1, 11: 2, 19: 2, 20: 1, 23: 2, 27: 1, 29: 1, 30: 1, 31: 1,
	32: 1, 34: 1, 35: 1, 38: 1, 39: 1, 40: 1, 41: 1, 56: 2,
}

// raisedNote explains a minimum above the baseline's where a release is known
// to have raised it. That release has KRaft only; what others raise has other
// reasons.
func raisedNote(p *Peer, key int16, base *Range) string {
	r := p.usable(key)
	switch {
	case base == nil || r == nil || r.Min <= base.Min || p.Mode != KRaft:
		return ""
	case raised[key] != r.Min:
		return ""
	case key == 11:
		return "4.0.0 only: 4.0.1 serves 0-1 again (KAFKA-19444)"
	}
	return "Kafka 4.0 dropped older versions (KIP-896)"
}

// rowNotes returns what is known about one advertised row.
func rowNotes(p *Peer, r Row) []string {
	var notes []string
	for _, f := range rowFacts {
		if f.applies(p, r) {
			notes = append(notes, f.note)
		}
	}
	return notes
}

// gapNotes returns what is known about a key that the peer does not offer.
func gapNotes(p *Peer, key int16, sel Selection) []string {
	var notes []string
	for _, f := range gapFacts {
		if f.applies(p, key, sel) {
			notes = append(notes, f.note)
		}
	}
	return notes
}
