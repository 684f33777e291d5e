package catalog

import (
	"fmt"
	"slices"

	"github.com/kver-cli/kver/internal/negotiate"
)

// firstPrivate is far above the keys that Apache Kafka counts up: 94 in 4.4,
// some six more a release. Builds of others have theirs up there.
const firstPrivate = 500

// makers are the builds that are known by their keys or by a feature. It is a
// hint and no more: anybody can use these numbers.
var makers = []struct {
	from, to int16
	feature  string
	hint     string
	source   string
}{
	{feature: "automq.version", hint: "AutoMQ has a feature of this name", source: "AutoMQ, its ApiKeys and features, 2026"},
	{from: 500, to: 502, hint: "AutoMQ and Inkless use keys from 500", source: "aiven/inkless on 4.2, 2026"},
	{from: 503, to: 602, hint: "AutoMQ uses keys from 500", source: "AutoMQ, 2026"},
	{from: 10000, to: 32767, hint: "Confluent uses keys from 10000", source: "confluentinc/librdkafka 2901; grepplabs/kafka-proxy pull request 185"},
}

// private says that a peer has keys or features that no Apache Kafka has, and
// whose they may be; "" where it has none.
func private(p *negotiate.Peer) string {
	var keys []int16
	for _, k := range p.Keys() {
		if k >= firstPrivate || k < 0 {
			keys = append(keys, k)
		}
	}
	for _, m := range makers {
		byName := m.feature != "" && slices.ContainsFunc(p.Features, func(f negotiate.Feature) bool { return f.Name == m.feature })
		byKey := m.feature == "" && slices.ContainsFunc(keys, func(k int16) bool { return m.from <= k && k <= m.to })
		if byName || byKey {
			return "perhaps not Apache's build: " + m.hint
		}
	}
	if len(keys) > 0 {
		return fmt.Sprintf("perhaps not Apache's build: no Apache Kafka has key %d", keys[0])
	}
	return ""
}
