package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// colorTerminal reports whether f is a console that shows colours. Consoles
// have to be told to read escapes; one that cannot gets plain text.
func colorTerminal(f *os.File) bool {
	console := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
