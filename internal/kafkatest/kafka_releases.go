package kafkatest

import "slices"

// Kind is the kind of listener that is asked, and with it the way the node
// keeps its metadata. Each kind advertises keys that the others lack.
type Kind string

// The kinds of listener.
const (
	ZooKeeper  Kind = "zookeeper"  // a broker with ZooKeeper, 0.8 to 3.9
	KRaft      Kind = "kraft"      // the broker listener of a KRaft node, from 3.0
	Controller Kind = "controller" // the controller listener of a KRaft node, from 3.0
)

// Node is one kind of listener of one release of Apache Kafka.
type Node struct {
	Release string
	Kind    Kind
}

// String is the name under which a node's frames are recorded: 4.2.0-kraft.
func (n Node) String() string { return n.Release + "-" + string(n.Kind) }

// Release says how one release of Apache Kafka is run.
type Release struct {
	Version   string
	Artifact  string   // what Maven is asked for, without the version
	Extra     []string // artifacts that Artifact does not bring, with versions
	Kinds     []Kind
	Mute      bool // does not answer ApiVersions, which came with 0.10 (KIP-35)
	Listeners bool // knows the setting listeners; 0.8 has port and host.name
}

const (
	scala213 = "org.apache.kafka:kafka_2.13"
	scala212 = "org.apache.kafka:kafka_2.12"
	scala211 = "org.apache.kafka:kafka_2.11"

	// logging makes releases that log through SLF4J say something.
	logging = "org.slf4j:slf4j-simple:1.7.36"
	// newClient replaces ZooKeeper clients 3.4.13 and 3.4.14 (Kafka 2.0 to
	// 2.3), which cannot connect on Java 14 and later (ZOOKEEPER-3779).
	newClient = "org.apache.zookeeper:zookeeper:3.5.7"
	// jaxb left the JDK with Java 11; 0.10.2 and 0.11 look for it.
	jaxb = "javax.xml.bind:jaxb-api:2.3.1"

	// zooKeeperRelease is the release whose jars run ZooKeeper for all others.
	zooKeeperRelease = "3.9.1"
)

// Releases are the releases that the tests run, newest first. To add one, add
// a row here and record its frames (testdata/frames/README.md).
func Releases() []Release {
	kraft := []Kind{KRaft, Controller}
	zk := []Kind{ZooKeeper}
	slf4j := []string{logging}
	return []Release{
		{Version: "4.4.0", Artifact: scala213, Extra: slf4j, Kinds: kraft, Listeners: true},
		{Version: "4.2.0", Artifact: scala213, Extra: slf4j, Kinds: kraft, Listeners: true},
		{Version: "3.9.1", Artifact: scala213, Extra: slf4j, Kinds: append(kraft, ZooKeeper), Listeners: true},
		{Version: "3.6.2", Artifact: scala213, Extra: slf4j, Kinds: zk, Listeners: true},
		{Version: "2.8.2", Artifact: scala213, Extra: slf4j, Kinds: zk, Listeners: true},
		{Version: "2.3.1", Artifact: scala212, Extra: []string{newClient, logging}, Kinds: zk, Listeners: true},
		{Version: "1.1.1", Artifact: scala212, Extra: slf4j, Kinds: zk, Listeners: true},
		{Version: "0.11.0.3", Artifact: scala212, Extra: []string{jaxb}, Kinds: zk, Listeners: true},
		{Version: "0.10.0.1", Artifact: scala211, Extra: []string{jaxb}, Kinds: zk, Listeners: true},
		{Version: "0.9.0.1", Artifact: scala211, Kinds: zk, Mute: true, Listeners: true},
		{Version: "0.8.2.2", Artifact: scala211, Kinds: zk, Mute: true},
	}
}

// Nodes are all kinds of all releases.
func Nodes() []Node {
	var nodes []Node
	for _, r := range Releases() {
		for _, k := range r.Kinds {
			nodes = append(nodes, Node{r.Version, k})
		}
	}
	return nodes
}

func findRelease(version string) (Release, bool) {
	all := Releases()
	i := slices.IndexFunc(all, func(r Release) bool { return r.Version == version })
	if i < 0 {
		return Release{}, false
	}
	return all[i], true
}

// artifacts are what Maven resolves for the release. What is named here wins
// over what an artifact brings, so Extra can also replace.
func (r Release) artifacts() []string {
	return append([]string{r.Artifact + ":" + r.Version}, r.Extra...)
}
