package negotiate

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

// TestCodecRangeIsWhatBothDirectionsShare tries every pair of small schemas: a
// response version that no request can reach is of no use.
func TestCodecRangeIsWhatBothDirectionsShare(t *testing.T) {
	for _, req := range smallRanges() {
		for _, resp := range smallRanges() {
			c := NewCodec("test", "v1", "", map[int16]Schema{7: {req, resp}})
			inReq, inResp := members(req), members(resp)
			r := c.Range(7)
			for v := int16(low); v <= high; v++ {
				if got, want := r != nil && r.Contains(v), inReq[v] && inResp[v]; got != want {
					t.Errorf("request %v, response %v: ours is %s, wrong about %d", req, resp, text(r), v)
				}
			}
			if (r != nil) != slices.Equal(c.Keys(), []int16{7}) {
				t.Errorf("request %v, response %v: ours is %s, keys %v", req, resp, text(r), c.Keys())
			}
		}
	}
}

func TestCodecWithoutSchema(t *testing.T) {
	if r := (Codec{}).Range(0); r != nil {
		t.Errorf("a codec without schemas knows %v", r)
	}
	if r := Kmsg().Range(kmsg.MaxKey + 1); r != nil {
		t.Errorf("kmsg knows %v of a key above its last", r)
	}
	if r := Kmsg().Range(-2); r != nil {
		t.Errorf("kmsg knows %v of a negative key", r)
	}
}

// TestKmsgHoldsTheTable pins every name and maximum, so that a new kmsg has to
// be looked at before it is taken.
func TestKmsgHoldsTheTable(t *testing.T) {
	ours := Kmsg()
	rows := parseTable(t)
	if len(rows) != 95 || kmsg.MaxKey != 94 {
		t.Fatalf("%d rows, kmsg's last key is %d", len(rows), kmsg.MaxKey)
	}
	for i, row := range rows {
		if int(row.key) != i || ours.Keys()[i] != row.key {
			t.Fatalf("row %d is key %d, kmsg's is %d", i, row.key, ours.Keys()[i])
		}
		if got := ours.Range(row.key); got == nil || *got != (Range{0, row.max}) {
			t.Errorf("%s (%d): ours is %s, want 0-%d", row.name, row.key, text(got), row.max)
		}
		if Name(row.key) != row.name {
			t.Errorf("key %d is %s, want %s", row.key, Name(row.key), row.name)
		}
	}
}

// TestKmsgHasNoSkew holds what makes 0..MaxVersion an honest "ours": requests
// and responses agree on where they end and where they turn flexible.
func TestKmsgHasNoSkew(t *testing.T) {
	for _, row := range parseTable(t) {
		req, resp := kmsg.RequestForKey(row.key), kmsg.ResponseForKey(row.key)
		if req == nil || resp == nil {
			t.Errorf("%s (%d): kmsg has no request or no response", row.name, row.key)
			continue
		}
		if req.MaxVersion() != resp.MaxVersion() || req.Key() != row.key || resp.Key() != row.key {
			t.Errorf("%s (%d): request up to %d, response up to %d", row.name, row.key, req.MaxVersion(), resp.MaxVersion())
		}
		first := int16(-1)
		for v := req.MaxVersion(); v >= 0; v-- {
			req.SetVersion(v)
			resp.SetVersion(v)
			if req.IsFlexible() != resp.IsFlexible() {
				t.Errorf("%s (%d) v%d: request and response disagree on being flexible", row.name, row.key, v)
			}
			if req.IsFlexible() {
				first = v
			}
		}
		if first != row.flexible {
			t.Errorf("%s (%d): flexible from %d, want %d", row.name, row.key, first, row.flexible)
		}
	}
}

// TestKmsgIsTheStableRelease ties KmsgKafka to the release whose maxima kmsg
// has: kversion's newest stable table.
func TestKmsgIsTheStableRelease(t *testing.T) {
	stable := kversion.Stable()
	ours := Kmsg()
	for key := int16(0); key <= kmsg.MaxKey; key++ {
		if v, ok := stable.LookupMaxKeyVersion(key); !ok || v != ours.Range(key).Max {
			t.Errorf("%s (%d): ours ends at %d, kversion's stable at %d %v", Name(key), key, ours.Range(key).Max, v, ok)
		}
	}
	if newest := kversion.VersionStrings()[0]; newest != "v"+KmsgKafka {
		t.Errorf("kversion's newest release is %s, kmsg's is said to be %s", newest, KmsgKafka)
	}
	kversion.FromString(KmsgKafka).EachMaxKeyVersion(func(key, v int16) {
		if v != ours.Range(key).Max {
			t.Errorf("%s (%d): ours ends at %d, %s at %d", Name(key), key, ours.Range(key).Max, KmsgKafka, v)
		}
	})
	if ours.Name != "kmsg" || ours.Version != KmsgVersion || ours.Kafka != KmsgKafka {
		t.Errorf("ours is %s %s, %s", ours.Name, ours.Version, ours.Kafka)
	}
}

func TestKmsgVersionIsGoMods(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	var required []string
	for line := range strings.Lines(string(mod)) {
		if w := strings.Fields(line); len(w) >= 2 && w[0] == "github.com/twmb/franz-go/pkg/kmsg" {
			required = append(required, w[1])
		}
	}
	if !slices.Equal(required, []string{KmsgVersion}) {
		t.Errorf("go.mod requires kmsg %v, this package says %s", required, KmsgVersion)
	}
}

func TestLevelNames(t *testing.T) {
	for level, want := range map[int16]string{
		0: "", 1: "3.0-IV1", 7: "3.3-IV3", 8: "3.4-IV0", 11: "3.5-IV2", 14: "3.6-IV2", 19: "3.7-IV4", 20: "3.8-IV0",
		21: "3.9-IV0", 25: "4.0-IV3", 27: "4.1-IV1", 29: "4.2-IV1", 30: "4.3-IV0", 33: "4.4-IV2", 34: "", -1: "",
	} {
		if got := LevelName(metadataVersion, level); got != want {
			t.Errorf("metadata.version %d is %q, want %q", level, got, want)
		}
	}
	if got := LevelName("share.version", 1); got != "" {
		t.Errorf("share.version 1 is %q", got)
	}
}
