package kafkatest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const doomed = "KAFKATEST_DOOMED"

// TestOutlive lets test binaries die in every way that runs no cleanup: what
// they started dies with them.
func TestOutlive(t *testing.T) {
	if way := os.Getenv(doomed); way != "" {
		die(way)
	}
	for _, way := range []string{"panic", "timeout", "killed", "exit"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run=^TestOutlive$", "-test.timeout=3s")
			cmd.Env = append(os.Environ(), doomed+"="+way)
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var pid int
			if _, err := fmt.Fscanln(bufio.NewReader(out), &pid); err != nil {
				t.Fatal(err)
			}
			// A program has been started a moment before the system shows its name.
			if !within(10*time.Second, func() bool { return running(pid) }) {
				t.Errorf("process %d does not run", pid)
			}
			if in.Close(); way == "killed" {
				cmd.Process.Kill() //nolint:errcheck // Wait tells
			}
			if err := cmd.Wait(); err == nil {
				t.Error("the test binary ended well")
			}
			if !within(10*time.Second, func() bool { return !running(pid) }) {
				t.Fatalf("process %d outlives its test binary", pid)
			}
		})
	}
}

// die is what the doomed test binary does, once its input ends.
func die(way string) {
	cmd := exec.Command("sleep", "60")
	if _, err := startTied(cmd); err != nil {
		panic(err)
	}
	if _, err := fmt.Fprintln(os.Stdout, cmd.Process.Pid); err != nil {
		panic(err)
	}
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		panic(err)
	}
	switch way {
	case "panic":
		panic("as told")
	case "exit":
		os.Exit(1)
	}
	select {}
}

// within reports whether something comes true in time.
func within(limit time.Duration, done func() bool) bool {
	for deadline := time.Now().Add(limit); !done(); time.Sleep(poll) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

// running is false for a process that ended, though nobody may have asked how.
func running(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && strings.HasPrefix(string(b), "sleep")
}

// TestStop ends a process with its test, and tells why one did not start.
func TestStop(t *testing.T) {
	bin := t.TempDir()
	script := "#!/bin/sh\necho hello\nexec sleep 60\n"
	if err := os.WriteFile(filepath.Join(bin, "java"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var c *child
	t.Run("test", func(t *testing.T) {
		var err error
		if c, err = launch(t, t.TempDir(), "libs", "Main"); err != nil {
			t.Fatal(err)
		}
		if err := c.await(func() bool { return c.says("hello") }); err != nil {
			t.Fatal(err)
		}
		if c.ended() {
			t.Fatal("it ended too early")
		}
	})
	if !c.ended() || running(c.cmd.Process.Pid) {
		t.Error("the process outlives its test")
	}
}

// TestFailedStart shows the end of the log of what did not start, and tells a
// taken port from other trouble.
func TestFailedStart(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for words, want := range map[string]string{
		"a bad setting": "it ended (<nil>), the end of its log is:\na bad setting",
		"java.net.BindException: Address already in use": errPortTaken.Error(),
	} {
		if err := os.WriteFile(filepath.Join(bin, "java"), []byte("#!/bin/sh\necho "+words+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		c, err := launch(t, t.TempDir(), "libs", "Main")
		if err != nil {
			t.Fatal(err)
		}
		if err := c.await(func() bool { return false }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
}
