package kafkatest

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

// zooKeeperRelease is the release whose jars run ZooKeeper for all others.
const zooKeeperRelease = "3.9.1"

// Releases are the releases that the tests run, newest first. To add one, add
// a row here and record its frames (testdata/frames/README.md). Start runs
// others as well: see rules.
func Releases() []Release {
	only := func(version string, kinds ...Kind) Release {
		r, _ := findRelease(version)
		r.Kinds = kinds
		return r
	}
	return []Release{
		only("4.4.0", KRaft, Controller),
		only("4.2.0", KRaft, Controller),
		only("3.9.1", KRaft, Controller, ZooKeeper),
		only("3.6.2", ZooKeeper),
		only("2.8.2", ZooKeeper),
		only("2.3.1", ZooKeeper),
		only("1.1.1", ZooKeeper),
		only("0.11.0.3", ZooKeeper),
		only("0.10.0.1", ZooKeeper),
		only("0.9.0.1", ZooKeeper),
		only("0.8.2.2", ZooKeeper),
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

// artifacts are what Maven resolves for the release. What is named here wins
// over what an artifact brings, so Extra can also replace.
func (r Release) artifacts() []string {
	return append([]string{r.Artifact + ":" + r.Version}, r.Extra...)
}
