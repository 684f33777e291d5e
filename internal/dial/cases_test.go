package dial

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/kver-cli/kver/internal/kafkatest"
	"github.com/kver-cli/kver/internal/negotiate"
)

// A broker of 2.4 to 3.8 refuses v4 with one row, its range for ApiVersions; a
// client took that row for the whole table.
func TestB1(t *testing.T) {
	peer := kafkatest.Script(t, steps{kafkatest.Answer(refuse18), kafkatest.Answer(ok3)})
	if got := show(ask(t, peer.Addr, patient)); got != rows3 || peer.Connections() != 1 {
		t.Errorf("%s on %d connections, want %s on one", got, peer.Connections(), rows3)
	}

	// Closed after the refusal: the hinted version is asked on a new connection.
	peer = kafkatest.Script(t, steps{kafkatest.Answer(refuse18)}, steps{kafkatest.Answer(ok3)})
	p := ask(t, peer.Addr, patient)
	if got := show(p); got != rows3 || peer.Connections() != 2 {
		t.Errorf("%s on %d connections, want %s on two; %+v", got, peer.Connections(), rows3, p.Failure)
	}
	if v := peer.Versions(); v[len(v)-1] != 3 {
		t.Errorf("asked %v, want v3 at last", v)
	}
}

// A service resets the connection on v4, so that an upgrade of the client
// library broke all its users.
func TestB3(t *testing.T) {
	for name, end := range map[string]steps{
		"reset":  {kafkatest.Read(), kafkatest.Reset()},
		"closed": {kafkatest.Read()},
	} {
		peer := kafkatest.Script(t, end, steps{kafkatest.Answer(ok3)})
		p := ask(t, peer.Addr, patient)
		if got := show(p); got != rows3 {
			t.Errorf("%s: %s, want %s; %+v", name, got, rows3, p.Failure)
		}
		if want := (negotiate.Refusal{Version: 4, Reason: negotiate.Reason(name)}); !slices.Equal(p.Handshake.Refused, []negotiate.Refusal{want}) {
			t.Errorf("%s: refused %v, want %v", name, p.Handshake.Refused, want)
		}
	}
}

// A broker that kept refusing while it hinted at a version not below the one
// just tried sent a client round and round.
func TestB5(t *testing.T) {
	always := func(frame string) steps {
		return slices.Repeat(steps{kafkatest.Answer(frame)}, firstVersion+2)
	}
	for name, frame := range map[string]string{
		"range 0-9":  "00000010 00000001 0023 00000001 0012 0000 0009",
		"range 0--3": "00000010 00000001 0023 00000001 0012 0000 fffd",
		"no range":   "0000000a 00000001 0023 00000000",
	} {
		peer := kafkatest.Script(t, always(frame))
		p := ask(t, peer.Addr, patient)
		if got := show(p); got != "apiversions refused-version" {
			t.Errorf("%s: %s", name, got)
		}
		versions := peer.Versions()
		if len(versions) > firstVersion+1 || !slices.IsSortedFunc(versions, func(a, b int16) int { return int(b) - int(a) }) ||
			len(slices.Compact(slices.Clone(versions))) != len(versions) {
			t.Errorf("%s: asked %v, want at most %d, each below the one before", name, versions, firstVersion+1)
		}
	}
}

// A broker older than 0.10 closes the connection or says nothing at all.
func TestB9(t *testing.T) {
	hangsUp := steps{kafkatest.Read()}
	p := ask(t, kafkatest.Script(t, hangsUp, hangsUp, hangsUp).Addr, patient)
	if show(p) != "apiversions no-apiversions" || !strings.Contains(p.Failure.Message, "no answer to ApiVersions at any version") {
		t.Errorf("%+v", p.Failure)
	}
	for _, guess := range []string{"perhaps", "older than 0.10", "no Kafka listener", "TLS"} {
		if !strings.Contains(p.Failure.Hint, guess) {
			t.Errorf("hint %q lacks %q", p.Failure.Hint, guess)
		}
	}
	if p := ask(t, kafkatest.Script(t, steps{kafkatest.Read(), kafkatest.Stall()}).Addr, hasty); show(p) != "apiversions timeout" {
		t.Errorf("%+v", p.Failure)
	}
}

// A development build's version made brokers refuse the handshake.
func TestB13(t *testing.T) {
	peer := kafkatest.Script(t, steps{kafkatest.Answer(ok4f)})
	a, _ := ParseAddress(peer.Addr)
	Config{Timeout: patient, ClientID: "kver", SoftwareName: "kver", SoftwareVersion: "1.2.3+dirty"}.Ask(context.Background(), a)
	raw := peer.Requests()[0].Raw
	// key, version, correlation id, client id, its tags; then two compact strings
	rest := raw[2+2+4+2+len("kver")+1:]
	name := string(rest[1:rest[0]])
	rest = rest[rest[0]:]
	version := string(rest[1:rest[0]])
	pattern := regexp.MustCompile(`^[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?$`)
	if name != "kver" || version != "1.2.3-dirty" || !pattern.MatchString(version) {
		t.Errorf("sent %q %q in %x", name, version, raw)
	}
}

// A client pinned a low version for the sake of old brokers, and never sent its
// name.
func TestB15(t *testing.T) {
	peer := kafkatest.Script(t, steps{kafkatest.Answer(ok4f)})
	p := ask(t, peer.Addr, patient)
	if got := peer.Versions(); !slices.Equal(got, []int16{firstVersion}) || *p.Handshake.Version != firstVersion || show(p) != rows4 {
		t.Errorf("asked %v, got %s at v%d", got, show(p), *p.Handshake.Version)
	}
}

// One message named the same two causes for a dozen kinds of early end.
func TestB16(t *testing.T) {
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody.Close()
	hangsUp, resets := steps{kafkatest.Read()}, steps{kafkatest.Read(), kafkatest.Reset()}
	seen := make(map[string]string)
	for name, addr := range map[string]string{
		"nobody listens":  nobody.Addr().String(),
		"closes":          kafkatest.Script(t, hangsUp, hangsUp, hangsUp).Addr,
		"resets":          kafkatest.Script(t, resets, resets, resets).Addr,
		"three bytes":     kafkatest.Script(t, steps{kafkatest.Read(), kafkatest.Send("000102")}).Addr,
		"nothing is said": kafkatest.Script(t, steps{kafkatest.Read(), kafkatest.Stall()}).Addr,
	} {
		f := ask(t, addr, 2*time.Second).Failure
		if f == nil || f.Stage == "" || f.Hint == "" || !strings.Contains(f.Message, addr) || f.Micros == 0 {
			t.Fatalf("%s: %+v", name, f)
		}
		message := strings.ReplaceAll(f.Message, addr, "")
		if other := seen[message]; other != "" {
			t.Errorf("%s and %s are told alike: %s", name, other, f.Message)
		}
		seen[message] = name
	}
}

// A service drops connections whose first request is not ApiVersions. The
// scripted peer fails the test over any other key; redials are held to it, too.
func TestB51(t *testing.T) {
	peer := kafkatest.Script(t, steps{kafkatest.Read()}, steps{kafkatest.Read()}, steps{kafkatest.Answer(ok0)})
	if p := ask(t, peer.Addr, patient); show(p) != rows0 {
		t.Errorf("%+v", p.Failure)
	}
}

// The ladder ends where the peer's own minimum or the third connection is.
func TestLadderEnds(t *testing.T) {
	refuse := func(r string) kafkatest.Step { return kafkatest.Answer("00000010 00000001 0023 00000001 0012" + r) }
	for _, tt := range []struct {
		name    string
		scripts []steps
		want    string
		asked   []int16
	}{
		{"never below the minimum that was named", []steps{{refuse("0002 0003"), kafkatest.Read()}, {kafkatest.Read()}, {kafkatest.Answer(ok1)}}, rows0, []int16{4, 3, 3, 2}},
		{"not a fourth connection", []steps{{kafkatest.Read()}, {refuse("0000 0002"), kafkatest.Read()}, {kafkatest.Read()}}, "apiversions closed", []int16{4, 3, 2, 2}},
		{"refused, then dropped at v0", []steps{{refuse("0000 0000"), kafkatest.Read()}, {kafkatest.Read()}}, "apiversions closed", []int16{4, 0, 0}},
		{"refused, then reset at v0", []steps{{refuse("0000 0000"), kafkatest.Read(), kafkatest.Reset()}, {kafkatest.Read(), kafkatest.Reset()}}, "apiversions reset", []int16{4, 0, 0}},
	} {
		peer := kafkatest.Script(t, tt.scripts...)
		p := ask(t, peer.Addr, patient)
		if got := show(p); got != tt.want {
			t.Errorf("%s: %s, want %s; %+v", tt.name, got, tt.want, p.Failure)
		}
		if got := peer.Versions(); !slices.Equal(got, tt.asked) || peer.Connections() != len(tt.scripts) {
			t.Errorf("%s: asked %v on %d connections, want %v on %d", tt.name, got, peer.Connections(), tt.asked, len(tt.scripts))
		}
	}
}

// 18 bytes that announce four billion tagged fields kept a decoder busy.
func TestB76(t *testing.T) {
	peer := kafkatest.Script(t, steps{kafkatest.Answer("00000012 00000001 0000 02 0012 0000 0003 ffffffff0f")})
	start := time.Now()
	p := ask(t, peer.Addr, patient)
	if took := time.Since(start); show(p) != "decode layout-mismatch" || took > 5*time.Second {
		t.Errorf("%s after %s", show(p), took)
	}
}

// Answers were matched to the wrong requests.
func TestB79(t *testing.T) {
	peer := kafkatest.Script(t, steps{kafkatest.Read(), kafkatest.Send(strings.Replace(ok3, "00000001", "MISMATCH", 1))})
	if p := ask(t, peer.Addr, patient); show(p) != "apiversions wrong-correlation-id" || len(p.Rows) > 0 {
		t.Errorf("%s", show(p))
	}
}

// The answer to ApiVersions has no tags in its header, from v3 on, where all
// others have; a decoder was off by one byte.
func TestB80(t *testing.T) {
	for _, frame := range []string{ok3, ok4f} {
		body, err := hex.DecodeString(strings.ReplaceAll(frame, " ", "")[16:])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decode(body, 3); err != nil {
			t.Errorf("%x: %v", body, err)
		}
		if _, err := decode(append([]byte{0}, body...), 3); err == nil {
			t.Errorf("%x decodes with a byte in front of it", body)
		}
		if !bytes.HasPrefix(body, []byte{0, 0}) {
			t.Fatalf("%x", body)
		}
	}
}

// Keys from 10000 upward are a vendor's. All are kept, each under its number.
func TestB29(t *testing.T) {
	body := fmt.Sprintf("0000 %08x", 13)
	for key := 10000; key < 10013; key++ {
		body += fmt.Sprintf("%04x 0000 0001", key)
	}
	body = strings.ReplaceAll(body, " ", "")
	peer := kafkatest.Script(t, steps{kafkatest.Answer(fmt.Sprintf("%08x 00000001 %s", 4+len(body)/2, body))})
	p := ask(t, peer.Addr, patient)
	if len(p.Rows) != 13 || p.Rows[0].Key != 10000 || p.Rows[12].Key != 10012 {
		t.Errorf("%s", show(p))
	}
}

// TestFake asks the in-process cluster that franz-go tests with.
func TestFake(t *testing.T) {
	c, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	p := ask(t, c.ListenAddrs()[0], patient)
	if r, ok := p.Usable(0); p.Failure != nil || !ok || r.Max < 11 || *p.Handshake.Version != firstVersion {
		t.Errorf("%s, %+v", show(p), p.Failure)
	}
}
