package dial

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/kver-cli/kver/internal/negotiate"
)

const (
	// maxFrame caps an answer. All 65,536 keys take 458,752 bytes; the largest
	// answer seen from a real broker is 790.
	maxFrame = 1 << 20
	// minFrame is a correlation id and an error code.
	minFrame = 6
	// sizePrefix is the length of the size before a frame.
	sizePrefix = 4
)

// exchange sends one request and returns the body of its answer, the bytes
// after the correlation id. Its error is a *droppedError where the peer hung up
// before the first byte, else a *negotiate.Failure.
func (s *session) exchange(version int16, correlation int32) ([]byte, error) {
	s.version = version
	s.peer.Handshake.Requests++
	if _, err := s.conn.Write(s.cfg.request(version, correlation)); err != nil && dropped(err) == "" {
		return nil, s.readFailure(err, nil, 0)
	} // a peer that hung up during the write may have left words to read
	frame, err := s.readFrame()
	if err != nil {
		return nil, err
	}
	if got := int32(binary.BigEndian.Uint32(frame)); got != correlation {
		return nil, s.fail(CodeCorrelation, fmt.Sprintf("the answer is for request %d, not for %d", got, correlation),
			"a proxy or load balancer in between may mix up connections")
	}
	return frame[4:], nil
}

// readFrame reads one frame and returns it without its size. It allocates for
// what arrives, never for what is announced.
func (s *session) readFrame() ([]byte, error) {
	prefix := make([]byte, sizePrefix)
	n, err := io.ReadFull(s.conn, prefix)
	if i := sniff(prefix[:n]); i != nil {
		return nil, s.impostorFailure(i, prefix[:n])
	}
	if err != nil {
		return nil, s.readFailure(err, prefix[:n], sizePrefix)
	}
	size := int32(binary.BigEndian.Uint32(prefix))
	switch {
	case size < minFrame:
		return nil, s.fail(CodeFrameTooSmall, fmt.Sprintf("the answer says it has %d bytes (%x)", size, prefix), "is this a Kafka listener?")
	case size > maxFrame:
		return nil, s.fail(CodeFrameTooLarge, fmt.Sprintf("the answer says it has %d bytes (%x), the cap is %d", size, prefix, maxFrame),
			"is this a Kafka listener? other protocols look like this")
	}
	var frame bytes.Buffer
	if _, err := io.CopyN(&frame, s.conn, int64(size)); err != nil {
		return nil, s.readFailure(err, append(prefix, frame.Bytes()...), sizePrefix+int(size))
	}
	return frame.Bytes(), nil
}

// shown is how many bytes of an answer a message quotes.
const shown = 32

func quote(b []byte) string {
	if len(b) > shown {
		return fmt.Sprintf("%x…", b[:shown])
	}
	return fmt.Sprintf("%x", b)
}

// readFailure says how an answer ended before its end: after none of its bytes
// or in the middle, by silence, close or reset.
func (s *session) readFailure(err error, got []byte, want int) error {
	reason := dropped(err)
	partly := fmt.Sprintf("after %d of %d bytes (%s)", len(got), want, quote(got))
	switch {
	case isAlert(err):
		return s.alertFailure(err)
	case isTimeout(err) && len(got) == 0 && len(s.peer.Handshake.Refused) > 0:
		return s.fail(CodeTimeout, fmt.Sprintf("no byte of an answer before the %s for everything were over (%s)", s.cfg.Timeout, s.tried()),
			"--timeout gives it longer")
	case isTimeout(err) && len(got) == 0:
		return s.fail(CodeTimeout, "no byte of an answer "+within(s.cfg.Timeout),
			"not asked again, since a broker of 0.9 drops what it does not know in silence; it may also be no Kafka listener, or one that waits for TLS (try SSL://)")
	case isTimeout(err):
		return s.fail(CodeTimeoutMidFrame, fmt.Sprintf("the answer stopped %s, no more %s", partly, within(s.cfg.Timeout)),
			"a slow network or a proxy in between; --timeout gives it longer")
	case reason != "" && len(got) == 0:
		return &droppedError{reason}
	case reason == negotiate.Closed:
		return s.fail(CodeClosedMidFrame, "the connection was closed "+partly, "a proxy, or a broker that is stopping? try again")
	case reason == negotiate.Reset:
		return s.fail(CodeResetMidFrame, "the connection was reset "+partly, "a proxy, or a broker that is stopping? try again")
	}
	var f *negotiate.Failure
	if errors.As(err, &f) {
		return f
	}
	return s.fail(CodeReadFailed, cause(err), "check the network")
}

// fail is a failure of the request in hand.
func (s *session) fail(code, saw, hint string) *negotiate.Failure {
	return failure(StageAPIVersions, code, fmt.Sprintf("asking %s with ApiVersions v%d: %s", s.remote, s.version, saw), hint)
}
