package kafkatest

import (
	"slices"
	"strconv"
	"strings"
)

const (
	scala213 = "org.apache.kafka:kafka_2.13"
	scala212 = "org.apache.kafka:kafka_2.12"
	scala211 = "org.apache.kafka:kafka_2.11"

	// logging makes releases that log through SLF4J say something.
	logging = "org.slf4j:slf4j-simple:1.7.36"
	// newClient replaces ZooKeeper clients 3.4.13 and 3.4.14, which cannot
	// connect on Java 14 and later (ZOOKEEPER-3779).
	newClient = "org.apache.zookeeper:zookeeper:3.5.7"
	// jaxb left the JDK with Java 11; 0.10.2 and 0.11 look for it.
	jaxb = "javax.xml.bind:jaxb-api:2.3.1"
)

// rules say how releases are run, each from its version on up to where the
// next begins.
func rules() []Release {
	slf4j, old := []string{logging}, []string{jaxb}
	zk, both, kraft := []Kind{ZooKeeper}, []Kind{ZooKeeper, KRaft, Controller}, []Kind{KRaft, Controller}
	return []Release{
		{Version: "0.8.2", Artifact: scala211, Kinds: zk, Mute: true},
		{Version: "0.9", Artifact: scala211, Kinds: zk, Mute: true, Listeners: true},
		{Version: "0.10", Artifact: scala211, Extra: old, Kinds: zk, Listeners: true},
		{Version: "0.11", Artifact: scala212, Extra: old, Kinds: zk, Listeners: true},
		{Version: "1.1", Artifact: scala212, Extra: slf4j, Kinds: zk, Listeners: true},
		{Version: "2.0", Artifact: scala212, Extra: []string{newClient, logging}, Kinds: zk, Listeners: true},
		{Version: "2.4", Artifact: scala213, Extra: slf4j, Kinds: zk, Listeners: true},
		{Version: "3.0", Artifact: scala213, Extra: slf4j, Kinds: both, Listeners: true},
		{Version: "4.0", Artifact: scala213, Extra: slf4j, Kinds: kraft, Listeners: true},
	}
}

// findRelease says how a release is run, by the rule for its version. Whether
// there is such a release Maven knows.
func findRelease(version string) (release Release, ok bool) {
	if _, isVersion := parts(version); !isVersion {
		return Release{}, false
	}
	for _, r := range rules() {
		if CompareReleases(version, r.Version) >= 0 {
			release, ok = r, true
		}
	}
	release.Version = version
	return release, ok
}

// parts are the numbers of a version: 0.10.2.2, 4.1.0.
func parts(version string) ([]int, bool) {
	var numbers []int
	for word := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 {
			return nil, false
		}
		numbers = append(numbers, n)
	}
	return numbers, true
}

// CompareReleases orders versions by their numbers: 0.10.2.2, 2.0.1, 3.10.0.
func CompareReleases(a, b string) int {
	x, _ := parts(a)
	y, _ := parts(b)
	return slices.Compare(x, y)
}
