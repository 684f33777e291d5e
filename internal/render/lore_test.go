package render

import (
	"io"
	"testing"

	"github.com/kver-cli/kver/internal/negotiate"
)

// lore tells something of a few keys and levels; one line of it is long.
func lore() negotiate.Lore {
	return negotiate.Lore{
		Versions: func(key int16, in negotiate.Range) []negotiate.Introduction {
			var all []negotiate.Introduction
			for _, i := range []negotiate.Introduction{
				{Key: 2, Version: 11, Release: "4.2", KIP: "KIP-1023", Words: "first offset not yet in tiered storage"},
				{Key: 3, Version: 11, Release: "2.8", KIP: "KIP-700", Words: "without the cluster's permitted operations"},
				{Key: 3, Version: 12, Release: "3.1", KIP: "KIP-516", Words: "topic ids"},
				{Key: 76, Version: 1, Release: "4.1", Words: "share groups"},
				{Key: 93, Version: 0, Release: "4.4", KIP: "KIP-1331", Words: "streams groups: a member describes its topology, all of it"},
			} {
				if i.Key == key && in.Contains(i.Version) {
					all = append(all, i)
				}
			}
			return all
		},
		Levels: func(feature string, level int16) (negotiate.LevelIntroduction, bool) {
			if feature != "metadata.version" {
				return negotiate.LevelIntroduction{}, false
			}
			return negotiate.LevelIntroduction{Feature: feature, Level: level, Release: "4.2", KIP: "KIP-932", Words: "share groups"}, level == 28
		},
	}
}

// loreScenes show which release a table looks like and what versions bring.
func loreScenes(t testing.TB) []scene {
	judged := func(target string, r negotiate.Release) *negotiate.Peer {
		p := kafka41(t, target)
		p.Release = &r
		return p
	}
	recorded := judged("kafka@4.1", negotiate.Release{Verdict: negotiate.Exact, Name: "4.1", Evidence: []string{"recorded from Apache Kafka 4.1.0, 4.1.1"}})
	recorded.Recorded = []string{"4.1.0", "4.1.1"}
	between := judged("between:9092", negotiate.Release{Verdict: negotiate.InRange, Name: "4.0-4.2", Evidence: []string{"it lies between 4.0 and 4.2"}})
	between.Rows = between.Rows[1:]
	newer := judged("newer:9092", negotiate.Release{Verdict: negotiate.NewerThan, Name: "4.4", Evidence: []string{"metadata.version supports 7-40"}})
	newer.Rows = newer.Rows[2:]
	like := judged("like:9092", negotiate.Release{
		Verdict: negotiate.Like, Name: "4.1", Evidence: []string{"perhaps not Apache's build"},
		Differs: []string{"Fetch (1) 4-17 instead of 4-18", "b", "c", "d", "e\x1b[31m"},
	})
	like.Rows = like.Rows[3:]
	other := peer(t, "other:9092", "0:0-7 3:0-8 18:0-3", 3)
	other.Release = &negotiate.Release{Verdict: negotiate.NotKafka, Evidence: []string{"no kind of Kafka listener offers this set of keys"}}
	pair := peer(t, "pair:9092", broker41, 4)
	withFeatures(pair, feature("metadata.version", 7, 29, 27))

	some := report(negotiate.Selection{APIs: []int16{3, 93}}, recorded, between, newer, like, other)
	some.Lore = lore()
	next := report(negotiate.Selection{}, pair)
	next.Lore = lore()
	behind := negotiate.Negotiate([]*negotiate.Peer{kafka42(t, "broker:9092")}, older(), negotiate.Selection{})
	behind.Lore = lore()
	return []scene{
		{name: "versions-judged", show: versions(some)},
		{name: "versions-not-finalized", show: versions(next)},
		{name: "ahead-brings", show: ahead(behind)},
		{name: "diff-brings", show: loreDiff(recorded, kafka42(t, "b:9092"), like)},
		{name: "diff-loses", show: loreDiff(kafka42(t, "b:9092"), recorded)},
	}
}

func loreDiff(peers ...*negotiate.Peer) func(io.Writer, Style) error {
	d := negotiate.Diff(peers, negotiate.Selection{})
	d.Lore = lore()
	return func(w io.Writer, s Style) error { return Diff(w, d, s) }
}
