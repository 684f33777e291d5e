package kafkatest

import "fmt"

// clusterID is a UUID in Kafka's notation. Every node is a cluster of its own,
// so they can all have the same.
const clusterID = "a3Zlci1rYWZrYS10ZXN0cw"

// log4jFile configures the logging of releases before 1.1.
const log4jFile = "log4j.properties"

func log4jLines() []string {
	return []string{
		"log4j.rootLogger=INFO, console",
		"log4j.appender.console=org.apache.log4j.ConsoleAppender",
		"log4j.appender.console.layout=org.apache.log4j.PatternLayout",
		"log4j.appender.console.layout.ConversionPattern=%d %p %m (%c)%n",
	}
}

// zooKeeperBroker is the configuration of a broker that knows of a ZooKeeper.
func (s *starter) zooKeeperBroker(port, zk int) []string {
	lines := []string{
		"broker.id=0",
		fmt.Sprintf("zookeeper.connect=%s", loopback(zk)),
		"zookeeper.connection.timeout.ms=60000",
		"offsets.topic.replication.factor=1",
	}
	if !s.release.Listeners {
		return append(lines, "host.name=127.0.0.1", fmt.Sprintf("port=%d", port))
	}
	return append(lines, "listeners=PLAINTEXT://"+loopback(port))
}

// kraftNode is the configuration of a quorum of one: a controller, and for a
// broker a broker in the same process. port is where the listener goes that
// s.kind names.
func (s *starter) kraftNode(port, other int) []string {
	broker, controller, roles := port, other, "broker,controller"
	listeners := "PLAINTEXT://" + loopback(broker) + ",CONTROLLER://"
	if s.kind == Controller {
		controller, roles, listeners = port, "controller", "CONTROLLER://"
	}
	return []string{
		"node.id=1",
		"process.roles=" + roles,
		"listeners=" + listeners + loopback(controller),
		"controller.quorum.voters=1@" + loopback(controller),
		"controller.listener.names=CONTROLLER",
		"listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
		"offsets.topic.replication.factor=1",
		"transaction.state.log.replication.factor=1",
		"transaction.state.log.min.isr=1",
	}
}
