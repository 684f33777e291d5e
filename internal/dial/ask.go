package dial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/kver-cli/kver/internal/negotiate"
)

// The ladder of ApiVersions versions:
//
//   - Ask at v4 first. v5 adds nothing that an inspector reads, every broker
//     before 4.4 refuses it, and some peers drop the connection over it. v3 is
//     not enough: it hides features whose minimum is 0.
//   - A refusal (error 35) names the versions to try, or nothing: then v0. The
//     next request goes out on the same connection, always lower, never below
//     what the peer named as its minimum.
//   - A connection that is dropped before the first byte of an answer is
//     dialled again and asked at v3, then at v0. A request whose connection was
//     dropped after a refusal was perhaps never read: it is sent once more.
//   - Silence is final. A broker of 0.9 drops the request without a word, and
//     other clients' requests with it.
//   - One good answer a connection, then hang up: a listener with SASL expects
//     a login next and closes on anything else (KIP-152), and a broker that
//     throttles has been left alone.
const (
	firstVersion = 4
	safeVersion  = 3 // what librdkafka has always sent
	maxDials     = 3
)

// apiVersionsKey is the key of ApiVersions itself.
const apiVersionsKey = 18

// session is the asking of one address.
type session struct {
	cfg  Config
	addr Address
	peer *negotiate.Peer

	conn              net.Conn
	remote            string // the address that answered the dial
	refusedHere       bool   // this connection carried a refusal
	certificateWanted bool   // the TLS server asked for one
	version           int16  // the version last asked

	// lowest is the minimum that the peer named for ApiVersions.
	lowest int16
	// fallback is a table that came with a refusal: Redpanda sends its whole
	// one there. It is used only where nothing better comes.
	fallback        *answer
	fallbackVersion int16
}

// Ask asks one address for its table. It never returns nil: what failed is in
// the peer's Failure.
func (c Config) Ask(ctx context.Context, a Address) *negotiate.Peer {
	start := time.Now()
	s := &session{cfg: c, addr: a, peer: &negotiate.Peer{Target: a.String()}}
	limited, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	err := s.ask(limited)
	s.hangUp()
	if err != nil && s.fallback != nil && ctx.Err() == nil {
		s.accept(s.fallback, s.fallbackVersion)
		err = nil
	}
	s.peer.Address = s.remote
	if err != nil {
		s.peer.Failure = s.explain(ctx, err)
		s.peer.Failure.Micros = time.Since(start).Microseconds()
	}
	return s.peer
}

// explain turns the error of ask into the failure to report.
func (s *session) explain(ctx context.Context, err error) *negotiate.Failure {
	var f *negotiate.Failure
	switch {
	case ctx.Err() != nil:
		return failure(StageAPIVersions, CodeInterrupted, fmt.Sprintf("asking %s: interrupted", s.addr), "run it again")
	case errors.As(err, &f):
		return f
	}
	return s.fail(CodeReadFailed, cause(err), "check the network")
}

func (s *session) ask(ctx context.Context) error {
	version := int16(firstVersion)
	for {
		body, err := s.attempt(ctx, version)
		var drop *droppedError
		switch {
		case errors.As(err, &drop):
			version, err = s.afterDrop(version, drop)
		case err == nil && codeOf(body) == 0:
			return s.read(body, version)
		case err == nil && codeOf(body) == codeUnsupportedVersion:
			version, err = s.afterRefusal(body, version)
		case err == nil:
			err = s.brokerError(codeOf(body))
		}
		if err != nil {
			return err
		}
	}
}

// codeUnsupportedVersion is UNSUPPORTED_VERSION.
const codeUnsupportedVersion = 35

// attempt sends one request, on a new connection where none is open.
func (s *session) attempt(ctx context.Context, version int16) ([]byte, error) {
	if s.conn == nil {
		if err := s.open(ctx); err != nil {
			return nil, err
		}
	}
	defer interruptWith(ctx, s.conn)()
	return s.exchange(version, 1+rand.Int32N(math.MaxInt32))
}

func (s *session) open(ctx context.Context) error {
	s.peer.Handshake.Connections++
	if err := s.connect(ctx); err != nil {
		return s.afterEarlier(err)
	}
	if s.addr.Scheme.TLS() {
		return s.startTLS(ctx)
	}
	return nil
}

// afterEarlier adds to the failure of a redial what made it necessary.
func (s *session) afterEarlier(err error) error {
	var f *negotiate.Failure
	if refused := s.peer.Handshake.Refused; errors.As(err, &f) && len(refused) > 0 {
		last := refused[len(refused)-1]
		f.Message += fmt.Sprintf("; before that ApiVersions v%d ended with %s", last.Version, last.Reason)
	}
	return err
}

func (s *session) hangUp() {
	if s.conn != nil {
		_ = s.conn.Close() // there is nothing left to lose
		s.conn = nil
	}
}

// read takes the table from an answer without an error. Where the layout of
// the version asked does not fit, that of v0 may: some peers answer in it
// whatever they were asked.
func (s *session) read(body []byte, version int16) error {
	a, err := decodeEither(body, version, 0)
	if err != nil {
		return s.layoutFailure(body, err)
	}
	if len(a.ApiKeys) == 0 {
		return failure(StageDecode, CodeEmptyTable,
			fmt.Sprintf("reading the answer of %s to ApiVersions v%d: %v", s.remote, version, errNoRows),
			"no broker supports nothing; a broker that is starting, or a proxy?")
	}
	s.accept(a, version)
	return nil
}

func (s *session) accept(a *answer, version int16) {
	a.table(s.peer)
	s.peer.Handshake.Version = &version
}

// refuse notes a version that did not bring a table.
func (s *session) refuse(version int16, reason negotiate.Reason) {
	h := &s.peer.Handshake
	h.Refused = append(h.Refused, negotiate.Refusal{Version: version, Reason: reason})
}

// afterDrop returns the version to ask next, on a new connection.
func (s *session) afterDrop(version int16, drop *droppedError) (int16, error) {
	s.hangUp()
	again := s.refusedHere
	s.refusedHere = false
	next := max(s.lowest, 0)
	if version > safeVersion {
		next = max(s.lowest, safeVersion)
	}
	if again {
		next = version
	}
	if s.fallback != nil || s.peer.Handshake.Connections >= maxDials || next == version && !again {
		s.refuse(version, drop.reason)
		return 0, s.droppedFailure(drop)
	}
	if !again {
		s.refuse(version, drop.reason)
	}
	return next, nil
}

// droppedFailure is a peer that hung up without a byte once too often.
func (s *session) droppedFailure(drop *droppedError) *negotiate.Failure {
	const guesses = "perhaps a broker older than 0.10, no Kafka listener, or one that wants TLS (try SSL://)"
	everDropped := !slices.ContainsFunc(s.peer.Handshake.Refused, func(r negotiate.Refusal) bool { return r.Reason == negotiate.UnsupportedVersion })
	saw := fmt.Sprintf("the connection was %s before the first byte of an answer (%s)", drop.reason, s.tried())
	switch {
	case s.version == 0 && everDropped:
		return failure(StageAPIVersions, CodeNoAPIVersions,
			fmt.Sprintf("asking %s: no answer to ApiVersions at any version, 0 bytes received (%s)", s.remote, s.tried()), guesses)
	case drop.reason == negotiate.Reset:
		return s.fail(CodeReset, saw, guesses)
	}
	return s.fail(CodeClosed, saw, guesses)
}

// tried lists the versions that brought no table, and why.
func (s *session) tried() string {
	var tried []string
	for _, r := range s.peer.Handshake.Refused {
		tried = append(tried, fmt.Sprintf("v%d %s", r.Version, r.Reason))
	}
	return strings.Join(tried, ", ")
}

// afterRefusal returns the version to ask next, on the same connection.
//
// Brokers answer what they do not know in the layout of v0: 0.10 to 2.3 with no
// rows, 2.4 and later with one, their range for key 18 (KIP-511). Redpanda
// sends its whole table. A body that fits no layout is taken for one without
// rows.
func (s *session) afterRefusal(body []byte, version int16) (int16, error) {
	s.refusedHere = true
	s.refuse(version, negotiate.UnsupportedVersion)
	var rows []negotiate.Row
	if a, err := decodeEither(body, 0, version); err == nil {
		rows = a.rows()
		if version > 0 && slices.ContainsFunc(rows, func(r negotiate.Row) bool { return r.Key != apiVersionsKey }) {
			s.fallback, s.fallbackVersion = a, version
		}
	}
	if version == 0 {
		return 0, s.fail(CodeRefusedVersion, "the peer refused even this, the lowest version", "is this a Kafka listener, or a proxy?")
	}
	own := named(rows)
	if own == nil {
		return 0, nil
	}
	s.lowest = own.Min
	next := min(own.Max, version-1)
	if next < own.Min {
		return 0, s.fail(CodeNoCommonVersion,
			fmt.Sprintf("the peer speaks ApiVersions %s only, kver speaks 0-%d", own.Range, firstVersion), "a newer kver is needed")
	}
	return next, nil
}

// named returns the row in which a refusal names the versions of ApiVersions
// to ask, wherever it stands, or nil where there is none that makes sense.
func named(rows []negotiate.Row) *negotiate.Row {
	p := negotiate.Peer{Rows: rows}
	if r, ok := p.Usable(apiVersionsKey); ok {
		return &negotiate.Row{Key: apiVersionsKey, Range: r}
	}
	return nil
}
