// Package kafkatest gives tests something to ask: scripted peers, which do to
// the byte what a test wants, and real Kafka nodes of every age, which do what
// Kafka does. Only tests import it.
//
// Real nodes (files kafka*.go) are plain Java processes, without containers:
// Start brings up one release of Apache Kafka from Maven's jars, waits until it
// answers and ends it with the test. AskRaw and Decode read its answer without
// any of kver's code, and ApacheTool reads it with Apache's own, so that what
// kver says can be held against both. Which releases there are is a table
// (kafka_releases.go). Where Java or Maven is missing these tests skip, and
// fail if the variable CI is "true".
package kafkatest
