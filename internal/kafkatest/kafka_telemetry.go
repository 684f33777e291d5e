package kafkatest

import (
	_ "embed" // the plug-in
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// receiver is a broker's plug-in that takes the metrics of clients (KIP-714)
// and does nothing with them. Without one, keys 71 and 72 are not offered.
//
//go:embed testdata/Receiver.java
var receiver []byte

// Receiver returns settings for Start that give a broker from 3.7 on a
// receiver of telemetry. The plug-in is compiled against the release's jars.
func Receiver(t testing.TB, release string) []string {
	t.Helper()
	needJava(t)
	if _, err := exec.LookPath("javac"); err != nil {
		unable(t, "javac is missing, which compiles a plug-in: %v", err)
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "Receiver.java")
	if err := os.WriteFile(source, receiver, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := output(exec.Command("javac", "-proc:none", "-cp", every(Jars(t, release)), "-d", dir, source)); err != nil {
		t.Fatalf("compiling the receiver for %s: %v", release, err)
	}
	return []string{classPath + dir, "metric.reporters=Receiver"}
}
