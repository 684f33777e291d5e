package dial

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/kver-cli/kver/internal/negotiate"
)

// startTLS speaks TLS on the connection just made.
func (s *session) startTLS(ctx context.Context) error {
	cfg := s.cfg.TLS.Clone()
	if cfg == nil {
		cfg = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	if cfg.ServerName == "" {
		cfg.ServerName, _, _ = strings.Cut(strings.TrimSuffix(s.addr.Host, "."), "%")
	}
	if cfg.GetClientCertificate == nil && len(cfg.Certificates) == 0 {
		cfg.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			s.certificateWanted = true
			return new(tls.Certificate), nil
		}
	}
	conn := tls.Client(s.conn, cfg)
	if err := conn.HandshakeContext(ctx); err != nil {
		return s.tlsFailure(err)
	}
	s.conn = conn
	return nil
}

func (s *session) tlsFailure(err error) *negotiate.Failure {
	fail := func(code, saw, hint string) *negotiate.Failure {
		return failure(StageTLS, code, fmt.Sprintf("TLS handshake with %s: %s", s.remote, saw), hint)
	}
	var record tls.RecordHeaderError
	var cert *tls.CertificateVerificationError
	switch {
	case errors.As(err, &record):
		return fail(CodeNotTLS, fmt.Sprintf("the answer is not TLS, it begins with %x", record.RecordHeader),
			"this listener looks plaintext; try it without SSL://")
	case errors.As(err, &cert):
		return s.certificateFailure(cert)
	case isAlert(err):
		return s.alertFailure(err)
	case dropped(err) != "":
		return fail(CodeTLSClosed, fmt.Sprintf("the connection was %s before the peer spoke TLS", dropped(err)),
			"is this a plaintext listener? its log then shows an invalid receive of 369295616 bytes or a little more")
	case isTimeout(err):
		return fail(CodeTLSTimeout, "no end "+within(s.cfg.Timeout),
			"perhaps this is a plaintext listener of another protocol, which waits for more")
	}
	return fail(CodeTLSFailed, cause(err), "check the TLS versions and ciphers of the listener")
}

func (s *session) certificateFailure(err *tls.CertificateVerificationError) *negotiate.Failure {
	fail := func(code, saw, hint string) *negotiate.Failure {
		return failure(StageTLS, code, fmt.Sprintf("verifying the certificate of %s: %s", s.remote, saw), hint)
	}
	leaf := err.UnverifiedCertificates[0]
	var name x509.HostnameError
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &name):
		return fail(CodeNameMismatch, fmt.Sprintf("it is for %s, not for %s", namesOf(leaf), name.Host),
			"use one of the names the certificate has")
	case errors.As(err, &unknown):
		return fail(CodeUntrusted, fmt.Sprintf("it was issued by %q, which is not trusted here", leaf.Issuer),
			"trust its CA; SSL_CERT_FILE names a file with further CAs on Unix")
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && time.Now().Before(leaf.NotBefore):
		return fail(CodeNotYetValid, "it is valid from "+day(leaf.NotBefore), "check the clocks on both sides")
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fail(CodeExpired, "it expired on "+day(leaf.NotAfter), "renew the broker's certificate, or check the clock here")
	}
	return fail(CodeUntrusted, cause(err.Err), "look at the broker's certificate")
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// namesOf lists what a certificate may be used for.
func namesOf(c *x509.Certificate) string {
	names := append([]string(nil), c.DNSNames...)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 {
		return "no name at all"
	}
	return strings.Join(names, ", ")
}

// Alerts by which a server says that it wants a certificate from the client.
// TLS 1.3 has one for it; before, servers send what they please.
const alertCertificateRequired = tls.AlertError(116)

// isAlert reports whether err is a TLS alert that the peer sent. Go gives it
// no type of its own, but marks the operation.
func isAlert(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "remote error"
}

// alertFailure is an alert from the peer. Under TLS 1.3 the refusal of a
// client without a certificate arrives only with the first read, after a
// handshake and a write that looked well.
func (s *session) alertFailure(err error) *negotiate.Failure {
	saw := fmt.Sprintf("TLS with %s: the peer sent the alert %q", s.remote, cause(err))
	if s.certificateWanted || cause(err) == alertCertificateRequired.Error() {
		return failure(StageTLS, CodeClientCertificate, saw,
			"this listener wants a client certificate before it tells its versions")
	}
	return failure(StageTLS, CodeTLSFailed, saw, "look at the TLS settings and the log of the broker")
}
