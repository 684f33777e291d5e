package render

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestChunks: a table that is longer than the library is given at once looks
// like any other, wherever its widest cells are.
func TestChunks(t *testing.T) {
	const n = 2*chunk + 3
	for _, wide := range []int{0, chunk - 1, chunk, n - 1} {
		rows := make([][]cell, n)
		for i := range rows {
			name := "x"
			if i == wide {
				name = "wider"
			}
			rows[i] = []cell{say(fmt.Sprint(i), plain), say(name, bold), say("end", plain)}
		}
		var b bytes.Buffer
		p := newPage(&b, Style{})
		p.table([]column{right("KEY"), left("N"), left("E")}, rows)
		if err := p.close(); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) != n+1 || lines[0] != " KEY   N       E" {
			t.Fatalf("%d lines, the first is %q", len(lines), lines[0])
		}
		for i, line := range lines[1:] {
			if want := fmt.Sprintf("%4d   %-5s   end", i, strings.TrimSpace(line[7:12])); line != want {
				t.Fatalf("row %d is %q, want %q", i, line, want)
			}
		}
	}
}
