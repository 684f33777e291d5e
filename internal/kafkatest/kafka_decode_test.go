package kafkatest

import (
	"encoding/hex"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name    string
		version int16
		body    string // hex, spaces for the eye
		want    Table
	}{
		{"v0", 0, "0000 00000001 0012 0000 0004", Table{Epoch: -1, Rows: []Row{{18, 0, 4}}}},
		{"v1 with a throttle", 1, "0000 00000001 0012 0000 0004 00001388", Table{Epoch: -1, Rows: []Row{{18, 0, 4}}, Throttle: 5000}},
		{"a tagged field in a row", 3, "0000 02 0000 0000 0009 01 05 01 aa 00000000 00", Table{Epoch: -1, Rows: []Row{{0, 0, 9}}}},
		{"every known tag, a feature with a tag", 4,
			"0000 01 00000005 04 00 0b 02 02 61 0000 0001 01 00 01 ff 01 08 0000000000000042 02 08 02 02 61 0001 0000 00 03 01 01",
			Table{Throttle: 5, Epoch: 66, ZkMigrationReady: true, Supported: []Feature{{"a", 0, 1}}, Finalized: []Feature{{"a", 0, 1}}}},
		{"an unknown tag", 3, "0000 01 00000000 01 8f4e 02 abcd", Table{Epoch: -1, OtherTags: []uint64{9999}}},
		{"another error, in the version asked", 4, "002a 01 00000000 00", Table{Epoch: -1, Code: 42}},
		{"refused without rows", 4, "0023 00000000", Table{Epoch: -1, Code: 35}},
		{"refused with the row of ApiVersions", 4, "0023 00000001 0012 0000 0003", Table{Epoch: -1, Code: 35, Rows: []Row{{18, 0, 3}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			body, err := hex.DecodeString(strings.ReplaceAll(c.body, " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			got, err := Decode(c.version, body)
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v and %v, want %+v", got, err, c.want)
			}
			for n := range body {
				if table, err := Decode(c.version, body[:n]); err == nil {
					t.Errorf("cut to %d bytes it is read as %+v", n, table)
				}
			}
			if table, err := Decode(c.version, append(body, 0)); err == nil {
				t.Errorf("with a byte too many it is read as %+v", table)
			}
		})
	}
}

// TestDecodeFrame refuses what is not the answer to our request.
func TestDecodeFrame(t *testing.T) {
	frame := RecordedFrame(t, filepath.Join(frames, "4.2.0-kraft.v4.hex"))
	if _, err := DecodeFrame(4, frame); err != nil {
		t.Fatal(err)
	}
	other := append([]byte(nil), frame...)
	other[7]++
	for name, broken := range map[string][]byte{
		"no header":        frame[:7],
		"cut off":          frame[:len(frame)-1],
		"too long":         append(frame[:len(frame):len(frame)], 0),
		"another request":  other,
		"nothing":          nil,
		"a size and an id": {0, 0, 0, 4, 0, 0, 0, correlationID},
	} {
		if table, err := DecodeFrame(4, broken); err == nil {
			t.Errorf("%s: read as %+v", name, table)
		}
	}
}

// TestRequest holds the request bytes against those written down by hand.
func TestRequest(t *testing.T) {
	const name = "6b61666b6174657374"
	for version, want := range []string{
		0: "00000013 0012 0000 00000007 0009" + name,
		2: "00000013 0012 0002 00000007 0009" + name,
		3: "00000021 0012 0003 00000007 0009" + name + "00 0a" + name + "02 31 00",
		4: "00000021 0012 0004 00000007 0009" + name + "00 0a" + name + "02 31 00",
		5: "00000026 0012 0005 00000007 0009" + name + "00 0a" + name + "02 31 00 ffffffff 00",
	} {
		if want = strings.ReplaceAll(want, " ", ""); want == "" {
			continue
		}
		if got := hex.EncodeToString(request(int16(version))); got != want {
			t.Errorf("v%d is\n%s, want\n%s", version, got, want)
		}
	}
}
