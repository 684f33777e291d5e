package render

import (
	"fmt"
	"io"
	"testing"

	"github.com/kver-cli/kver/internal/negotiate"
)

// distinct is a report of n brokers of which no two have the same table.
func distinct(t testing.TB, n int) negotiate.Report {
	peers := make([]*negotiate.Peer, n)
	for i := range peers {
		peers[i] = kafka42(t, fmt.Sprintf("kafka-%d:9092", i))
		peers[i].Rows[0].Max = int16(i)
	}
	return report(negotiate.Selection{}, peers...)
}

func BenchmarkVersions(b *testing.B) {
	for _, n := range []int{1, 1000} {
		for _, colour := range []bool{false, true} {
			r := distinct(b, n)
			b.Run(fmt.Sprintf("brokers=%d/colour=%t", n, colour), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := Versions(io.Discard, r, Style{Color: colour, All: true}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
