package dial

import (
	"bytes"
	"fmt"

	"github.com/kver-cli/kver/internal/negotiate"
)

// impostor is a protocol that is not Kafka's, by the bytes it begins with. Read
// as the size of a frame they would announce hundreds of megabytes.
type impostor struct {
	prefix string
	code   string
	what   string
	hint   string
}

const hintOtherPort = "this port is not a Kafka listener; check the port"

// impostors are told by the first bytes. A TLS alert record begins with 21, the
// major version 3 and a minor one; a handshake record with 22.
var impostors = []impostor{
	{"\x15\x03", CodeWantsTLS, "a TLS alert", "this port speaks TLS; try SSL://"},
	{"\x16\x03", CodeWantsTLS, "a TLS handshake", "this port speaks TLS; try SSL://"},
	{"HTTP", CodeHTTP, "an HTTP answer", hintOtherPort},
	{"SSH-", CodeSSH, "an SSH banner", hintOtherPort},
	{"220 ", CodeOtherProtocol, "a mail or FTP greeting", hintOtherPort},
	{"AMQP", CodeOtherProtocol, "an AMQP header", hintOtherPort},
	{"INFO", CodeOtherProtocol, "a NATS greeting", hintOtherPort},
	{"-ERR", CodeOtherProtocol, "an error as Redis writes it", hintOtherPort},
	{"<htm", CodeHTTP, "an HTML page", hintOtherPort},
	{"<!DO", CodeHTTP, "an HTML page", hintOtherPort},
}

// sniff names the protocol that the bytes of a would-be answer belong to, or
// nil where they may be Kafka's.
func sniff(seen []byte) *impostor {
	for i := range impostors {
		if bytes.HasPrefix(seen, []byte(impostors[i].prefix)) {
			return &impostors[i]
		}
	}
	return nil
}

// alertLength is a whole TLS alert record: 5 bytes of header, level, code.
const alertLength = 7

// describe puts what was seen into words: the alert's number, a line of text,
// the bytes.
func (i *impostor) describe(seen []byte) string {
	switch {
	case i.prefix[0] == 0x15 && len(seen) >= alertLength:
		return fmt.Sprintf("%s (code %d)", i.what, seen[alertLength-1])
	case i.prefix[0] < ' ':
		return fmt.Sprintf("%s (%x)", i.what, seen)
	}
	line, _, _ := bytes.Cut(seen, []byte("\n"))
	return fmt.Sprintf("%s (%q)", i.what, bytes.TrimSpace(line))
}

// impostorFailure reads a little more of what is not Kafka and says what it is.
func (s *session) impostorFailure(i *impostor, seen []byte) *negotiate.Failure {
	const enough = 64 // bytes: an alert, or the first line of a text protocol
	more := make([]byte, enough-len(seen))
	if i.prefix[0] == 0x15 {
		more = make([]byte, max(0, alertLength-len(seen)))
	}
	for len(more) > 0 && !bytes.ContainsRune(seen[2:], '\n') {
		n, err := s.conn.Read(more)
		seen, more = append(seen, more[:n]...), more[n:]
		if err != nil {
			break
		}
	}
	return failure(StageAPIVersions, i.code,
		fmt.Sprintf("asking %s with ApiVersions v%d: the answer is %s", s.remote, s.version, i.describe(seen)), i.hint)
}
