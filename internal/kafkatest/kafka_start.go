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
	// askTimeout is for an answer of a node that may not be ready, on a machine
	// that has more to do.
	askTimeout = 10 * time.Second
)

// Process is a running node.
type Process struct {
	Node
	Addr string // where the listener that Kind names is: 127.0.0.1:port

	child *child
}

// classPath begins a setting that is none of the node's.
const classPath = "classpath="

var errPortTaken = errors.New("a port was taken by somebody else")

// Start runs one node and returns when it answers. It ends with the test.
//
// A KRaft broker and its controller are one process, since a broker listener
// offers the same there as in a process of its own (a test holds that). Up to
// 3.2 it does not: see Join. A controller is a process without a broker. A
// ZooKeeper broker brings a ZooKeeper.
//
// Settings are further lines of server.properties, which win over the lines
// that Start writes; {addr} in them is Process.Addr, {controller} the address
// of a KRaft node's controller listener. One that begins with -- goes to the
// tool that formats a KRaft node's storage: --release-version=4.0. One that
// begins with classpath= names a folder of classes: see Receiver.
func Start(t testing.TB, release string, kind Kind, settings ...string) *Process {
	t.Helper()
	needJava(t)
	r, ok := findRelease(release)
	if !ok || !slices.Contains(r.Kinds, kind) {
		t.Fatalf("kafkatest knows no %s of %s", kind, release)
	}
	s := starter{TB: t, release: r, kind: kind, libs: every(Jars(t, release))}
	for _, setting := range settings {
		if classes, ok := strings.CutPrefix(setting, classPath); ok {
			s.libs = classes + string(filepath.ListSeparator) + s.libs
			continue
		}
		s.settings = append(s.settings, setting)
	}
	if kind == ZooKeeper {
		s.zkLibs = every(Jars(t, zooKeeperRelease))
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

// Join runs a KRaft broker in a process of its own, under a controller that is
// already up, which may be of another release.
func Join(t testing.TB, controller *Process, release string, settings ...string) *Process {
	t.Helper()
	return Start(t, release, KRaft, append([]string{
		"process.roles=broker",
		"node.id=2",
		"listeners=PLAINTEXT://{addr}",
		"controller.quorum.voters=1@" + controller.Addr,
	}, settings...)...)
}

// starter is one node on its way up.
type starter struct {
	testing.TB
	release  Release
	kind     Kind
	libs     string // class paths
	zkLibs   string
	settings []string
}

func (s *starter) start() (*Process, error) {
	dir := s.TempDir()
	port, other := FreePort(), FreePort()
	lines := s.kraftNode(port, other)
	if s.kind == ZooKeeper {
		lines = s.zooKeeperBroker(port, other)
		if err := s.startZooKeeper(other); err != nil {
			return nil, err
		}
	}
	lines = append(lines, "log.dirs="+filepath.ToSlash(filepath.Join(dir, "data")))
	further, format := s.split(port, other)
	config := filepath.Join(dir, "server.properties")
	if err := writeLines(config, append(lines, further...)); err != nil {
		return nil, err
	}
	if s.kind != ZooKeeper {
		format = append([]string{"format", "-t", clusterID, "-c", config}, format...)
		if _, err := output(java(dir, s.libs, "kafka.tools.StorageTool", format...)); err != nil {
			return nil, fmt.Errorf("formatting its storage: %w", err)
		}
	}
	c, err := launch(s, dir, s.libs, "kafka.Kafka", config)
	if err != nil {
		return nil, err
	}
	p := &Process{Node{s.release.Version, s.kind}, loopback(port), c}
	return p, c.await(func() bool { return s.ready(p) })
}

// split fills the addresses into the caller's settings and sets those apart
// that are for the formatting.
func (s *starter) split(port, other int) (lines, format []string) {
	controller := other
	if s.kind == Controller {
		controller = port
	}
	fill := strings.NewReplacer("{addr}", loopback(port), "{controller}", loopback(controller))
	for _, setting := range s.settings {
		if strings.HasPrefix(setting, "--") {
			format = append(format, fill.Replace(setting))
		} else {
			lines = append(lines, fill.Replace(setting))
		}
	}
	return lines, format
}

// ready reports whether a node answers as it will from then on. A KRaft node
// answers before it knows the cluster's features.
func (s *starter) ready(p *Process) bool {
	if s.release.Mute {
		return p.child.says("started (kafka.server.KafkaServer)")
	}
	table, err := Ask(p.Addr, 0, askTimeout)
	if err != nil || len(table.Rows) == 0 || !s.tellsLevels() {
		return err == nil && len(table.Rows) > 0
	}
	table, err = Ask(p.Addr, 3, askTimeout)
	return err == nil && (len(table.Supported) == 0 || len(table.Finalized) > 0)
}

// tellsLevels reports whether the node will say which levels of features are
// finalized, where it has any. Controllers do since 3.6.
func (s *starter) tellsLevels() bool {
	return s.kind == KRaft || s.kind == Controller && CompareReleases(s.release.Version, "3.6") >= 0
}

// await looks at a process until it is ready, has ended or had its time.
func (c *child) await(ready func() bool) error {
	for deadline := time.Now().Add(startTimeout); ; time.Sleep(poll) {
		switch {
		case c.ended() && c.says("Address already in use"):
			return errPortTaken
		case c.ended():
			return c.failed(fmt.Sprintf("it ended (%v)", c.err))
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

// FreePort is a port that nobody listens on, for a further listener.
func FreePort() int {
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
