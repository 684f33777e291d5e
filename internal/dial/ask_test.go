package dial

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/kver-cli/kver/internal/kafkatest"
	"github.com/kver-cli/kver/internal/negotiate"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patient is for peers that answer; hasty for those that never do.
const (
	patient = 20 * time.Second
	hasty   = 300 * time.Millisecond
)

func ask(t *testing.T, addr string, timeout time.Duration) *negotiate.Peer {
	t.Helper()
	a, err := ParseAddress(addr)
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Timeout: timeout, ClientID: "kver", SoftwareName: "kver", SoftwareVersion: "1.0.0"}
	return c.Ask(context.Background(), a)
}

// Frames: size, correlation id, body. Each vector says which version it
// answers.
const (
	ok0      = "0000001c 00000001 0000 00000003 0000 0000 0007 0003 0000 0008 0012 0000 0002"
	ok1      = "00000020 00000001 0000 00000003 0000 0000 0007 0003 0000 0008 0012 0000 0002 00000000"
	ok3      = "00000021 00000001 0000 04 0000 0000 000b 00 0003 0000 000c 00 0012 0000 0003 00 00000000 00"
	ok4f     = "00000070 00000001 0000 04 0000 0000 000d 00 0003 0000 000d 00 0012 0000 0004 00 00000000 03 00 2a 03 11 6d657461646174612e76657273696f6e 0007 001b 00 0e 73686172652e76657273696f6e 0000 0001 00 01 08 0000000000000027 02 17 02 11 6d657461646174612e76657273696f6e 0015 0015 00"
	refuse18 = "00000010 00000001 0023 00000001 0012 0000 0003"

	rows0 = "0:0-7 3:0-8 18:0-2"
	rows3 = "0:0-11 3:0-12 18:0-3"
	rows4 = "0:0-13 3:0-13 18:0-4"
)

// show writes the rows of a peer, or its failure.
func show(p *negotiate.Peer) string {
	if p.Failure != nil {
		return p.Failure.Stage + " " + p.Failure.Code
	}
	rows := make([]string, len(p.Rows))
	for i, r := range p.Rows {
		rows[i] = fmt.Sprintf("%d:%s", r.Key, r.Range)
		if r.Times > 1 {
			rows[i] += fmt.Sprintf("x%d", r.Times)
		}
	}
	return strings.Join(rows, " ")
}

// vector is an answer, or several, and what has to come of it.
type vector struct {
	name     string
	first    string   // to v4
	then     []string // to what is asked next, on the same connection
	want     string   // rows, or stage and code of the failure
	versions []int16  // asked, in order
	layout   int16    // of the table; -1 where there is none
	saw      string   // in the failure's message, or in its hint
}

// TestVectors are answers of every shape that brokers, proxies and mischief
// send. Where a vector was made for a request at v5 or v3, it is sent to v4,
// whose layout is the same.
func TestVectors(t *testing.T) {
	for _, v := range []vector{
		{"R1 refused without rows", "0000000a 00000001 0023 00000000", []string{ok0}, rows0, []int16{4, 0}, 0, ""},
		{"R2 refused with 0-3", "00000010 00000001 0023 00000001 0012 0000 0003", []string{ok3}, rows3, []int16{4, 3}, 3, ""},
		{"R3 refused with 2-3", "00000010 00000001 0023 00000001 0012 0002 0003", []string{ok3}, rows3, []int16{4, 3}, 3, ""},
		{"R3 refused twice, not below 2", "00000010 00000001 0023 00000001 0012 0002 0003",
			[]string{"00000010 00000001 0023 00000001 0012 0002 0003", "00000010 00000001 0023 00000001 0012 0002 0003"},
			"apiversions no-common-version", []int16{4, 3, 2}, -1, "2-3"},
		{"R4 refused with the whole table", "0000001c 00000001 0023 00000003 0000 0000 0007 0012 0000 0003 0001 0004 000b", []string{ok3}, rows3, []int16{4, 3}, 3, ""},
		{"R4 and then nothing", "0000001c 00000001 0023 00000003 0000 0000 0007 0012 0000 0003 0001 0004 000b", nil, "0:0-7 1:4-11 18:0-3", []int16{4, 3}, 0, ""},
		{"R5 a hint not below what was sent", "00000010 00000001 0023 00000001 0012 0000 0005", []string{ok3}, rows3, []int16{4, 3}, 3, ""},
		{"R6 refused with rows, none for 18", "00000010 00000001 0023 00000001 0003 0000 000b", []string{ok0}, rows0, []int16{4, 0}, 0, ""},
		{"R6 and then nothing", "00000010 00000001 0023 00000001 0003 0000 000b", nil, "3:0-11", []int16{4, 0}, 0, ""},
		{"R7 no version in common", "00000010 00000001 0023 00000001 0012 0006 0007", nil, "apiversions no-common-version", []int16{4}, -1, "6-7"},
		{"R8 INVALID_REQUEST", "0000000c 00000001 002a 01 00000000 00", nil, "apiversions broker-error", []int16{4}, -1, "INVALID_REQUEST (42)"},
		{"R9 REBOOTSTRAP_REQUIRED", "0000000c 00000001 0081 01 00000000 00", nil, "apiversions broker-error", []int16{4}, -1, "REBOOTSTRAP_REQUIRED (129)"},
		{"R10 features", "00000085 00000001 00000700000000000d00000100040012000012000000040000160000000600271000000000007fff00000000000000000003002a03116d657461646174612e76657273696f6e0007001b000e73686172652e76657273696f6e000000010001080000000000000042021702116d657461646174612e76657273696f6e0015001500", nil,
			"0:0-13 1:4-18 18:0-4 22:0-6 10000:0-0 32767:0-0", []int16{4}, 4, ""},
		{"R11 features at v3", refuse18, []string{"00000072 00000001 00000700000000000d00000100040012000012000000040000160000000600271000000000007fff00000000000000000003001702116d657461646174612e76657273696f6e0007001b0001080000000000000042021702116d657461646174612e76657273696f6e0015001500"},
			"0:0-13 1:4-18 18:0-4 22:0-6 10000:0-0 32767:0-0", []int16{4, 3}, 3, ""},
		{"R12 an unknown response tag", "00000018 00000001 0000 02 0000 0000 0009 00 00000000 01 8f4e 02 abcd", nil, "0:0-9", []int16{4}, 4, ""},
		{"R13 an unknown row tag", "00000016 00000001 0000 02 0000 0000 0009 01 05 01 aa 00000000 00", nil, "0:0-9", []int16{4}, 4, ""},
		{"R14 one key twice", "00000016 00000001 0000 00000002 0000 0000 0009 0000 0003 000b", nil, "0:0-9 0:3-11", []int16{4}, 0, ""},
		{"R15 minimum above maximum", "00000010 00000001 0000 00000001 0001 0009 0003", nil, "1:9-3", []int16{4}, 0, ""},
		{"R16 a negative maximum", "00000010 00000001 0000 00000001 0001 0000 ffff", nil, "1:0..-1", []int16{4}, 0, ""},
		{"R17 a negative key", "00000010 00000001 0000 00000001 fffe 0000 0001", nil, "-2:0-1", []int16{4}, 0, ""},
		{"R18 no rows in v0", "0000000a 00000001 0000 00000000", nil, "decode empty-table", []int16{4}, -1, "no API key"},
		{"R19 bytes left over", "00000014 00000001 0000 00000001 0000 0000 0009 deadbeef", nil, "decode layout-mismatch", []int16{4}, -1, "deadbeef"},
		{"R20 v0 in an answer to v4", "0000001c 00000001 0000 00000003 0000 0000 0009 0001 0000 000c 0012 0000 0003", nil, "0:0-9 1:0-12 18:0-3", []int16{4}, 0, ""},
		{"R21 a tag byte in the header", "00000014 00000001 00 0000 02 0000 0000 0009 00 00000000 00", nil, "decode layout-mismatch", []int16{4}, -1, ""},
		{"R22 no rows", "0000000c 00000001 0000 01 00000000 00", nil, "decode empty-table", []int16{4}, -1, ""},
		{"R23 throttled", "00000013 00000001 0000 02 0000 0000 0009 00 00001388 00", nil, "0:0-9", []int16{4}, 4, ""},
		{"R24 code 291", "0000000a 00000001 0123 00000000", nil, "apiversions broker-error", []int16{4}, -1, "Unknown(291)"},
		{"R25 explicit defaults", "00000023 00000001 0000 02 0000 0000 0009 00 00000000 03 00 01 01 01 08 ffffffffffffffff 02 01 01", nil, "0:0-9", []int16{4}, 4, ""},
		{"R26 ILLEGAL_SASL_STATE", "0000000c 00000001 0022 01 00000000 00", nil, "apiversions broker-error", []int16{4}, -1, "ILLEGAL_SASL_STATE (34)"},
		{"R27 ready to migrate", "00000016 00000001 0000 02 0000 0000 0009 00 00000000 01 03 01 01", nil, "0:0-9", []int16{4}, 4, ""},
		{"refused with a body of no layout", "00000008 00000001 0023 ffff", []string{ok0}, rows0, []int16{4, 0}, 0, ""},
		{"refused in the layout of v4", "00000013 00000001 0023 02 0012 0000 0003 00 00000000 00", []string{ok3}, rows3, []int16{4, 3}, 3, ""},
		{"refused down to v0, with a table", "0000000a 00000001 0023 00000000", []string{"0000001c 00000001 0023 00000003 0000 0000 0007 0012 0000 0003 0001 0004 000b"},
			"apiversions refused-version", []int16{4, 0}, -1, ""},
		{"refused down to v0", "0000000a 00000001 0023 00000000", []string{"0000000a 00000001 0023 00000000"}, "apiversions refused-version", []int16{4, 0}, -1, ""},
		{"one key twice alike", "00000016 00000001 0000 00000002 0000 0000 0009 0000 0000 0009", nil, "0:0-9x2", []int16{4}, 0, ""},
	} {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			v.check(t)
		})
	}
}

func (v vector) check(t *testing.T) {
	script := []kafkatest.Step{kafkatest.Answer(v.first)}
	for _, frame := range v.then {
		script = append(script, kafkatest.Answer(frame))
	}
	if len(v.versions) > 1+len(v.then) { // asked once more, and hung up on
		script = append(script, kafkatest.Read())
	}
	peer := kafkatest.Script(t, script)
	p := ask(t, peer.Addr, patient)
	if got := show(p); got != v.want {
		t.Errorf("got %s, want %s; %+v", got, v.want, p.Failure)
	}
	if got := peer.Versions(); !slices.Equal(got, v.versions) {
		t.Errorf("asked %v, want %v", got, v.versions)
	}
	if got := p.Handshake; got.Requests != len(v.versions) || got.Connections != 1 {
		t.Errorf("%d requests on %d connections, want %d on 1", got.Requests, got.Connections, len(v.versions))
	}
	switch layout := p.Handshake.Layout; {
	case v.layout < 0 && layout != nil, v.layout >= 0 && (layout == nil || *layout != v.layout):
		t.Errorf("layout %v, want %d", layout, v.layout)
	}
	if p.Failure != nil {
		if text := p.Failure.Message + p.Failure.Hint; !strings.Contains(text, v.saw) || p.Failure.Hint == "" || !strings.Contains(text, peer.Addr) {
			t.Errorf("%q does not say %q, where, and what to try", text, v.saw)
		}
	}
}

// TestVectorFacts is what the vectors carry beside rows.
func TestVectorFacts(t *testing.T) {
	given := func(frame string) *negotiate.Peer {
		return ask(t, kafkatest.Script(t, []kafkatest.Step{kafkatest.Answer(frame)}).Addr, patient)
	}
	p := given("00000085 00000001 00000700000000000d00000100040012000012000000040000160000000600271000000000007fff00000000000000000003002a03116d657461646174612e76657273696f6e0007001b000e73686172652e76657273696f6e000000010001080000000000000042021702116d657461646174612e76657273696f6e0015001500")
	if len(p.Features) != 2 || p.FinalizedEpoch == nil || *p.FinalizedEpoch != 66 {
		t.Fatalf("R10: features %+v, epoch %v", p.Features, p.FinalizedEpoch)
	}
	if f := p.Features[0]; f.Name != "metadata.version" || *f.Supported != (negotiate.Range{Min: 7, Max: 27}) || *f.Finalized != 21 {
		t.Errorf("R10: %+v", f)
	}
	if f := p.Features[1]; f.Name != "share.version" || *f.Finalized != 0 {
		t.Errorf("R10: %+v, and a feature that is not finalized is at level 0", f)
	}
	if p := given("00000018 00000001 0000 02 0000 0000 0009 00 00000000 01 8f4e 02 abcd"); !slices.Equal(p.UnknownTags, []uint32{9999}) {
		t.Errorf("R12: tags %v", p.UnknownTags)
	}
	if p := given("00000013 00000001 0000 02 0000 0000 0009 00 00001388 00"); p.Handshake.ThrottleMillis != 5000 {
		t.Errorf("R23: throttled for %d ms", p.Handshake.ThrottleMillis)
	}
	if p := given("00000023 00000001 0000 02 0000 0000 0009 00 00000000 03 00 01 01 01 08 ffffffffffffffff 02 01 01"); p.FinalizedEpoch != nil || p.Features == nil || len(p.Features) != 0 {
		t.Errorf("R25: epoch %v, features %v", p.FinalizedEpoch, p.Features)
	}
	if p := given("00000016 00000001 0000 02 0000 0000 0009 00 00000000 01 03 01 01"); !p.ZkMigrationReady {
		t.Error("R27: not ready to migrate")
	}
	if p := given("00000010 00000001 0000 00000001 0001 0009 0003"); p.Features != nil {
		t.Errorf("an answer in v0 has no room for features: %v", p.Features)
	}
}
