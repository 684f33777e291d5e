package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A run that is interrupted ends at once, with the status that shells give to
// the signal, and still reports what it has read, as a whole document.
func TestB75(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send to a process on Windows")
	}
	for _, tt := range []struct {
		signal os.Signal
		status int
	}{
		{os.Interrupt, 130},
		{syscall.SIGTERM, 143},
	} {
		t.Run(tt.signal.String(), func(t *testing.T) {
			silent, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer silent.Close()
			cmd := exec.Command("kver", "versions", fakeBroker(t), silent.Addr().String(),
				"-o", "json", "--parallel", "1", "--timeout", "1m")
			var stdout strings.Builder
			cmd.Stdout = &stdout
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			conn, err := silent.Accept() // by now the first broker has been read
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if err := cmd.Process.Signal(tt.signal); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != tt.status {
				t.Errorf("ended with %v, want status %d", err, tt.status)
			}
			if d := time.Since(start); d > 30*time.Second {
				t.Errorf("it took %s to end", d)
			}
			var doc document
			if err := json.Unmarshal([]byte(stdout.String()), &doc); err != nil {
				t.Fatalf("%v in %s", err, stdout.String())
			}
			if len(doc.Brokers[0].APIs) == 0 || doc.Brokers[1].Error == nil || doc.Brokers[1].Error.Code != "interrupted" {
				t.Errorf("brokers %+v: want a table, then code interrupted", doc.Brokers)
			}
		})
	}
}

// A pipe without a writer, or a terminal, keeps whoever reads it waiting for
// ever: that can be interrupted, too.
func TestInterruptedWhileReading(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	for _, tt := range []struct {
		cause  error
		status int
	}{
		{signalError{os.Interrupt}, 130},
		{signalError{syscall.SIGTERM}, 143},
	} {
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(10*time.Millisecond, func() { cancel(tt.cause) })
		var stdout, stderr strings.Builder
		status := run(ctx, []string{"versions", "-"}, world{stdin: in, stdout: &stdout, stderr: &stderr, getenv: os.Getenv})
		if status != tt.status || stdout.Len() > 0 || !strings.Contains(stderr.String(), "reading the snapshot -") {
			t.Errorf("status %d, stdout %q, stderr %q", status, &stdout, &stderr)
		}
	}
}
