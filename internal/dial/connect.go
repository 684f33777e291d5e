package dial

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/kver-cli/kver/internal/negotiate"
)

// connect resolves and dials. A name with several addresses is tried address
// by address within the deadline, which Go's dialer splits among them.
func (s *session) connect(ctx context.Context) error {
	target := s.remote // a redial goes to the address that answered before
	if target == "" {
		target = s.addr.hostPort()
	}
	var tried attempts
	dialer := net.Dialer{Resolver: s.cfg.Resolver, ControlContext: tried.note, KeepAlive: -1}
	conn, err := dialer.DialContext(ctx, "tcp", target)
	if err != nil {
		return s.connectFailure(target, tried.list(), err)
	}
	s.remote = conn.RemoteAddr().String()
	s.conn = conn
	if deadline, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(deadline) // an error here shows up at once in the write
	}
	return nil
}

// attempts collects the addresses that a dialer tried, which may be several at
// once.
type attempts struct {
	mu   sync.Mutex
	seen []string
}

func (a *attempts) note(_ context.Context, _, address string, _ syscall.RawConn) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !slices.Contains(a.seen, address) {
		a.seen = append(a.seen, address)
	}
	return nil
}

func (a *attempts) list() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return strings.Join(a.seen, ", ")
}

func (s *session) connectFailure(target, tried string, err error) *negotiate.Failure {
	var dns *net.DNSError
	full := isAny(err, syscall.EMFILE, syscall.ENFILE, wsaTooManyFiles)
	if errors.As(err, &dns) && !full {
		return s.resolveFailure(dns)
	}
	where := target
	if tried != "" && tried != target {
		where = fmt.Sprintf("%s (%s)", target, tried)
	}
	fail := func(code, saw, hint string) *negotiate.Failure {
		return failure(StageConnect, code, fmt.Sprintf("connecting to %s: %s", where, saw), hint)
	}
	switch {
	case full:
		return fail(CodeTooManyFiles, "too many open files on this side",
			"ask fewer brokers at once with --parallel, or raise the limit (ulimit -n)")
	case isAny(err, syscall.ECONNREFUSED, wsaConnRefused):
		return fail(CodeRefused, "connection refused",
			fmt.Sprintf("is the broker up, and is %d its listener?", s.addr.Port))
	case isTimeout(err):
		return fail(CodeConnectTimeout, "no answer "+within(s.cfg.Timeout),
			"is the host up? a firewall that drops packets looks like this; --timeout gives it longer")
	case isAny(err, syscall.EHOSTUNREACH, syscall.ENETUNREACH, wsaHostUnreach, wsaNetUnreach):
		return fail(CodeUnreachable, "no route to the host", "check the network between here and there, a VPN for instance")
	}
	return fail(CodeConnectFailed, cause(err), "check the address and the network")
}

func (s *session) resolveFailure(dns *net.DNSError) *negotiate.Failure {
	fail := func(code, saw, hint string) *negotiate.Failure {
		return failure(StageResolve, code, fmt.Sprintf("resolving %s: %s", s.addr.Host, saw), hint)
	}
	switch {
	case dns.IsNotFound:
		return fail(CodeNameNotFound, "no such host",
			"check the spelling; a name that a cluster advertises may only be known inside its network")
	case dns.IsTimeout:
		return fail(CodeResolveTimeout, "no answer from the name server "+within(s.cfg.Timeout), "check the name server, or use an IP address")
	}
	return fail(CodeResolveFailed, dns.Err, "check the name server, or use an IP address")
}

// cause is the innermost text of an error, without the address that every
// layer repeats.
func cause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

// interruptWith lets ctx end a blocked read or write at once. The returned
// function ends the watch.
func interruptWith(ctx context.Context, conn net.Conn) (stop func() bool) {
	return context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
}
