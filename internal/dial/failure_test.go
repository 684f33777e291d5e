package dial

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
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
