package snapshot_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/kver-cli/kver/internal/snapshot"
)

func BenchmarkWriteVersions(b *testing.B) {
	for _, brokers := range []int{1, 1000} {
		b.Run(fmt.Sprint(brokers), func(b *testing.B) {
			r := fleet(brokers)
			var p pieces
			if err := snapshot.WriteVersions(&p, r); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(p.n))
			b.ReportAllocs()
			for b.Loop() {
				if err := snapshot.WriteVersions(io.Discard, r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for _, brokers := range []int{1, 1000} {
		b.Run(fmt.Sprint(brokers), func(b *testing.B) {
			r := fleet(brokers)
			doc := written(b, func(w io.Writer) error { return snapshot.WriteVersions(w, r) })
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := snapshot.Read(bytes.NewReader(doc), "doc"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
