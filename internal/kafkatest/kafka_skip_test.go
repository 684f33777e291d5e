package kafkatest

import (
	"flag"
	"fmt"
	"strings"
	"testing"
)

// witness is a test that notes how it ends.
type witness struct {
	testing.TB
	end string
}

func (w *witness) stop(kind, words string) { w.end = kind + ": " + words; panic(w) }

func (w *witness) Helper()                      {}
func (w *witness) Skip(args ...any)             { w.stop("skip", fmt.Sprint(args...)) }
func (w *witness) Skipf(f string, args ...any)  { w.stop("skip", fmt.Sprintf(f, args...)) }
func (w *witness) Fatalf(f string, args ...any) { w.stop("fatal", fmt.Sprintf(f, args...)) }

// TestMissing takes the tools away: tests skip and say why, and fail in CI.
func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv(cacheVariable, t.TempDir())
	java := func(w *witness) { needJava(w) }
	maven := func(w *witness) { Jars(w, "4.4.0") }
	for _, c := range []struct {
		name, ci, short string
		need            func(*witness)
		want            string
	}{
		{"no Java", "", "false", java, "skip: java is missing"},
		{"no Java in CI", "true", "false", java, "fatal: java is missing"},
		{"no Maven", "", "false", maven, "skip: mvn is missing"},
		{"no Maven in CI", "true", "false", maven, "fatal: mvn is missing"},
		{"short", "", "true", java, "skip: -short"},
		{"short in CI", "true", "true", java, "fatal: java is missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("CI", c.ci)
			was := flag.Lookup("test.short").Value.String()
			defer flag.Set("test.short", was) //nolint:errcheck // it was set to this before
			if err := flag.Set("test.short", c.short); err != nil {
				t.Fatal(err)
			}
			w := &witness{TB: t}
			func() {
				defer func() {
					if r := recover(); r != nil && r != w {
						panic(r)
					}
				}()
				c.need(w)
			}()
			if !strings.HasPrefix(w.end, c.want) {
				t.Errorf("it ended with %q, want %q", w.end, c.want)
			}
		})
	}
}
