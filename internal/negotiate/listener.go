package negotiate

import "slices"

// Listener is the kind of listener a table came from, as far as its keys tell.
type Listener string

// Mode is how the node keeps its metadata, as far as its keys tell.
type Mode string

// The kinds of listener and the modes. The empty string is "cannot be told".
const (
	BrokerListener     Listener = "broker"
	ControllerListener Listener = "controller"

	KRaft     Mode = "kraft"
	ZooKeeper Mode = "zookeeper"
)

// Keys that only one kind of listener advertises. Source: every Apache Kafka
// minor release from 0.10 to 4.4, run. A ZooKeeper broker has LeaderAndIsr to
// ControlledShutdown (4-7); a KRaft broker has DescribeQuorum (55) and none of
// those; a controller has the quorum's keys (52-54, 59, 62, 63) and neither
// Produce nor Metadata.
var (
	clientKeys     = []int16{0, 3}
	zooKeeperKeys  = []int16{4, 5, 6, 7}
	quorumKeys     = []int16{52, 53, 54, 59, 62, 63}
	kraftBrokerKey = int16(55)
)

// Classify says what kind of listener a table came from. Proxies and other
// implementations may match none: then mode, or both, are "".
func Classify(rows []Row) (Listener, Mode) {
	p := Peer{Rows: rows}
	client := slices.ContainsFunc(clientKeys, p.Offers)
	zk := slices.ContainsFunc(zooKeeperKeys, p.Offers)
	quorum := slices.ContainsFunc(quorumKeys, p.Offers)
	switch {
	case !client && quorum: // up to 3.9 with ControlledShutdown
		return ControllerListener, KRaft
	case !client:
		return "", ""
	case zk && !quorum && !p.Offers(kraftBrokerKey):
		return BrokerListener, ZooKeeper
	case p.Offers(kraftBrokerKey) && !zk && !quorum:
		return BrokerListener, KRaft
	}
	return BrokerListener, ""
}

// span is a run of keys, both ends inclusive.
type span struct{ from, to int16 }

// The keys that each kind of listener offers in the newest release that has
// the kind: ZooKeeper brokers 3.9, the others 4.4. 71 and 72 are not listed:
// only a broker with a telemetry receiver has them (KIP-714). Source: the
// "listeners" of Kafka's message definitions; recorded frames agree (a test).
var (
	zooKeeperBroker = []span{{0, 51}, {56, 58}, {60, 61}, {65, 69}}
	kraftBroker     = []span{{0, 3}, {8, 51}, {55, 55}, {57, 57}, {60, 61}, {64, 66}, {68, 69}, {74, 81}, {83, 94}}
	kraftController = []span{{1, 1}, {17, 20}, {29, 33}, {36, 41}, {43, 46}, {49, 60}, {62, 64}, {67, 67}, {70, 70}, {73, 73}, {80, 82}, {94, 94}}
)

func has(spans []span, key int16) bool {
	return slices.ContainsFunc(spans, func(s span) bool { return s.from <= key && key <= s.to })
}

// Expected reports whether a listener of this kind normally offers the key,
// which decides between missing and absent. A broker that is neither plainly
// ZooKeeper nor plainly KRaft is held to what both have in common; a listener
// that cannot be told is held to nothing.
func Expected(l Listener, m Mode, key int16) bool {
	switch {
	case l == ControllerListener:
		return has(kraftController, key)
	case l == BrokerListener && m == ZooKeeper:
		return has(zooKeeperBroker, key)
	case l == BrokerListener && m == KRaft:
		return has(kraftBroker, key)
	case l == BrokerListener:
		return has(zooKeeperBroker, key) && has(kraftBroker, key)
	}
	return false
}
