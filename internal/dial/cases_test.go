package dial

import (
	"bytes"
	"context"
	"crypto/tls"
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

// A tool took the first bytes of a TLS alert for a length of 336 MB.
func TestB53(t *testing.T) {
	for _, alert := range []string{"15030300020250", "15030100020246", "1503030002"} {
		peer := kafkatest.Script(t, steps{kafkatest.Read(), kafkatest.Send(alert)})
		if p := ask(t, peer.Addr, patient); show(p) != "apiversions wants-tls" || !strings.Contains(p.Failure.Hint, "SSL://") {
			t.Errorf("%s: %+v", alert, p.Failure)
		}
	}
}

// TLS spoken to a plaintext listener ends before it began, and the broker's log
// shows a receive of 369 million bytes.
func TestB56(t *testing.T) {
	peer := kafkatest.Script(t, steps{kafkatest.Send("")}, steps{})
	p := ask(t, "SSL://"+peer.Addr, patient)
	if show(p) != "tls tls-closed" || !strings.Contains(p.Failure.Hint, "plaintext") || !strings.Contains(p.Failure.Hint, "369295616") {
		t.Errorf("%s: %+v", show(p), p.Failure)
	}
	if peer.Connections() != 1 {
		t.Errorf("%d connections, want one", peer.Connections())
	}
	peer = kafkatest.Script(t, steps{kafkatest.Say("HTTP/1.1 400 Bad Request\r\n\r\n")})
	if p := ask(t, "SSL://"+peer.Addr, patient); show(p) != "tls is-plaintext" {
		t.Errorf("%s: %+v", show(p), p.Failure)
	}
}

// tlsPeer is a TLS listener with a certificate for names.
func tlsPeer(t *testing.T, cfg *tls.Config, scripts ...steps) *kafkatest.Scripted {
	return kafkatest.ScriptOver(t, func(c net.Conn) net.Conn { return tls.Server(c, cfg) }, scripts...)
}

func yesterday() time.Time { return time.Now().Add(-24 * time.Hour) }
func tomorrow() time.Time  { return time.Now().Add(24 * time.Hour) }

// A server that wants a client certificate says so only when the first answer
// is read, under TLS 1.3, and was taken for one that does not know a version.
func TestB58(t *testing.T) {
	cert, pool := kafkatest.Certificate(t, yesterday(), tomorrow(), "127.0.0.1")
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		cfg := &tls.Config{Certificates: []tls.Certificate{cert}, ClientAuth: tls.RequireAnyClientCert, MinVersion: version, MaxVersion: version}
		peer := tlsPeer(t, cfg, steps{kafkatest.Read()})
		a, _ := ParseAddress("SSL://" + peer.Addr)
		p := Config{Timeout: patient, TLS: &tls.Config{RootCAs: pool}}.Ask(context.Background(), a)
		if show(p) != "tls client-certificate-required" || peer.Connections() != 1 {
			t.Errorf("%s: %s after %d connections, %+v", tls.VersionName(version), show(p), peer.Connections(), p.Failure)
		}
	}
}

// A certificate for another name left the choice between full verification and
// none, without a word on the names it has.
func TestB60(t *testing.T) {
	cert, pool := kafkatest.Certificate(t, yesterday(), tomorrow(), "b.test")
	serve := &tls.Config{Certificates: []tls.Certificate{cert}}
	peer := tlsPeer(t, serve, steps{kafkatest.Read()}, steps{kafkatest.Answer(ok4f)})
	a, _ := ParseAddress("SSL://" + peer.Addr)
	p := Config{Timeout: patient, TLS: &tls.Config{RootCAs: pool}}.Ask(context.Background(), a)
	if show(p) != "tls certificate-name-mismatch" || !strings.Contains(p.Failure.Message, "b.test") {
		t.Errorf("%+v", p.Failure)
	}
	p = Config{Timeout: patient, TLS: &tls.Config{RootCAs: pool, ServerName: "b.test"}}.Ask(context.Background(), a)
	if show(p) != rows4 {
		t.Errorf("with the server's name: %+v", p.Failure)
	}
}

// TestCertificates: what is wrong with a certificate is told apart.
func TestCertificates(t *testing.T) {
	for _, tt := range []struct {
		name     string
		from, to time.Time
		trusted  bool
		want     string
	}{
		{"untrusted", yesterday(), tomorrow(), false, "tls certificate-untrusted"},
		{"expired", yesterday().Add(-time.Hour), yesterday(), true, "tls certificate-expired"},
		{"not yet valid", tomorrow(), tomorrow().Add(time.Hour), true, "tls certificate-not-yet-valid"},
		{"good", yesterday(), tomorrow(), true, rows4},
	} {
		cert, pool := kafkatest.Certificate(t, tt.from, tt.to, "127.0.0.1")
		peer := tlsPeer(t, &tls.Config{Certificates: []tls.Certificate{cert}}, steps{kafkatest.Answer(ok4f)})
		cfg := Config{Timeout: patient}
		if tt.trusted {
			cfg.TLS = &tls.Config{RootCAs: pool}
		}
		a, _ := ParseAddress("SASL_SSL://" + peer.Addr)
		p := cfg.Ask(context.Background(), a)
		if show(p) != tt.want || peer.Connections() != 1 {
			t.Errorf("%s: %s, want %s; %+v", tt.name, show(p), tt.want, p.Failure)
		}
	}
}

// A plaintext request to a TLS listener ends without a byte, in one of three
// ways; all of them have to think of TLS.
func TestPlaintextToTLS(t *testing.T) {
	cert, _ := kafkatest.Certificate(t, yesterday(), tomorrow(), "127.0.0.1")
	peer := tlsPeer(t, &tls.Config{Certificates: []tls.Certificate{cert}}, steps{kafkatest.Read()}, steps{kafkatest.Read()}, steps{kafkatest.Read()})
	p := ask(t, peer.Addr, patient)
	if p.Failure == nil || !strings.Contains(p.Failure.Hint, "SSL://") {
		t.Errorf("%s: %+v", show(p), p.Failure)
	}
}

// One dead address of three made a client fail a third of the time.
func TestB67(t *testing.T) {
	peer := kafkatest.Script(t, steps{kafkatest.Answer(ok4f)})
	_, port, _ := net.SplitHostPort(peer.Addr)
	a, err := ParseAddress("kafka.test:" + port)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Timeout: patient, Resolver: kafkatest.Resolver(t, "127.0.0.2", "127.0.0.3", "127.0.0.1")}
	p := cfg.Ask(context.Background(), a)
	if show(p) != rows4 || p.Address != peer.Addr || p.Target != "kafka.test:"+port {
		t.Errorf("%s from %s as %s, %+v", show(p), p.Address, p.Target, p.Failure)
	}
	cfg.Resolver = kafkatest.Resolver(t, "127.0.0.2", "127.0.0.3")
	p = cfg.Ask(context.Background(), a)
	if show(p) != "connect refused" || !strings.Contains(p.Failure.Message, "127.0.0.2:") || !strings.Contains(p.Failure.Message, "127.0.0.3:") {
		t.Errorf("both are dead: %+v", p.Failure)
	}
	cfg.Resolver = kafkatest.Resolver(t)
	if p := cfg.Ask(context.Background(), a); show(p) != "resolve name-not-found" {
		t.Errorf("no address: %+v", p.Failure)
	}
}

// A redial goes to the address that answered, not to another one behind the
// name.
func TestRedialSameAddress(t *testing.T) {
	peer := kafkatest.Script(t, steps{kafkatest.Read()}, steps{kafkatest.Read()}, steps{kafkatest.Answer(ok0)})
	_, port, _ := net.SplitHostPort(peer.Addr)
	other, err := net.Listen("tcp", "127.0.0.2:"+port)
	if err != nil {
		t.Skipf("no second address on loopback here: %v", err)
	}
	go func() {
		for {
			conn, err := other.Accept()
			if err != nil {
				return
			}
			t.Error("another address was dialled")
			_ = conn.Close()
		}
	}()
	a, _ := ParseAddress("kafka.test:" + port)
	p := Config{Timeout: patient, Resolver: kafkatest.Resolver(t, "127.0.0.1", "127.0.0.2")}.Ask(context.Background(), a)
	_ = other.Close()
	if show(p) != rows0 || p.Address != peer.Addr {
		t.Errorf("%s from %s", show(p), p.Address)
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

// A peer that accepts and then says nothing, or next to nothing, blocked a
// client for hours.
func TestB70(t *testing.T) {
	for name, script := range map[string]steps{
		"never reads": {kafkatest.Stall()},
		"trickles":    {kafkatest.Read(), kafkatest.Trickle("00000064"+strings.Repeat("00", 1000), 20*time.Millisecond)},
		"stops":       {kafkatest.Read(), kafkatest.Send("00000064" + strings.Repeat("00", 50)), kafkatest.Stall()},
	} {
		start := time.Now()
		p := ask(t, kafkatest.Script(t, script).Addr, hasty)
		if took := time.Since(start); p.Failure == nil || !strings.HasPrefix(p.Failure.Code, "timeout") || took > hasty+5*time.Second {
			t.Errorf("%s: %s after %s", name, show(p), took)
		}
	}
}

// A tool asked broker after broker and gave up at the first that failed. All
// are asked side by side, and each has its place in the answer.
func TestB73(t *testing.T) {
	const n = 8
	var addrs []Address
	var want []string
	for i := range n {
		script, show := steps{kafkatest.Answer(ok4f)}, rows4
		if i%2 == 1 {
			script, show = steps{kafkatest.Read(), kafkatest.Stall()}, "apiversions timeout"
		}
		a, _ := ParseAddress(kafkatest.Script(t, script).Addr)
		addrs, want = append(addrs, a), append(want, show)
	}
	start := time.Now()
	peers := Config{Timeout: time.Second}.AskAll(context.Background(), addrs, n)
	if took := time.Since(start); took > 3*time.Second { // one after the other takes 4
		t.Errorf("it took %s", took)
	}
	for i, p := range peers {
		if show(p) != want[i] || p.Target != addrs[i].String() {
			t.Errorf("%d: %s of %s, want %s of %s", i, show(p), p.Target, want[i], addrs[i])
		}
	}
}

// An interrupted run ends at once and keeps what it has read.
func TestB75(t *testing.T) {
	read := make(chan struct{})
	quick := kafkatest.Script(t, steps{kafkatest.Answer(ok4f)})
	silent := kafkatest.Script(t, append(steps{kafkatest.Read(), kafkatest.Then(func() { close(read) })}, kafkatest.Stall()))
	a, _ := ParseAddress(quick.Addr)
	b, _ := ParseAddress(silent.Addr)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-read
		cancel()
	}()
	start := time.Now()
	peers := Config{Timeout: time.Minute}.AskAll(ctx, []Address{a, b, b}, 1)
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %s", took)
	}
	if show(peers[0]) != rows4 || peers[1].Failure.Code != CodeInterrupted || peers[2].Failure.Code != CodeInterrupted {
		t.Errorf("%s, %s, %s", show(peers[0]), show(peers[1]), show(peers[2]))
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
