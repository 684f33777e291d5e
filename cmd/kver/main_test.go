package main

import (
	"os"
	"testing"

	"github.com/itchyny/gojq/cli"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes this test binary stand for the commands that scripts and the
// README use: kver itself, and jq, so that its recipes are run wherever the
// tests are.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"kver": main,
		"jq":   func() { os.Exit(cli.Run()) },
	})
}
