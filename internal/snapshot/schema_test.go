package snapshot_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/kver-cli/kver/internal/negotiate"
	"github.com/kver-cli/kver/internal/snapshot"
)

func compiled(t *testing.T, kind string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(filepath.Join("schema", kind+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func decoded(t *testing.T, doc []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestGoldensMatchTheirSchema(t *testing.T) {
	for _, g := range goldens() {
		t.Run(g.name, func(t *testing.T) {
			if err := compiled(t, g.schema).Validate(decoded(t, written(t, g.write))); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestWhateverPeersSayMatchesTheSchema(t *testing.T) {
	versionsSchema, aheadSchema, diffSchema := compiled(t, "versions"), compiled(t, "ahead"), compiled(t, "diff")
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		peers := []*negotiate.Peer{anyPeer(r), anyPeer(r), anyPeer(r)}
		sel := negotiate.Selection{}
		if r.IntN(2) == 0 {
			sel.APIs = []int16{anyKey(r), anyKey(r)}
		}
		d := negotiate.Diff(plainFeatures(peers), sel)
		if r.IntN(2) == 0 {
			sel.States = negotiate.States()[:r.IntN(9)]
		}
		report := negotiate.Negotiate(peers, pick(r, negotiate.Kmsg(), olderKmsg()), sel)
		for _, c := range []struct {
			schema *jsonschema.Schema
			write  func(io.Writer) error
		}{
			{versionsSchema, func(w io.Writer) error { return snapshot.WriteVersions(w, report) }},
			{aheadSchema, func(w io.Writer) error { return snapshot.WriteAhead(w, report) }},
			{diffSchema, func(w io.Writer) error { return snapshot.WriteDiff(w, d) }},
		} {
			if err := c.schema.Validate(decoded(t, written(t, c.write))); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
	}
}

// plainFeatures leaves out features, whose names have to be distinct for a
// comparison.
func plainFeatures(peers []*negotiate.Peer) []*negotiate.Peer {
	var plain []*negotiate.Peer
	for _, p := range peers {
		q := *p
		if q.Features != nil {
			q.Features = []negotiate.Feature{{Name: "metadata.version", Supported: &negotiate.Range{Min: 1, Max: int16(len(p.Rows))}, Finalized: ptr[int16](1)}}
		}
		plain = append(plain, &q)
	}
	return plain
}

// visit calls f with every object in v.
func visit(v any, f func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		f(v)
		for _, member := range v {
			visit(member, f)
		}
	case []any:
		for _, item := range v {
			visit(item, f)
		}
	}
}

// The schemas are strict: every field is required and no other is allowed. So
// a golden with any one field taken away, or one added, does not match.
func TestSchemasAreStrict(t *testing.T) {
	for _, g := range goldens() {
		t.Run(g.name, func(t *testing.T) {
			schema := compiled(t, g.schema)
			doc := decoded(t, written(t, g.write))
			seen := map[string]bool{} // one object of a kind is enough
			visit(doc, func(o map[string]any) {
				for name, value := range o {
					if kind := fieldsOf(o) + name; !seen[kind] {
						seen[kind] = true
						delete(o, name)
						if schema.Validate(doc) == nil {
							t.Errorf("%s may be missing", name)
						}
						o[name] = value
					}
				}
				if kind := fieldsOf(o); !seen[kind] {
					seen[kind] = true
					o["other"] = true
					if schema.Validate(doc) == nil {
						t.Errorf("another field beside %s", kind)
					}
					delete(o, "other")
				}
			})
			if err := schema.Validate(doc); err != nil {
				t.Errorf("the golden itself: %v", err)
			}
		})
	}
}

func fieldsOf(o map[string]any) string { return fmt.Sprint(slices.Sorted(maps.Keys(o))) }

// The schemas name the same states and changes as the rules do.
func TestSchemasNameEveryWord(t *testing.T) {
	var states, changes []any
	for _, s := range negotiate.States() {
		states = append(states, string(s))
	}
	for _, c := range negotiate.Changes() {
		changes = append(changes, string(c))
	}
	for _, c := range []struct {
		kind, def string
		want      []any
	}{
		{"versions", "state", states}, {"ahead", "state", states}, {"diff", "change", changes},
	} {
		data, err := os.ReadFile(filepath.Join("schema", c.kind+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Defs map[string]struct{ Enum []any } `json:"$defs"`
		}
		if err := json.Unmarshal(data, &schema); err != nil {
			t.Fatal(err)
		}
		if got := schema.Defs[c.def].Enum; !slices.Equal(got, c.want) {
			t.Errorf("%s: %s is %v, want %v", c.kind, c.def, got, c.want)
		}
	}
}
