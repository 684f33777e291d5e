package snapshot_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/kver-cli/kver/internal/negotiate"
	"github.com/kver-cli/kver/internal/snapshot"
)

// small is a document with only what is required.
const small = `{"schema": "kver.versions/1", "selection": {"apis": null, "states": null}, "brokers": [
  {"target": "b:9092", "listener": "broker", "mode": null, "features": null, "error": null,
   "apis": [{"apiKey": 3, "minVersion": 0, "maxVersion": 13}]}
]}`

// with returns small with one part replaced.
func with(old, replacement string) string {
	if !strings.Contains(small, old) {
		panic("no " + old)
	}
	return strings.Replace(small, old, replacement, 1)
}

const (
	tryWrite = "; write one with: kver versions -o json"
	tryUTF8  = "; write UTF-8: kver versions -o json | Out-File -Encoding utf8 FILE"
	later    = `{"apiKey": 3, "minVersion": 0, "maxVersion": 13}`
)

var refused = []struct{ name, doc, err string }{
	{"nothing", "", ": empty" + tryWrite},
	{"blanks", " \r\n\t", ": empty" + tryWrite},
	{"a BOM and nothing", "\xef\xbb\xbf\n", ": empty" + tryWrite},
	{"UTF-16", utf16le("\ufeff" + small), ": UTF-16, as PowerShell's > writes it; needs UTF-8" + tryUTF8},
	{"UTF-16 without a mark", utf16le(small), ": UTF-16, as PowerShell's > writes it; needs UTF-8" + tryUTF8},

	{"no brokers", `{"schema": "kver.versions/1", "selection": {"apis": null, "states": null}, "brokers": []}`,
		" at .brokers: empty; a snapshot is of one broker at least" + tryWrite},
	{"no table", strings.Replace(small, later, "", 1), " at .brokers[0]: neither an API key nor an error" + tryWrite},

	{"a table", "broker:9092   Kafka 4.2 broker\n", " at 1:1: invalid character 'b' looking for beginning of value" + tryWrite},
	{"cut short", small[:len(small)-3], " at 3:62: unexpected end of JSON input" + tryWrite},
	{"cut short in a text", `{"schema": "kver.`, " at 1:17: unexpected end of JSON input" + tryWrite},
	{"a comma too many", "{\n\"ünï\": 1,\n}", " at 3:1: invalid character '}' looking for beginning of object key string" + tryWrite},
	{"columns count characters", `{"ünï": x}`, " at 1:9: invalid character 'x' looking for beginning of value" + tryWrite},
	{"two documents", small + "\n" + small, " at 5:1: invalid character '{' after top-level value" + tryWrite},
	{"nested without end", strings.Repeat("[", 20000), " at 1:10001: invalid character '[' exceeded max depth" + tryWrite},

	{"a list", "[]", ": JSON, but not an object; needs a kver.versions/1 document" + tryWrite},
	{"null", "null", ": JSON without a schema; needs a kver.versions/1 document" + tryWrite},
	{"no schema", "{}", ": JSON without a schema; needs a kver.versions/1 document" + tryWrite},
	{"schema in capitals", with(`"schema"`, `"SCHEMA"`), " at .schema: missing" + tryWrite},
	{"schema not a text", with(`"kver.versions/1"`, `1`), ` at .schema: not a text; needs "kver.versions/1"` + tryWrite},
	{"a later schema", with(`kver.versions/1`, `kver.versions/2`), `: a "kver.versions/2" document, which this build cannot read; needs kver.versions/1; read it with the kver that wrote it, or write one with: kver versions -o json`},
	{"a difference", with(`kver.versions/1`, `kver.diff/1`), `: a "kver.diff/1" document; needs kver.versions/1` + tryWrite},
	{"something else", with(`kver.versions/1`, strings.Repeat("é\x7f", 30)), `: a "` + strings.Repeat(`é\x7f`, 20) + `…" document; needs kver.versions/1` + tryWrite},
	{"by state", with(`"states": null`, `"states": ["same"]`), " at .selection.states: not a snapshot: recorded with --state; write one without --state: kver versions -o json"},
	{"by no state", with(`"states": null`, `"states": []`), " at .selection.states: not a snapshot: recorded with --state; write one without --state: kver versions -o json"},
	{"states not a list", with(`"states": null`, `"states": 3`), " at .selection.states: the number 3; needs a list or null" + tryWrite},

	{"no selection", with(`"selection": {"apis": null, "states": null},`, ``), " at .selection: missing" + tryWrite},
	{"no apis in the selection", with(`"apis": null,`, ``), " at .selection.apis: missing" + tryWrite},
	{"a name in the selection", with(`"apis": null`, `"apis": ["Produce"]`), ` at .selection.apis[0]: the text "Produce"; needs a whole number from -32768 to 32767` + tryWrite},
	{"no brokers", `{"schema": "kver.versions/1", "selection": {"apis": null, "states": null}}`, " at .brokers: missing" + tryWrite},
	{"brokers null", `{"schema": "kver.versions/1", "selection": {"apis": null, "states": null}, "brokers": null}`, " at .brokers: null; needs a list" + tryWrite},
	{"a broker is a text", `{"schema": "kver.versions/1", "selection": {"apis": null, "states": null}, "brokers": ["b:9092"]}`, ` at .brokers[0]: the text "b:9092"; needs an object` + tryWrite},

	{"no target", with(`"target": "b:9092",`, ``), " at .brokers[0].target: missing" + tryWrite},
	{"target null", with(`"b:9092"`, `null`), " at .brokers[0].target: null; needs a text" + tryWrite},
	{"no listener", with(`"listener": "broker",`, ``), " at .brokers[0].listener: missing" + tryWrite},
	{"no such listener", with(`"broker"`, `"foo"`), ` at .brokers[0].listener: the text "foo"; needs "broker" or "controller" or null` + tryWrite},
	{"no such mode", with(`"mode": null`, `"mode": true`), ` at .brokers[0].mode: true; needs a text or null` + tryWrite},
	{"no rows", with(`"apis": [`, `"rows": [`), " at .brokers[0].apis: missing" + tryWrite},
	{"no features", with(`"features": null,`, ``), " at .brokers[0].features: missing" + tryWrite},
	{"no error", with(`"error": null,`, ``), " at .brokers[0].error: missing" + tryWrite},
	{"features an object", with(`"features": null`, `"features": {}`), " at .brokers[0].features: an object; needs a list or null" + tryWrite},
	{"a feature without a name", with(`"features": null`, `"features": [{"supported": null, "finalized": 1}]`), " at .brokers[0].features[0].name: missing" + tryWrite},
	{"half a supported range", with(`"features": null`, `"features": [{"name": "a", "supported": {"min": 1}, "finalized": 1}]`), " at .brokers[0].features[0].supported.max: missing" + tryWrite},
	{"an error without a code", with(`"error": null`, `"error": {"stage": "connect", "message": "x", "hint": null}`), " at .brokers[0].error.code: missing" + tryWrite},
	{"an error and rows", with(`"error": null`, `"error": {"stage": "a", "code": "b", "message": "c"}`), " at .brokers[0]: both an error and a table; needs one of them" + tryWrite},

	{"no key", with(`"apiKey"`, `"key"`), " at .brokers[0].apis[0].apiKey: missing" + tryWrite},
	{"key too large", with(`"apiKey": 3`, `"apiKey": 70000`), " at .brokers[0].apis[0].apiKey: the number 70000; needs a whole number from -32768 to 32767" + tryWrite},
	{"a second row", with(later, later+`, {"apiKey": 1.5, "minVersion": 0, "maxVersion": 1}`), " at .brokers[0].apis[1].apiKey: the number 1.5; needs a whole number from -32768 to 32767" + tryWrite},
	{"minimum a text", with(`"minVersion": 0`, `"minVersion": "x"`), ` at .brokers[0].apis[0].minVersion: the text "x"; needs a whole number from -32768 to 32767, or null` + tryWrite},
	{"maximum far too large", with(`13`, "1"+strings.Repeat("0", 99)), " at .brokers[0].apis[0].maxVersion: the number 1" + strings.Repeat("0", 39) + "…; needs a whole number from -32768 to 32767, or null" + tryWrite},
	{"half a range", with(`"minVersion": 0`, `"minVersion": null`), " at .brokers[0].apis[0]: half a range; needs both minVersion and maxVersion, or null for both" + tryWrite},
	{"no such reason", with(`"mode": null`, `"mode": null, "handshake": {"refused": [{"version": 4, "reason": "bored"}]}`), ` at .brokers[0].handshake.refused[0].reason: the text "bored"; needs "unsupported-version", "closed" or "reset"` + tryWrite},
	{"a negative count", with(`"mode": null`, `"mode": null, "handshake": {"requests": -1}`), ` at .brokers[0].handshake.requests: the number -1; needs a whole number from 0 to 2147483647` + tryWrite},
	{"a tag too large", with(`"mode": null`, `"mode": null, "unknownTags": [4294967296]`), ` at .brokers[0].unknownTags[0]: the number 4294967296; needs a whole number from 0 to 4294967295` + tryWrite},
	{"ready a number", with(`"mode": null`, `"mode": null, "zkMigrationReady": 0`), ` at .brokers[0].zkMigrationReady: the number 0; needs true or false` + tryWrite},
}

func utf16le(s string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(s)) {
		b.WriteByte(byte(unit))
		b.WriteByte(byte(unit >> 8))
	}
	return b.String()
}

func TestRefused(t *testing.T) {
	for _, c := range refused {
		t.Run(c.name, func(t *testing.T) {
			d, err := snapshot.Read(strings.NewReader(c.doc), "old.json")
			var e *snapshot.Error
			if !errors.As(err, &e) || e.Name != "old.json" {
				t.Fatalf("got %v, %#v", d, err)
			}
			if want := `reading snapshot "old.json"` + c.err; err.Error() != want {
				t.Errorf("got  %s\nwant %s", err, want)
			}
			if d.Peers != nil || d.APIs != nil {
				t.Errorf("and a document: %v", d)
			}
		})
	}
}

// A document of a later kver has more fields, and jq -S has them in another
// order.
func TestTolerated(t *testing.T) {
	p := kraftPeer("b:9092")
	p.Rows = p.Rows[:3]
	full := string(versions(t, negotiate.Selection{}, p, failedPeer("b2:9092"), oddPeer("b3:9092")))
	for name, doc := range map[string]string{
		"a BOM":          "\xef\xbb\xbf" + full,
		"Windows' lines": strings.ReplaceAll(full, "\n", "\r\n"),
		"no line feed":   strings.TrimSpace(full),
		"later fields":   strings.ReplaceAll(full, "{", `{"later": {"a": [{"b": null}, 1e99]}, `),
		"sorted fields":  sorted(t, full),
	} {
		t.Run(name, func(t *testing.T) {
			if doc == full {
				t.Fatal("the same document")
			}
			d, err := snapshot.Read(strings.NewReader(strings.ReplaceAll(doc, `, }`, `}`)), "doc")
			if err != nil {
				t.Fatal(err)
			}
			if got := string(versions(t, negotiate.Selection{}, d.Peers...)); got != full {
				t.Error(firstDifference([]byte(got), []byte(full)))
			}
		})
	}
}

// sorted writes a document as jq -S does.
func sorted(t *testing.T, doc string) string {
	dec := json.NewDecoder(strings.NewReader(doc))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestSmallest(t *testing.T) {
	d, err := snapshot.Read(strings.NewReader(small), "doc")
	if err != nil {
		t.Fatal(err)
	}
	p := d.Peers[0]
	if p.Target != "b:9092" || p.Source != "doc" || p.Listener != "broker" || p.Mode != "" || p.Features != nil ||
		len(p.Rows) != 1 || p.Rows[0] != (negotiate.Row{Key: 3, Range: range16(0, 13), Times: 1}) {
		t.Errorf("got %+v", p)
	}
}

// Rows need not be in order, nor merged: a document may have been edited.
func TestRowsAreTidied(t *testing.T) {
	doc := with(later, later+`, {"apiKey": 1, "minVersion": 0, "maxVersion": 4}, `+later)
	d, err := snapshot.Read(strings.NewReader(doc), "doc")
	if err != nil {
		t.Fatal(err)
	}
	if rows := d.Peers[0].Rows; len(rows) != 2 || rows[0].Key != 1 || rows[1].Times != 2 {
		t.Errorf("got %+v", rows)
	}
}

func TestTooLarge(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(small), blanks{})
	_, err := snapshot.Read(endless, "big.json")
	if want := `reading snapshot "big.json": larger than 64 MiB, which no snapshot is` + tryWrite; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = snapshot.Read(io.LimitReader(blanks{}, snapshot.MaxSize), "blank.json")
	if want := `reading snapshot "blank.json": empty` + tryWrite; err == nil || err.Error() != want {
		t.Errorf("just small enough: got %v, want %s", err, want)
	}
}

// blanks never ends.
type blanks struct{}

func (blanks) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

func TestReaderFails(t *testing.T) {
	broken := errors.New("the disk is gone")
	_, err := snapshot.Read(io.MultiReader(strings.NewReader("{"), iotest.ErrReader(broken)), "x")
	var e *snapshot.Error
	if !errors.Is(err, broken) || !errors.As(err, &e) || !strings.Contains(err.Error(), broken.Error()) {
		t.Errorf("got %v", err)
	}
}

// Every way to cut a document short is noticed.
func TestCutAnywhere(t *testing.T) {
	doc := versions(t, negotiate.Selection{APIs: []int16{0, 1}}, kraftPeer("b:9092"), failedPeer("b2:9092"))
	for n := range len(doc) - 1 { // the last byte is a line feed
		if _, err := snapshot.Read(bytes.NewReader(doc[:n]), "x"); err == nil {
			t.Fatalf("read %d of %d bytes", n, len(doc))
		}
	}
}

// What begins like no document is not read to its end: a device, a disk image.
func TestGlance(t *testing.T) {
	for _, start := range []string{"\x00", "PK\x03\x04", "  \x7fELF", "\xef\xbb\xbf<html>"} {
		endless := io.MultiReader(strings.NewReader(start+strings.Repeat("\x00", 1<<10)), iotest.ErrReader(errors.New("read on")))
		if _, err := snapshot.Read(endless, "disk.img"); err == nil || strings.Contains(err.Error(), "read on") {
			t.Errorf("%q: %v", start, err)
		}
	}
	late := strings.Repeat(" ", 1<<10) + small
	if d, err := snapshot.Read(strings.NewReader(late), "doc"); err != nil || len(d.Peers) != 1 {
		t.Errorf("blanks first: %v", err)
	}
}
