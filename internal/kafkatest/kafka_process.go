package kafkatest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// child is a process that this test binary started and will end.
type child struct {
	cmd *exec.Cmd
	log string        // the file that takes what it prints
	end chan struct{} // closed when the process is gone
	err error         // how it ended, once end is closed
}

// launch starts java in a folder. The process ends with the test, however the
// test ends; t.TempDir, called before, outlives it.
func launch(t testing.TB, dir, classPath, class string, args ...string) (*child, error) {
	if err := writeLines(filepath.Join(dir, log4jFile), log4jLines()); err != nil {
		return nil, err
	}
	log := filepath.Join(dir, class+".log")
	f, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // the child has its own
	cmd := java(dir, classPath, class, args...)
	cmd.Stdout, cmd.Stderr = f, f
	done, err := startTied(cmd)
	if err != nil {
		return nil, err
	}
	c := &child{cmd: cmd, log: log, end: make(chan struct{})}
	go func() {
		c.err = <-done
		close(c.end)
	}()
	t.Cleanup(c.stop)
	return c, nil
}

// java is a command that runs a class. The flags make it start in half the
// time and with a quarter of the memory that a broker takes by default, and
// keep what it leaves behind in the folder.
func java(dir, classPath, class string, args ...string) *exec.Cmd {
	flags := []string{"-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
		"-XX:-UsePerfData", "-Djava.io.tmpdir=" + dir,
		"-Dlog4j.configuration=" + fileURL(filepath.Join(dir, log4jFile)),
		"-cp", classPath, class}
	cmd := exec.Command("java", append(flags, args...)...)
	cmd.Dir = dir
	return cmd
}

// startTied starts a process that cannot outlive this one, where the system
// can promise that. The promise is about the starting thread, so one thread is
// kept for each process until it is gone; done then has its outcome.
func startTied(cmd *exec.Cmd) (done <-chan error, err error) {
	tie(cmd)
	started, ended := make(chan error), make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			ended <- cmd.Wait()
		}
	}()
	return ended, <-started
}

// stop ends the process and waits until it is gone. A broker asked to stop
// takes seconds and has nothing worth keeping.
func (c *child) stop() {
	c.cmd.Process.Kill() //nolint:errcheck // it may have ended by itself
	<-c.end
}

func (c *child) ended() bool {
	select {
	case <-c.end:
		return true
	default:
		return false
	}
}

// says reports whether the process printed the words.
func (c *child) says(words string) bool {
	b, err := os.ReadFile(c.log)
	return err == nil && bytes.Contains(b, []byte(words))
}

// tailLines is how much of a log a failed start shows.
const tailLines = 40

// failed is an error that shows what the process printed last.
func (c *child) failed(what string) error {
	b, err := os.ReadFile(c.log)
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	lines = lines[max(0, len(lines)-tailLines):]
	return errors.Join(fmt.Errorf("%s, the end of its log is:\n%s", what, strings.Join(lines, "\n")), err)
}

// unable skips a test that needs what this machine does not have. In CI
// nothing may be missing.
func unable(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// needJava skips where real processes are not wanted or cannot run. A java
// that is in the path but does not work (as on macOS without a JDK) is missing.
func needJava(t testing.TB) {
	t.Helper()
	if testing.Short() && os.Getenv("CI") != "true" {
		t.Skip("-short leaves out real Kafka processes")
	}
	if out, err := exec.Command("java", "-version").CombinedOutput(); err != nil {
		unable(t, "java is missing, which runs Kafka: %v\n%s", err, out)
	}
}

// fileURL names a file in a way that log4j and Java's properties read alike on
// every system.
func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return "file://" + path
}
