package snapshot

import "fmt"

// Error is a document that cannot be used as a snapshot.
type Error struct {
	Name  string // the document, as Read was told to call it
	Place string // line:column, or a path as jq writes it: .brokers[0].target; "" for the whole
	Msg   string // what was seen and what was needed
	Hint  string // what to try
	Err   error  // why it could not be read, where that is the reason
}

// The hints. Which one goes with an error follows from what was wrong.
const (
	hintWrite  = "write one with: kver versions -o json"
	hintStates = "write one without --state: kver versions -o json"
	hintUTF8   = "write UTF-8: kver versions -o json | Out-File -Encoding utf8 FILE"
)

func (e *Error) Error() string {
	msg := fmt.Sprintf("reading snapshot %q", e.Name)
	if e.Place != "" {
		msg += " at " + e.Place
	}
	return msg + ": " + e.Msg + "; " + e.Hint
}

func (e *Error) Unwrap() error { return e.Err }
