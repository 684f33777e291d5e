package dial

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/kver-cli/kver/internal/negotiate"
)

// A workaround for peers that reset the connection did nothing on Windows,
// where the reset has another number.
func TestB4(t *testing.T) {
	wrapped := func(err error) error {
		return fmt.Errorf("reading: %w", &net.OpError{Op: "read", Err: os.NewSyscallError("read", err)})
	}
	for _, tt := range []struct {
		err  error
		want negotiate.Reason
	}{
		{wrapped(syscall.ECONNRESET), negotiate.Reset},
		{wrapped(syscall.Errno(10054)), negotiate.Reset},
		{wrapped(syscall.Errno(10053)), negotiate.Reset},
		{wrapped(syscall.EPIPE), negotiate.Reset},
		{wrapped(io.EOF), negotiate.Closed},
		{wrapped(io.ErrUnexpectedEOF), negotiate.Closed},
		{wrapped(syscall.ECONNREFUSED), ""},
		{wrapped(os.ErrDeadlineExceeded), ""},
		{errors.New("connection reset by peer"), ""}, // its text does not count
	} {
		if got := dropped(tt.err); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.err, got, tt.want)
		}
	}
}

// Too many brokers at once for the limit on open files is this side's trouble,
// wherever it shows, and no fault of a name or a network.
func TestTooManyOpenFiles(t *testing.T) {
	s := session{cfg: Config{}, addr: Address{Host: "kafka.test", Port: 9092}}
	for _, errno := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE, 10024} {
		system := os.NewSyscallError("socket", errno)
		for _, err := range []error{
			&net.OpError{Op: "dial", Err: system},
			&net.OpError{Op: "dial", Err: &net.DNSError{UnwrapErr: system, Err: system.Error(), Name: "kafka.test"}},
		} {
			f := s.connectFailure("kafka.test:9092", "", err)
			if f.Stage != StageConnect || f.Code != CodeTooManyFiles || !strings.Contains(f.Hint, "--parallel") {
				t.Errorf("%v: %+v", err, f)
			}
		}
	}
}
