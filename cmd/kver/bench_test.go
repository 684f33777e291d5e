package main

import (
	"encoding/hex"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// These benchmarks time kver as a whole process, in turn with a peer that does
// the least (testdata/minimal) or beside a bound, in the same run. They report
// and never fail over a figure.

// program builds a package as it is given away.
func program(b *testing.B, pkg string) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "program")
	cmd := exec.Command("go", "build", "-trimpath", "-gcflags", "crypto/...=-l", "-ldflags", "-s -w", "-o", path, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return path
}

// took runs a program to its end and returns how long that took.
func took(b *testing.B, allowed int, path string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command(path, args...)
	cmd.Stdout = io.Discard
	start := time.Now()
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != allowed {
		b.Fatalf("%s: %v", path, err)
	}
	return time.Since(start)
}

// resident is the most memory a program held, as time(1) sees it, where there
// is one. A child of this big process would be charged with its size.
func resident(b *testing.B, path string, args ...string) {
	b.Helper()
	out, err := exec.Command("/usr/bin/time", append([]string{"-f", "%M", path}, args...)...).CombinedOutput()
	if err != nil {
		b.Logf("no figure for memory: %v", err)
		return
	}
	lines := strings.Fields(string(out))
	if kib, err := strconv.Atoi(lines[len(lines)-1]); err == nil {
		b.ReportMetric(float64(kib)/1024, "MiB")
	}
}

// versus times two programs in turn.
func versus(b *testing.B, ours, other []string) {
	b.Helper()
	var a, z time.Duration
	for b.Loop() {
		a += took(b, 0, ours[0], ours[1:]...)
		z += took(b, 0, other[0], other[1:]...)
	}
	b.ReportMetric(a.Seconds()*1000/float64(b.N), "kver-ms")
	b.ReportMetric(z.Seconds()*1000/float64(b.N), "other-ms")
	b.ReportMetric(a.Seconds()/z.Seconds(), "ratio")
}

// recorded is the body of Kafka 4.2.0's answer to ApiVersions v4.
func recorded(b *testing.B) []byte {
	b.Helper()
	text, err := os.ReadFile("../../testdata/frames/4.2.0-kraft.v4.hex")
	if err != nil {
		b.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	frame, err := hex.DecodeString(lines[len(lines)-1])
	if err != nil {
		b.Fatal(err)
	}
	return frame[8:] // size, correlation id
}

// brokers starts n listeners that answer after a time with the same table.
func brokers(b *testing.B, n int, latency time.Duration) []string {
	b.Helper()
	body := recorded(b)
	addrs := make([]string, n)
	for i := range addrs {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = l.Close() })
		addrs[i] = l.Addr().String()
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				time.AfterFunc(latency, func() { go serve(conn, body) })
			}
		}()
	}
	return addrs
}

// BenchmarkProcessOne: one broker. Wanted: a ratio of 1.3 at most, 12 MB.
func BenchmarkProcessOne(b *testing.B) {
	kver, minimal := program(b, "."), program(b, "./testdata/minimal")
	addr := brokers(b, 1, 0)[0]
	for _, args := range [][]string{{"versions", addr}, {"versions", addr, "-o", "json"}} {
		b.Run("kver "+strings.Join(append(args[:1:1], args[2:]...), " "), func(b *testing.B) {
			versus(b, append([]string{kver}, args...), []string{minimal, addr})
			resident(b, kver, args...)
		})
	}
}

// BenchmarkProcessStart: --version beside a program that does nothing but
// start. Wanted: 10 ms more at most.
func BenchmarkProcessStart(b *testing.B) {
	kver, minimal := program(b, "."), program(b, "./testdata/minimal")
	versus(b, []string{kver, "--version"}, []string{minimal})
}

// BenchmarkProcessRelease: releases by name beside --version. Wanted: 5 ms more
// at most for a table, 10 for a difference.
func BenchmarkProcessRelease(b *testing.B) {
	kver := program(b, ".")
	for _, args := range [][]string{{"versions", "kafka@4.4"}, {"diff", "kafka@0.10.0", "kafka@4.4", "--fail-on", "none"}} {
		b.Run(args[0], func(b *testing.B) { versus(b, append([]string{kver}, args...), []string{kver, "--version"}) })
	}
}

// BenchmarkProcessMany: 1,000 brokers that answer after 50 ms. Wanted: 1.2
// times 50 ms for each 64 of them (960 ms), 64 MiB; all at once, 1.3 times what
// the minimal program takes.
func BenchmarkProcessMany(b *testing.B) {
	const n, latency = 1000, 50 * time.Millisecond
	kver, minimal := program(b, "."), program(b, "./testdata/minimal")
	addrs := brokers(b, n, latency)
	list := strings.Join(addrs, ",")
	b.Run("parallel=64", func(b *testing.B) {
		rounds := (n + defaultParallel - 1) / defaultParallel
		bound := time.Duration(rounds) * latency
		var total time.Duration
		for b.Loop() {
			total += took(b, 0, kver, "versions", list)
		}
		b.ReportMetric(total.Seconds()*1000/float64(b.N), "kver-ms")
		b.ReportMetric(total.Seconds()/float64(b.N)/bound.Seconds(), "of-bound")
		resident(b, kver, "versions", list)
	})
	b.Run("parallel=1000", func(b *testing.B) {
		versus(b, []string{kver, "versions", list, "--parallel", "1000"}, append([]string{minimal}, addrs...))
	})
}

// BenchmarkProcessBroken: 100 brokers of which 10 refuse, 10 are silent and 10
// send a byte now and then. Wanted: the timeout and 100 ms.
func BenchmarkProcessBroken(b *testing.B) {
	const timeout = time.Second
	kver := program(b, ".")
	addrs := brokers(b, 70, 0)
	for range 10 {
		addrs = append(addrs, stubborn(b, nil), stubborn(b, []byte{0, 0, 3, 0}))
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		addrs = append(addrs, l.Addr().String())
		_ = l.Close() // nobody listens there now
	}
	var total time.Duration
	for b.Loop() {
		total += took(b, statusIncomplete, kver, "versions", strings.Join(addrs, ","), "--timeout", timeout.String())
	}
	over := total/time.Duration(b.N) - timeout
	b.ReportMetric(over.Seconds()*1000, "ms-over-timeout")
}

// stubborn is a listener that sends some bytes, one each 100 ms, and nothing
// more.
func stubborn(b *testing.B, bytes []byte) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			for i := range bytes {
				time.AfterFunc(time.Duration(i)*100*time.Millisecond, func() { _, _ = conn.Write(bytes[i : i+1]) })
			}
		}
	}()
	return l.Addr().String()
}
