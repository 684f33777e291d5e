package dial

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kver-cli/kver/internal/kafkatest"
	"github.com/kver-cli/kver/internal/negotiate"
)

// steps is a script of one connection.
type steps = []kafkatest.Step

// TestTransport is what can happen to the bytes of an answer, below its
// content: each kind of end has a code of its own, and only a connection that
// is dropped before the first byte is dialled again.
func TestTransport(t *testing.T) {
	read, stall, reset := kafkatest.Read(), kafkatest.Stall(), kafkatest.Reset()
	after := func(more ...kafkatest.Step) steps { return append(steps{read}, more...) }
	for _, tt := range []struct {
		name    string
		scripts []steps
		want    string // rows, or stage and code
		asked   []int16
		saw     string
	}{
		{"size -1", []steps{after(kafkatest.Send("ffffffff"), stall)}, "apiversions frame-too-small", []int16{4}, "-1 bytes (ffffffff)"},
		{"size 0", []steps{after(kafkatest.Send("00000000"), stall)}, "apiversions frame-too-small", []int16{4}, "0 bytes"},
		{"size 3", []steps{after(kafkatest.Send("00000003"), stall)}, "apiversions frame-too-small", []int16{4}, "3 bytes"},
		{"size 2 GiB", []steps{after(kafkatest.Send("7fffffff"), stall)}, "apiversions frame-too-large", []int16{4}, "2147483647 bytes"},
		{"size 1 MiB and a byte", []steps{after(kafkatest.Send("00100001"), stall)}, "apiversions frame-too-large", []int16{4}, "1048577 bytes"},
		{"half a size, then closed", []steps{after(kafkatest.Send("0000"))}, "apiversions closed-mid-frame", []int16{4}, "after 2 of 4 bytes (0000)"},
		{"three bytes, then closed", []steps{after(kafkatest.Send("abcdef"))}, "apiversions closed-mid-frame", []int16{4}, "after 3 of 4 bytes (abcdef)"},
		{"half a size, then silence", []steps{after(kafkatest.Send("0000"), stall)}, "apiversions timeout-mid-frame", []int16{4}, "after 2 of 4 bytes"},
		{"half a body, then closed", []steps{after(kafkatest.Send("00000064 CORRELATE 0000"))}, "apiversions closed-mid-frame", []int16{4}, "after 10 of 104 bytes"},
		{"half a body, then silence", []steps{after(kafkatest.Send("00000064 CORRELATE 0000"), stall)}, "apiversions timeout-mid-frame", []int16{4}, "after 10 of 104 bytes"},
		{"a byte now and then", []steps{after(kafkatest.Trickle("00000064"+strings.Repeat("00", 100), 50*time.Millisecond))}, "apiversions timeout-mid-frame", []int16{4}, "of 104 bytes"},
		{"silence", []steps{after(stall)}, "apiversions timeout", []int16{4}, "no byte of an answer within 300ms"},
		{"reset, then well at v3", []steps{after(reset), {kafkatest.Answer(ok3)}}, rows3, []int16{4, 3}, ""},
		{"closed, then well at v3", []steps{after(), {kafkatest.Answer(ok3)}}, rows3, []int16{4, 3}, ""},
		{"closed twice, then well at v0", []steps{after(), after(reset), {kafkatest.Answer(ok0)}}, rows0, []int16{4, 3, 0}, ""},
		{"closed at every version", []steps{after(), after(), after()}, "apiversions no-apiversions", []int16{4, 3, 0}, "v4 closed, v3 closed, v0 closed"},
		{"reset at every version", []steps{after(reset), after(reset), after(reset)}, "apiversions no-apiversions", []int16{4, 3, 0}, "v4 reset, v3 reset, v0 reset"},
		{"closed, then silence", []steps{after(), after(stall)}, "apiversions timeout", []int16{4, 3}, "v3"},
		{"another's correlation id", []steps{after(kafkatest.Send("0000000a MISMATCH 0000 00000000"), stall)}, "apiversions wrong-correlation-id", []int16{4}, "the answer is for request"},
		{"more than one frame", []steps{after(kafkatest.Send("00000013 CORRELATE 0000 02 0000 0000 0009 00 00001388 00 deadbeef"), stall)}, "0:0-9", []int16{4}, ""},
		{"TLS alert", []steps{after(kafkatest.Send("15030300020250"))}, "apiversions wants-tls", []int16{4}, "a TLS alert (code 80)"},
		{"TLS alert of TLS 1.0", []steps{after(kafkatest.Send("15030100020246"))}, "apiversions wants-tls", []int16{4}, "(code 70)"},
		{"TLS alert, cut", []steps{after(kafkatest.Send("1503030002"))}, "apiversions wants-tls", []int16{4}, "1503030002"},
		{"TLS handshake", []steps{after(kafkatest.Send("16030300"), stall)}, "apiversions wants-tls", []int16{4}, "a TLS handshake"},
		{"HTTP", []steps{after(kafkatest.Say("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\n\r\n"))}, "apiversions is-http", []int16{4}, `"HTTP/1.1 400 Bad Request"`},
		{"SSH", []steps{{kafkatest.Say("SSH-2.0-OpenSSH_9.2\r\n"), stall}}, "apiversions is-ssh", nil, `"SSH-2.0-OpenSSH_9.2"`},
		{"SMTP", []steps{{kafkatest.Say("220 mail.example ESMTP\r\n"), stall}}, "apiversions other-protocol", nil, "220 mail.example"},
		{"AMQP", []steps{after(kafkatest.Say("AMQP\x00\x00\x09\x01"))}, "apiversions other-protocol", []int16{4}, "AMQP"},
		{"Redis", []steps{after(kafkatest.Say("-ERR unknown command\r\n"))}, "apiversions other-protocol", []int16{4}, "-ERR unknown command"},
		{"NATS", []steps{{kafkatest.Say("INFO {\"server_id\":\"x\"}\r\n"), stall}}, "apiversions other-protocol", nil, "INFO"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			peer := kafkatest.Script(t, tt.scripts...)
			timeout := patient
			if strings.Contains(tt.want, "timeout") || strings.HasPrefix(tt.want, "apiversions is-") || strings.HasSuffix(tt.want, "protocol") || strings.HasSuffix(tt.want, "tls") {
				timeout = hasty
			}
			start := time.Now()
			p := ask(t, peer.Addr, timeout)
			if took := time.Since(start); took > timeout+5*time.Second {
				t.Errorf("it took %s", took)
			}
			if got := show(p); got != tt.want {
				t.Fatalf("got %s, want %s; %+v", got, tt.want, p.Failure)
			}
			if got := peer.Versions(); tt.asked != nil && !slices.Equal(got, tt.asked) {
				t.Errorf("asked %v, want %v", got, tt.asked)
			}
			if got := peer.Connections(); got != len(tt.scripts) || got != p.Handshake.Connections {
				t.Errorf("%d connections, the report says %d, want %d", got, p.Handshake.Connections, len(tt.scripts))
			}
			checkFailure(t, p.Failure, tt.saw, peer.Addr)
		})
	}
}

// checkFailure holds a failure to what each has: where, what was seen, what to
// try.
func checkFailure(t *testing.T, f *negotiate.Failure, saw, addr string) {
	t.Helper()
	switch {
	case f == nil:
	case !strings.Contains(f.Message, saw):
		t.Errorf("message %q does not say %q", f.Message, saw)
	case !strings.Contains(f.Message, addr):
		t.Errorf("message %q does not name %s", f.Message, addr)
	case f.Hint == "" || f.Micros <= 0:
		t.Errorf("no hint, or no time, in %+v", f)
	}
}

// TestSilenceIsNotRetried: an answer that does not come costs one connection
// and one request, since brokers of 0.9 lose other clients' requests over it.
func TestSilenceIsNotRetried(t *testing.T) {
	peer := kafkatest.Script(t, steps{kafkatest.Read(), kafkatest.Stall()})
	p := ask(t, peer.Addr, hasty)
	if show(p) != "apiversions timeout" || peer.Connections() != 1 || len(peer.Requests()) != 1 {
		t.Errorf("%s after %d connections and %d requests", show(p), peer.Connections(), len(peer.Requests()))
	}
	if !strings.Contains(p.Failure.Hint, "0.9") {
		t.Errorf("hint %q does not think of Kafka 0.9", p.Failure.Hint)
	}
}

// A peer that answered before and is slow now is not one of 0.9, and is not
// said to have been silent all the time.
func TestSilenceAfterRefusal(t *testing.T) {
	peer := kafkatest.Script(t, steps{kafkatest.Answer(refuse18), kafkatest.Stall()})
	f := ask(t, peer.Addr, hasty).Failure
	if f == nil || f.Code != CodeTimeout || !strings.Contains(f.Message, "v4 unsupported-version") || strings.Contains(f.Hint, "0.9") {
		t.Errorf("%+v", f)
	}
}

// TestOneAnswerAConnection: a listener with SASL expects a login after its
// answer, and closes on a second ApiVersions.

func TestOneAnswerAConnection(t *testing.T) {
	peer := kafkatest.Script(t, steps{kafkatest.Answer(refuse18), kafkatest.Answer(ok3), kafkatest.Read()})
	p := ask(t, peer.Addr, patient)
	if got := show(p); got != rows3 || len(peer.Requests()) != 2 {
		t.Errorf("%s after %d requests, want 2: no more after an answer", got, len(peer.Requests()))
	}
}

// TestCorrelationIDs: every request has one of its own, never 0.
func TestCorrelationIDs(t *testing.T) {
	seen := make(map[int32]bool)
	for range 5 {
		peer := kafkatest.Script(t, steps{kafkatest.Answer(refuse18), kafkatest.Answer(ok3)})
		ask(t, peer.Addr, patient)
		for _, r := range peer.Requests() {
			if r.Correlation == 0 || seen[r.Correlation] {
				t.Errorf("correlation id %d is trivial or was used before", r.Correlation)
			}
			seen[r.Correlation] = true
		}
	}
}
