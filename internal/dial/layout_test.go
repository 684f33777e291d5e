package dial

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"runtime"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestCheckLayout(t *testing.T) {
	for _, tt := range []struct {
		name    string
		version int16
		body    string
		want    string // part of the error, "" for none
	}{
		{"v0", 0, "0000 00000001 0012 0000 0003", ""},
		{"v1", 1, "0000 00000001 0012 0000 0003 00000000", ""},
		{"v3", 3, "0000 02 0012 0000 0003 00 00000000 00", ""},
		{"v3 with features", 3, "0000 02 0012 0000 0003 00 00000000 01 00 08 02 02 61 0001 0002 00", ""},
		{"unknown tag", 3, "0000 02 0012 0000 0003 00 00000000 01 8f4e 02 abcd", ""},
		{"row tag", 3, "0000 02 0012 0000 0003 01 05 01 aa 00000000 00", ""},
		{"no code", 0, "00", "ends before"},
		{"left over", 0, "0000 00000001 0012 0000 0003 deadbeef", "4 bytes are left over"},
		{"v0 read as v3", 3, "0000 00000003 0000 0000 0009 0001 0000 000c 0012 0000 0003", "negative"},
		{"null rows", 3, "0000 00 00000000 00", "negative"},
		{"negative rows", 0, "0000 ffffffff", "negative"},
		{"short rows", 0, "0000 00000002 0012 0000 0003", "ends before"},
		{"too many rows", 0, "0000 00010001", "more than any peer"},
		{"tags without end", 3, "0000 02 0012 0000 0003 ffffffff0f", "tagged fields"},
		{"varint without end", 3, "0000 ffffffffffffffffffff", "ends before"},
		{"feature without name", 3, "0000 02 0012 0000 0003 00 00000000 01 00 07 02 00 0001 0002 00", "no name"},
		{"feature with a name of 256 bytes", 3, "0000 02 0012 0000 0003 00 00000000 01 00 8802 02 8102" + strings.Repeat("61", 256) + "0001 0002 00", ""},
		{"feature with a name of 257 bytes", 3, "0000 02 0012 0000 0003 00 00000000 01 00 8902 02 8202" + strings.Repeat("61", 257) + "0001 0002 00", "name has 257 bytes"},
		{"left over in a tag", 3, "0000 02 0012 0000 0003 00 00000000 01 02 09 02 02 61 0001 0002 00 ff", "left over in tagged field 2"},
		{"tag beyond the body", 3, "0000 02 0012 0000 0003 00 00000000 01 02 7f", "ends before"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := checkLayout(unhex(t, tt.body), tt.version)
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

// kmsg below 1.15.1 spent hours on 18 bytes that announce 4,294,967,295 tagged
// fields.
func TestB76Decode(t *testing.T) {
	if a, err := decode(unhex(t, "0000 02 0012 0000 0003 ffffffff0f"), 3); err == nil {
		t.Errorf("got %+v, want an error", a)
	}
	resp := kmsg.NewPtrApiVersionsResponse()
	resp.SetVersion(3)
	if err := resp.ReadFrom(unhex(t, "0000 02 0012 0000 0003 ffffffff0f")); err == nil {
		t.Error("this kmsg takes the count of tagged fields as it comes; 1.15.1 and later refuse it")
	}
}

// hostile are bodies of about 1 MiB that try to make a reader allocate or spin.
func hostile() map[string][]byte {
	const size = maxFrame - 4
	v3 := func(rest ...[]byte) []byte {
		b := append([]byte{0, 0}, bytes.Join(rest, nil)...)
		return append(b, make([]byte, size-len(b))...)
	}
	uvarint := func(n uint64) []byte { return binary.AppendUvarint(nil, n) }
	oneRow := []byte{2, 0, 18, 0, 0, 0, 3, 0, 0, 0, 0, 0}
	allRows := binary.BigEndian.AppendUint32([]byte{0, 0}, maxRows)
	for k := range maxRows {
		allRows = binary.BigEndian.AppendUint16(allRows, uint16(k))
		allRows = append(allRows, 0, 0, 0, 1)
	}
	tags := []byte{}
	for k := range uint64(size / 4) {
		tags = append(append(tags, uvarint(k+16384)...), 0)
	}
	return map[string][]byte{
		"zeros":              make([]byte, size),
		"ones":               bytes.Repeat([]byte{0xff}, size),
		"every key":          allRows,
		"149,000 rows":       v3(uvarint(149_000)),
		"rows full of tags":  v3(uvarint(60_000), bytes.Repeat([]byte{0, 1, 0, 0, 0, 1, 1, 9, 0}, 60_000)),
		"distinct tags":      v3(oneRow, uvarint(uint64(size/4)), tags[:size-64]),
		"features":           v3(oneRow, []byte{1, 0}, uvarint(1_000_000), uvarint(160_000), bytes.Repeat([]byte{2, 97, 0, 0, 0, 1, 0}, 100_000)),
		"one feature, 1 MiB": v3(oneRow, []byte{1, 0}, uvarint(1_000_000), uvarint(2), uvarint(900_000), bytes.Repeat([]byte{'a'}, 900_000)),
	}
}

// BenchmarkHostile shows that 1 MiB of anything costs less than 50 ms and 8 MiB
// (see B/op): decoded or refused.
func BenchmarkHostile(b *testing.B) {
	for name, body := range hostile() {
		for _, version := range []int16{0, 4} {
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if a, err := decodeEither(body, version, 0); err == nil {
						runtime.KeepAlive(a.rows())
					}
				}
			})
		}
	}
}

// TestHostileAllocations is the part of BenchmarkHostile that is a law.
func TestHostileAllocations(t *testing.T) {
	const most = 8 << 20
	for name, body := range hostile() {
		for _, version := range []int16{0, 4} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if a, err := decodeEither(body, version, 0); err == nil {
				runtime.KeepAlive(a.rows())
			}
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; got > most {
				t.Errorf("%s as v%d: %d bytes allocated, more than %d", name, version, got, most)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"0000 00000001 0012 0000 0003",
		"0023 00000001 0012 0000 0003",
		"0000 04 0000 0000 000b 00 0003 0000 000c 00 0012 0000 0003 00 00000000 00",
		"0000 02 0012 0000 0003 00 00000000 03 00 07 02 02 61 0001 0002 00 01 08 0000000000000027 02 07 02 02 61 0001 0001 00",
		"002a 01 00000000 00",
	} {
		f.Add(unhex(f, s), int16(4))
		f.Add(unhex(f, s), int16(0))
	}
	f.Fuzz(func(t *testing.T, body []byte, version int16) {
		version = max(0, version%6)
		a, err := decode(body, version)
		if err != nil {
			return
		}
		// What the walker accepts, kmsg has read to the last byte: without it
		// the body must not decode.
		if len(body) > 0 {
			if _, err := decode(body[:len(body)-1], version); err == nil {
				t.Fatalf("%x decodes with and without its last byte as v%d", body, version)
			}
		}
		if again := decodedAgain(t, a); !bytes.Equal(again.AppendTo(nil), a.AppendTo(nil)) {
			t.Fatalf("%x is not stable as v%d", body, version)
		}
		a.features()
		a.unknownTags()
		a.rows()
	})
}

func decodedAgain(t *testing.T, a *answer) *answer {
	again, err := decode(a.AppendTo(nil), a.layout)
	if err != nil {
		t.Fatalf("encoding what was decoded gives %x, which does not decode: %v", a.AppendTo(nil), err)
	}
	return again
}
