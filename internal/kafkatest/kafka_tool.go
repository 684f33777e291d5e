package kafkatest

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// toolRelease is the release of Apache's own tools. They read brokers from
// 0.10 and controllers from 3.9 on.
const toolRelease = "4.4.0"

// ToolRow is a row as Apache's tool prints it, with the name it has there.
type ToolRow struct {
	Name string
	Row
}

// ApacheTool returns what Apache's own kafka-broker-api-versions.sh (for a
// controller kafka-cluster.sh api-versions) reads from a listener, without the
// keys that it lists as unsupported.
func ApacheTool(t testing.TB, kind Kind, addr string) []ToolRow {
	t.Helper()
	needJava(t)
	libs := every(jars(t, "tools-"+toolRelease, []string{"org.apache.kafka:kafka-tools:" + toolRelease, logging}))
	class, args := "org.apache.kafka.tools.BrokerApiVersionsCommand", []string{"--bootstrap-server", addr}
	if kind == Controller {
		class, args = "org.apache.kafka.tools.ClusterTool", []string{"api-versions", "--bootstrap-controller", addr}
	}
	out, err := output(java(t.TempDir(), libs, class, args...))
	if err != nil {
		t.Fatalf("running Apache's tool on %s: %v", addr, err)
	}
	rows, err := parseTool(out, addr)
	if err != nil {
		t.Fatalf("reading what Apache's tool says of %s: %v\n%s", addr, err, out)
	}
	return rows
}

// output runs a command to its end and returns its standard output.
func output(cmd *exec.Cmd) (string, error) {
	var out, log strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &log
	done, err := startTied(cmd)
	if err == nil {
		err = <-done
	}
	if err != nil {
		return "", fmt.Errorf("%w\n%s%s", err, out.String(), log.String())
	}
	return out.String(), nil
}

// parseTool reads the block of one node. It begins with
//
//	127.0.0.1:9092 (id: 1 rack: null isFenced: false) -> (
//
// and has lines of three kinds:
//
//	Produce(0): 0 to 13 [usable: 13],
//	OffsetDelete(47): 0 [usable: 0],
//	PushTelemetry(72): UNSUPPORTED,
func parseTool(out, addr string) ([]ToolRow, error) {
	_, block, ok := strings.Cut(out, addr+" (")
	if !ok {
		return nil, errors.New("it does not name the node")
	}
	block, _, ok = strings.Cut(block, "\n)")
	if !ok {
		return nil, errors.New("the node's block has no end")
	}
	var rows []ToolRow
	for _, line := range strings.Split(block, "\n")[1:] {
		if strings.HasSuffix(strings.TrimSuffix(line, ","), ": UNSUPPORTED") {
			continue
		}
		row, err := parseToolLine(line)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func parseToolLine(line string) (ToolRow, error) {
	form := regexp.MustCompile(`^\t(\w+)\((\d+)\): (\d+)(?: to (\d+))? \[(?:usable: \d+|unusable: [a-z ]+)\],?$`)
	m := form.FindStringSubmatch(line)
	if m == nil {
		return ToolRow{}, fmt.Errorf("the line %q is of no known kind", line)
	}
	if m[4] == "" {
		m[4] = m[3] // a single version
	}
	var numbers [3]int16
	for i, digits := range m[2:] {
		n, err := strconv.ParseInt(digits, 10, 16)
		if err != nil {
			return ToolRow{}, fmt.Errorf("reading the line %q: %w", line, err)
		}
		numbers[i] = int16(n)
	}
	return ToolRow{m[1], Row{numbers[0], numbers[1], numbers[2]}}, nil
}
