package kafkatest

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"testing"
)

// RecordedFrame reads a frame from a file of testdata/frames: hex, with
// comments on lines that begin with #.
func RecordedFrame(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("reading a recorded frame: %v", err)
	}
	var digits []byte
	for line := range bytes.Lines(b) {
		if !bytes.HasPrefix(line, []byte("#")) {
			digits = append(digits, bytes.TrimSpace(line)...)
		}
	}
	frame := make([]byte, hex.DecodedLen(len(digits)))
	if _, err := hex.Decode(frame, digits); err != nil {
		t.Fatalf("reading the recorded frame %s: %v", path, err)
	}
	return frame
}

// recorded is a frame as a file of testdata/frames.
func recorded(n Node, version int16, refused bool, frame []byte) (name string, content []byte) {
	name, outcome := fmt.Sprintf("%s.v%d.hex", n, version), "answered"
	if refused {
		name, outcome = fmt.Sprintf("%s.v%d-refused.hex", n, version), "refused"
	}
	r, _ := findRelease(n.Release)
	note := fmt.Sprintf("# Apache Kafka %s (%s), %s listener, ApiVersions v%d %s\n", n.Release, r.Artifact, n.Kind, version, outcome)
	return name, fmt.Appendf([]byte(note), "%x\n", frame)
}
