package dial

import (
	"context"
	"crypto/tls"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/kver-cli/kver/internal/kafkatest"
)

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
