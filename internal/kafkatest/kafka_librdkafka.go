package kafkatest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// librdkafkaPackage is a client that shares no code with Kafka's own or with
// kver: librdkafka, as its Python package brings it.
const librdkafkaPackage = "confluent-kafka==2.16.1"

// askLibrdkafka lets the client connect and say what it does.
const askLibrdkafka = `import sys
from confluent_kafka.admin import AdminClient
AdminClient({"bootstrap.servers": sys.argv[1], "debug": "feature"}).list_topics(timeout=20)
`

// Librdkafka returns the table that librdkafka reads from a broker. It skips
// where Python or its package index is missing, under CI too: unlike Java and
// Maven they are not needed to work on kver.
func Librdkafka(t testing.TB, addr string) []Row {
	t.Helper()
	cmd := exec.Command(python(t), "-c", askLibrdkafka, addr)
	log, err := cmd.CombinedOutput()
	rows := parseLibrdkafka(string(log))
	if len(rows) == 0 {
		t.Fatalf("librdkafka read nothing from %s (%v):\n%s", addr, err, log)
	}
	return rows
}

// python returns an interpreter that has the package, from the cache.
func python(t testing.TB) string {
	t.Helper()
	system, err := exec.LookPath("python3")
	if err != nil {
		t.Skipf("python3 is missing, which runs librdkafka: %v", err)
	}
	cache, err := cacheFolder()
	if err != nil {
		t.Fatalf("finding a place for librdkafka: %v", err)
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	unlock, err := lock(filepath.Join(cache, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	folder := filepath.Join(cache, librdkafkaPackage)
	interpreter := filepath.Join(folder, "bin", "python")
	if exec.Command(interpreter, "-c", "import confluent_kafka").Run() == nil {
		return interpreter
	}
	for _, args := range [][]string{
		{system, "-m", "venv", "--clear", folder},
		{interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", librdkafkaPackage},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Skipf("librdkafka cannot be installed: %v\n%s", err, out)
		}
	}
	return interpreter
}

// parseLibrdkafka reads the table of the first connection from a log:
//
//	…: 127.0.0.1:9092/bootstrap:   ApiKey Produce (0) Versions 0..13
func parseLibrdkafka(log string) []Row {
	form := regexp.MustCompile(`/bootstrap: +ApiKey \S+ \((-?\d+)\) Versions (-?\d+)\.\.(-?\d+)`)
	var rows []Row
	for _, m := range form.FindAllStringSubmatch(log, -1) {
		var numbers [3]int16
		for i, digits := range m[1:] {
			n, _ := strconv.ParseInt(digits, 10, 16) // the form lets only numbers through
			numbers[i] = int16(n)
		}
		row := Row{numbers[0], numbers[1], numbers[2]}
		if slices.ContainsFunc(rows, func(r Row) bool { return r.Key == row.Key }) {
			break // another connection
		}
		rows = append(rows, row)
	}
	return rows
}
