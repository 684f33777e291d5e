// Package kver_test holds the shape of the house: which package may import
// which, that the rules stay pure, where the program may end, and that nothing
// here speaks of the machine it was written on.
package kver_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/kver-cli/kver/"

// rooms are the packages of the house and what each may import of it outside
// of tests. A new one has to be given its place here.
var rooms = map[string][]string{
	"cmd/kver":           {"internal/catalog", "internal/dial", "internal/negotiate", "internal/render", "internal/settings", "internal/snapshot"},
	"internal/catalog":   {"internal/negotiate"},
	"internal/dial":      {"internal/negotiate"},
	"internal/kafkatest": {},
	"internal/negotiate": {},
	"internal/render":    {"internal/negotiate"},
	"internal/settings":  {"internal/dial", "internal/negotiate"},
	"internal/snapshot":  {"internal/negotiate"},
}

// oneRoom are modules that a single package may know.
var oneRoom = map[string]string{
	"github.com/fatih/color":                "internal/render",
	"github.com/olekukonko/tablewriter":     "internal/render",
	"github.com/twmb/franz-go/pkg/kfake":    "tests",
	module + "internal/kafkatest":           "tests",
	"testing":                               "tests",
	"github.com/rogpeppe/go-internal":       "tests",
	"github.com/itchyny/gojq":               "tests",
	"github.com/santhosh-tekuri/jsonschema": "tests",
}

// impure are the packages by which the rules in negotiate could see or touch
// anything but their arguments.
var impure = []string{"bufio", "context", "io", "io/fs", "log", "log/slog", "math/rand", "math/rand/v2", "net", "net/http", "os", "os/exec", "sync", "syscall", "time", "unsafe"}

// shapeless are names under which anything could be put.
var shapeless = []string{"base", "common", "helper", "helpers", "lib", "misc", "pkg", "shared", "types", "util", "utils"}

// source is one Go file.
type source struct {
	path string // from the root, with slashes
	*ast.File
}

func (s source) dir() string { return path.Dir(s.path) }

// test reports whether the file is part of tests only.
func (s source) test() bool {
	return strings.HasSuffix(s.path, "_test.go") || s.dir() == "internal/kafkatest"
}

func (s source) imports() []string {
	var paths []string
	for _, i := range s.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// calls returns what the file calls by name: panic, os.Exit.
func (s source) calls() (names []string) {
	ast.Inspect(s.File, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			names = append(names, types.ExprString(call.Fun))
		}
		return true
	})
	return names
}

// within reports whether an import path is the module or package, or below it.
func within(path, module string) bool {
	return path == module || strings.HasPrefix(path, module+"/")
}

// rules return what is wrong with a file, one sentence each.
var rules = map[string]func(source) []string{
	"imports go one way": func(s source) (faults []string) {
		may, ok := rooms[s.dir()]
		if !ok && s.dir() != "." {
			faults = append(faults, "is in no room of the house: "+s.dir())
		}
		for _, p := range s.imports() {
			room, ours := strings.CutPrefix(p, module)
			if ours && !s.test() && !slices.Contains(may, room) {
				faults = append(faults, "must not import "+room)
			}
		}
		return faults
	},
	"one room knows it": func(s source) (faults []string) {
		for _, p := range s.imports() {
			for known, room := range oneRoom {
				if within(p, known) && s.dir() != room && !s.test() {
					faults = append(faults, fmt.Sprintf("imports %s, which is for %s", p, room))
				}
			}
		}
		return faults
	},
	"the rules are pure": func(s source) (faults []string) {
		if s.dir() != "internal/negotiate" || s.test() {
			return nil
		}
		for _, p := range s.imports() {
			first, _, _ := strings.Cut(p, "/")
			if strings.Contains(first, ".") && p != "github.com/twmb/franz-go/pkg/kmsg" || slices.Contains(impure, p) {
				faults = append(faults, "imports "+p)
			}
		}
		for _, name := range s.calls() {
			if strings.HasPrefix(name, "fmt.Print") || name == "print" || name == "println" {
				faults = append(faults, "calls "+name)
			}
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			if _, ok := n.(*ast.GoStmt); ok {
				faults = append(faults, "starts a goroutine")
			}
			return true
		})
		return faults
	},
	"one way out": func(s source) (faults []string) {
		if strings.HasSuffix(s.path, "_test.go") {
			return nil
		}
		for _, name := range s.calls() {
			exits := name == "os.Exit" || strings.HasPrefix(name, "log.Fatal")
			if name == "panic" || strings.HasPrefix(name, "log.Panic") || exits && s.path != "cmd/kver/main.go" {
				faults = append(faults, "calls "+name)
			}
		}
		for _, d := range s.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				faults = append(faults, "has an init function")
			}
		}
		return faults
	},
	"a package is named after what it holds": func(s source) (faults []string) {
		for _, name := range append(strings.Split(s.dir(), "/"), s.Name.Name) {
			if slices.Contains(shapeless, name) {
				faults = append(faults, "is in "+name)
			}
		}
		return faults
	},
}

func TestHouse(t *testing.T) {
	sources := goFiles(t)
	if len(sources) < 50 {
		t.Fatalf("only %d Go files were found", len(sources))
	}
	for _, s := range sources {
		for name, check := range rules {
			for _, fault := range check(s) {
				t.Errorf("%s: %s (%s)", s.path, fault, name)
			}
		}
	}
}

// goFiles parses every Go file that is built or tested.
func goFiles(t *testing.T) []source {
	t.Helper()
	var sources []source
	eachFile(t, func(name string) {
		if path.Ext(name) != ".go" || slices.Contains(strings.Split(name, "/"), "testdata") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, source{name, f})
	})
	return sources
}

// eachFile walks the checkout without what git keeps for itself.
func eachFile(t *testing.T, visit func(name string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || name == "dist"):
			return filepath.SkipDir
		case d.Type().IsRegular():
			visit(filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// elsewhere are paths of machines that mean nothing to anyone else, written so
// that this file has none.
var elsewhere = []string{"/wor" + "k/", "../sha" + "red", "/ho" + "me/", "/ro" + "ot/", "/Us" + "ers/"}

// foreignPaths returns the lines of a text that name one.
func foreignPaths(text []byte) (lines []int) {
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if slices.ContainsFunc(elsewhere, func(p string) bool { return bytes.Contains(line, []byte(p)) }) {
			lines = append(lines, n)
		}
	}
	return lines
}

func TestNoFileNamesTheMachineItWasWrittenOn(t *testing.T) {
	eachFile(t, func(name string) {
		text, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.IndexByte(text, 0) >= 0 {
			return // a program that was built here
		}
		for _, line := range foreignPaths(text) {
			t.Errorf("%s:%d names a path of one machine", name, line)
		}
	})
}

// TestRulesCatchWhatBreaksThem feeds each rule a file that keeps it and one
// that does not.
func TestRulesCatchWhatBreaksThem(t *testing.T) {
	imports := func(p string) string { return "import _ \"" + p + "\"" }
	ours := func(p string) string { return imports(module + p) }
	for _, c := range []struct{ rule, path, code, want string }{
		{"imports go one way", "internal/dial/a.go", ours("internal/negotiate"), ""},
		{"imports go one way", "internal/dial/a.go", ours("internal/render"), "must not import internal/render"},
		{"imports go one way", "internal/render/a.go", ours("internal/dial"), "must not import internal/dial"},
		{"imports go one way", "internal/snapshot/a.go", ours("internal/dial"), "must not import internal/dial"},
		{"imports go one way", "internal/negotiate/a.go", ours("internal/dial"), "must not import internal/dial"},
		{"imports go one way", "cmd/kver/a.go", ours("internal/kafkatest"), "must not import internal/kafkatest"},
		{"imports go one way", "internal/extra/a.go", "", "is in no room of the house: internal/extra"},
		{"one room knows it", "internal/dial/a.go", imports("github.com/olekukonko/tablewriter/tw"), "imports github.com/olekukonko/tablewriter/tw, which is for internal/render"},
		{"one room knows it", "internal/dial/a.go", ours("internal/kafkatest"), "imports " + module + "internal/kafkatest, which is for tests"},
		{"one room knows it", "internal/dial/a_test.go", imports("testing"), ""},
		{"the rules are pure", "internal/negotiate/a.go", imports("github.com/twmb/franz-go/pkg/kmsg"), ""},
		{"the rules are pure", "internal/negotiate/a.go", imports("github.com/twmb/franz-go/pkg/kversion"), "imports github.com/twmb/franz-go/pkg/kversion"},
		{"the rules are pure", "internal/negotiate/a.go", imports("os"), "imports os"},
		{"the rules are pure", "internal/negotiate/a.go", `func f() { fmt.Println() }`, "calls fmt.Println"},
		{"the rules are pure", "internal/negotiate/a.go", `func f() { println() }`, "calls println"},
		{"the rules are pure", "internal/negotiate/a.go", `func f() { go f() }`, "starts a goroutine"},
		{"the rules are pure", "internal/negotiate/a.go", `func f() string { return fmt.Sprint(1) }`, ""},
		{"one way out", "internal/dial/a.go", `func f() { panic(1) }`, "calls panic"},
		{"one way out", "internal/dial/a.go", `func f() { func() { os.Exit(1) }() }`, "calls os.Exit"},
		{"one way out", "cmd/kver/main.go", `func f() { os.Exit(1) }`, ""},
		{"one way out", "cmd/kver/root.go", `func f() { log.Fatalf("") }`, "calls log.Fatalf"},
		{"one way out", "internal/dial/a.go", `func init() {}`, "has an init function"},
		{"one way out", "internal/dial/a.go", `func (t) init() {}`, ""},
		{"a package is named after what it holds", "internal/util/a.go", "", "is in util"},
	} {
		f, err := parser.ParseFile(token.NewFileSet(), c.path, "package p\n"+c.code, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(rules[c.rule](source{c.path, f}), "; "); got != c.want {
			t.Errorf("%s, %s with %q: %q, want %q", c.rule, c.path, c.code, got, c.want)
		}
	}
	for _, p := range elsewhere {
		if got := foreignPaths([]byte("a\nsee " + p + "x\n")); !slices.Equal(got, []int{2}) {
			t.Errorf("%s is found on lines %v", p, got)
		}
	}
	if got := foreignPaths([]byte("network/ works\nshared\n")); got != nil {
		t.Errorf("lines %v name no path", got)
	}
}
