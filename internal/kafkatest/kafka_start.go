package kafkatest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	// startTimeout is long because other tests share the processors; a node
	// alone on two takes about 3 s.
	startTimeout = 90 * time.Second
	// startTries covers a port that somebody takes between our look and the
	// node's bind.
	startTries = 3
	// poll is how often a node that starts is looked at.
	poll = 50 * time.Millisecond
	// askTimeout is for an answer of a node that may not be ready.
	askTimeout = 2 * time.Second
)

// Process is a running node.
type Process struct {
	Node
	Addr string // where the listener that Kind names is: 127.0.0.1:port

	child *child
}

var errPortTaken = errors.New("a port was taken by somebody else")

// Start runs one node and returns when it answers. It ends with the test.
//
// A KRaft broker and its controller are one process, since a broker listener
// offers the same there as in a process of its own (a test holds that); a
// controller is a process without a broker. A ZooKeeper broker brings a
// ZooKeeper. Settings are further lines of server.properties, which win over
// the lines that Start writes.
func Start(t testing.TB, release string, kind Kind, settings ...string) *Process {
	t.Helper()
	needJava(t)
	r, ok := findRelease(release)
	if !ok || !slices.Contains(r.Kinds, kind) {
		t.Fatalf("kafkatest knows no %s of %s", kind, release)
	}
	s := starter{TB: t, release: r, kind: kind, libs: Jars(t, release), settings: settings}
	if kind == ZooKeeper {
		s.zkLibs = Jars(t, zooKeeperRelease)
	}
	for try := 1; ; try++ {
		p, err := s.start()
		if err == nil {
			return p
		}
		if !errors.Is(err, errPortTaken) || try == startTries {
			t.Fatalf("starting %s: %v", Node{release, kind}, err)
		}
	}
}

// starter is one node on its way up.
type starter struct {
	testing.TB
	release  Release
	kind     Kind
	libs     string
	zkLibs   string
	settings []string
}

func (s *starter) start() (*Process, error) {
	dir := s.TempDir()
	port, lines := freePort(), []string(nil)
	if s.kind == ZooKeeper {
		zk := freePort()
		lines = s.zooKeeperBroker(port, zk)
		if err := s.startZooKeeper(zk); err != nil {
			return nil, err
		}
	} else {
		lines = s.kraftNode(port, freePort())
	}
	lines = append(lines, "log.dirs="+filepath.ToSlash(filepath.Join(dir, "data")))
	config := filepath.Join(dir, "server.properties")
	if err := writeLines(config, append(lines, s.settings...)); err != nil {
		return nil, err
	}
	if s.kind != ZooKeeper {
		out, err := java(dir, s.libs, "kafka.tools.StorageTool", "format", "-t", clusterID, "-c", config).CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("formatting its storage: %w\n%s", err, out)
		}
	}
	c, err := launch(s, dir, s.libs, "kafka.Kafka", config)
	if err != nil {
		return nil, err
	}
	p := &Process{Node{s.release.Version, s.kind}, loopback(port), c}
	return p, c.await(func() bool { return s.ready(p) })
}

// ready reports whether a node answers as it will from then on. A KRaft node
// answers before it knows the cluster's features.
func (s *starter) ready(p *Process) bool {
	if s.release.Mute {
		return p.child.says("started (kafka.server.KafkaServer)")
	}
	table, err := Ask(p.Addr, 0, askTimeout)
	if err != nil || len(table.Rows) == 0 || s.kind == ZooKeeper {
		return err == nil && len(table.Rows) > 0
	}
	table, err = Ask(p.Addr, 3, askTimeout)
	return err == nil && (len(table.Supported) == 0 || len(table.Finalized) > 0)
}

// await looks at a process until it is ready, has ended or had its time.
func (c *child) await(ready func() bool) error {
	for deadline := time.Now().Add(startTimeout); ; time.Sleep(poll) {
		switch {
		case c.ended() && c.says("Address already in use"):
			return errPortTaken
		case c.ended():
			return c.failed("it ended")
		case ready():
			return nil
		case time.Now().After(deadline):
			return c.failed(fmt.Sprintf("it was not ready within %s", startTimeout))
		}
	}
}

// startZooKeeper runs a ZooKeeper for one broker. The broker waits for it.
func (s *starter) startZooKeeper(port int) error {
	dir := s.TempDir()
	config := filepath.Join(dir, "zoo.cfg")
	err := writeLines(config, []string{
		"tickTime=2000",
		"dataDir=" + filepath.ToSlash(dir),
		"clientPort=" + strconv.Itoa(port),
		"clientPortAddress=127.0.0.1",
		"admin.enableServer=false",
	})
	if err != nil {
		return err
	}
	c, err := launch(s, dir, s.zkLibs, "org.apache.zookeeper.server.quorum.QuorumPeerMain", config)
	if err != nil {
		return err
	}
	return c.await(func() bool {
		conn, err := net.DialTimeout("tcp", loopback(port), askTimeout)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
}

// The ports that nodes listen on. No system hands them to outgoing
// connections by default, so nothing but another listener can be in the way.
const firstPort, lastPort = 20000, 32000

func freePort() int {
	for {
		port := firstPort + rand.IntN(lastPort-firstPort)
		l, err := net.Listen("tcp", loopback(port))
		if err == nil {
			l.Close()
			return port
		}
	}
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

func writeLines(path string, lines []string) error {
	return os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}
