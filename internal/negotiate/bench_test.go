package negotiate

import (
	"fmt"
	"testing"
)

// fleet is n brokers, every tenth of them one release behind and every
// hundredth with a row of its own.
func fleet(t testing.TB, n int) []*Peer {
	t.Helper()
	newest, behind := column(t, "4.4-kraft"), column(t, "4.0.0-kraft")
	peers := make([]*Peer, n)
	for i := range peers {
		rows := newest
		if i%10 == 9 {
			rows = behind
		}
		if i%100 == 0 {
			rows = with(rows, []Row{{Key: int16(1000 + i), Range: Range{0, 1}}})
		}
		peers[i] = peerOf(fmt.Sprint("b", i), rows)
	}
	return peers
}

func BenchmarkNegotiate(b *testing.B) {
	for _, n := range []int{1, 1000} {
		peers, ours := fleet(b, n), Kmsg()
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Negotiate(peers, ours, Selection{})
			}
		})
	}
}

func BenchmarkDiff(b *testing.B) {
	for _, n := range []int{2, 1000} {
		peers := fleet(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Diff(peers, Selection{})
			}
		})
	}
}

func BenchmarkKmsg(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Kmsg()
	}
}

// TestOnePeerIsCheap bounds the work for one broker by what it allocates,
// which does not depend on the machine.
func TestOnePeerIsCheap(t *testing.T) {
	peers, ours := fleet(t, 1), Kmsg()
	if n := testing.AllocsPerRun(10, func() { Negotiate(peers, ours, Selection{}) }); n > 300 {
		t.Errorf("%.0f allocations for one broker of 78 keys", n)
	}
}
