package dial

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"time"

	"github.com/kver-cli/kver/internal/negotiate"
)

// The stages at which reading a table can fail.
const (
	StageResolve     = "resolve"     // the name
	StageConnect     = "connect"     // the TCP connection
	StageTLS         = "tls"         // the TLS handshake, or an alert after it
	StageAPIVersions = "apiversions" // the request and the frame of its answer
	StageDecode      = "decode"      // the body of the answer
)

// The codes of failures. They are stable: programs may match them.
const (
	CodeNameNotFound   = "name-not-found"
	CodeResolveTimeout = "resolve-timeout"
	CodeResolveFailed  = "resolve-failed"

	CodeRefused        = "refused"
	CodeConnectTimeout = "connect-timeout"
	CodeUnreachable    = "unreachable"
	CodeTooManyFiles   = "too-many-open-files"
	CodeConnectFailed  = "connect-failed"

	CodeNotTLS            = "is-plaintext"
	CodeTLSTimeout        = "tls-timeout"
	CodeTLSClosed         = "tls-closed"
	CodeUntrusted         = "certificate-untrusted"
	CodeNameMismatch      = "certificate-name-mismatch"
	CodeExpired           = "certificate-expired"
	CodeNotYetValid       = "certificate-not-yet-valid"
	CodeClientCertificate = "client-certificate-required"
	CodeTLSFailed         = "tls-failed"

	CodeTimeout         = "timeout"           // no byte of an answer
	CodeTimeoutMidFrame = "timeout-mid-frame" // some bytes of it
	CodeClosed          = "closed"            // before the first byte
	CodeClosedMidFrame  = "closed-mid-frame"
	CodeReset           = "reset" // before the first byte
	CodeResetMidFrame   = "reset-mid-frame"
	CodeNoAPIVersions   = "no-apiversions" // dropped at every version: 0.8 does that
	CodeReadFailed      = "read-failed"
	CodeWantsTLS        = "wants-tls"
	CodeHTTP            = "is-http"
	CodeSSH             = "is-ssh"
	CodeOtherProtocol   = "other-protocol"
	CodeFrameTooLarge   = "frame-too-large"
	CodeFrameTooSmall   = "frame-too-small"
	CodeCorrelation     = "wrong-correlation-id"
	CodeRefusedVersion  = "refused-version"
	CodeNoCommonVersion = "no-common-version"
	CodeBrokerError     = "broker-error"

	CodeLayout     = "layout-mismatch"
	CodeEmptyTable = "empty-table"

	CodeInterrupted = "interrupted"
)

func failure(stage, code, message, hint string) *negotiate.Failure {
	return &negotiate.Failure{Stage: stage, Code: code, Message: message, Hint: hint}
}

// droppedError is a connection that the peer closed or reset before the first
// byte of an answer. It alone makes kver ask again at a lower version.
type droppedError struct {
	reason negotiate.Reason
}

func (e *droppedError) Error() string { return string(e.reason) }

// Numbers of Windows Sockets, which differ from the ones that package syscall
// gives the same names on Windows. No other system uses them.
const (
	wsaConnAborted  = syscall.Errno(10053)
	wsaTooManyFiles = syscall.Errno(10024)
	wsaConnReset    = syscall.Errno(10054)
	wsaNetUnreach   = syscall.Errno(10051)
	wsaHostUnreach  = syscall.Errno(10065)
	wsaConnRefused  = syscall.Errno(10061)
)

// dropped says how a peer ended a connection, or "" where err is something
// else. Errors are told apart by identity over both families of numbers, never
// by their text.
func dropped(err error) negotiate.Reason {
	switch {
	case isAny(err, io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe):
		return negotiate.Closed
	case isAny(err, syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED, wsaConnReset, wsaConnAborted):
		return negotiate.Reset
	}
	return ""
}

func isAny(err error, targets ...error) bool {
	for _, t := range targets {
		if errors.Is(err, t) {
			return true
		}
	}
	return false
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &n) && n.Timeout()
}

// within writes the limit that a timeout ran into.
func within(d time.Duration) string { return "within " + d.String() }
