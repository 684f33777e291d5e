package main

import (
	"errors"
	"strings"
)

// words is the value of a flag that takes a comma list and may be given more
// than once. An empty entry is an error: in a pipeline it is a variable that
// was not set, and a gate without a kind would pass for ever.
type words []string

// String implements pflag.Value.
func (w *words) String() string { return strings.Join(*w, ",") }

// Type implements pflag.Value; it stands for the value in help texts.
func (w *words) Type() string { return "list" }

// Set implements pflag.Value.
func (w *words) Set(value string) error {
	for entry := range strings.SplitSeq(value, ",") {
		entry = strings.TrimSpace(entry)
		if entry == "" {
			return errors.New("an entry is empty")
		}
		*w = append(*w, entry)
	}
	return nil
}
