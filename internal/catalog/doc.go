// Package catalog holds what every release of Apache Kafka advertised when it
// was run and asked: broker listeners with ZooKeeper and with KRaft, controller
// listeners, and what a setting or a forwarded request changes in them.
//
// The data is recordings.txt, embedded as it is. A line is one table, with the
// releases that answered with it, the hash of the answer, and what changed in
// comparison with the release before; so the file is read as a history, and a
// difference between two commits of it is one between brokers. Nobody writes
// it but the test that records it (record_test.go), from real nodes.
//
// Nothing is decoded before somebody asks for it.
package catalog
