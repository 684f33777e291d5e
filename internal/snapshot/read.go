package snapshot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/kver-cli/kver/internal/negotiate"
)

// Document is a snapshot: what was recorded of some peers.
type Document struct {
	Peers []*negotiate.Peer
	APIs  []int16 // the keys it was recorded for, nil for all
}

// MaxSize is how large a snapshot may be. 1,000 brokers take about 20 MB; what
// is several times as large is another file, named by mistake.
const MaxSize = 64 << 20

// Read reads a kver.versions document. name is what messages, and the Source
// of every peer, call it. Its errors are of type *Error.
func Read(r io.Reader, name string) (Document, error) {
	data, err := readAll(r)
	if err != nil {
		return Document{}, &Error{Name: name, Msg: err.Error(), Hint: hintWrite, Err: err}
	}
	doc, wrong := parse(data)
	if wrong != nil {
		wrong.Name = name
		return Document{}, wrong
	}
	for _, p := range doc.Peers {
		p.Source = name
	}
	return doc, nil
}

// readAll reads a document, or as much as tells that it is no JSON: a device or
// a disk image, named by mistake, is not read to its end.
func readAll(r io.Reader) ([]byte, error) {
	const glance = 512
	r = io.LimitReader(r, MaxSize+1)
	start, err := io.ReadAll(io.LimitReader(r, glance))
	text := bytes.TrimSpace(bytes.TrimPrefix(start, []byte(markUTF8)))
	if err != nil || len(text) > 0 && !bytes.ContainsAny(text[:1], `{["-0123456789tfn`) {
		return start, err
	}
	rest, err := io.ReadAll(r)
	return append(start, rest...), err
}

// The marks at the front of a text that name its encoding. PowerShell writes
// the first one with Out-File -Encoding utf8 and the second one with >.
const (
	markUTF8    = "\xef\xbb\xbf"
	markUTF16LE = "\xff\xfe"
	markUTF16BE = "\xfe\xff"
)

// parse goes from the outside to the inside: size, encoding, grammar, schema,
// facts, so that the first thing that is wrong explains the rest.
func parse(data []byte) (Document, *Error) {
	text := bytes.TrimPrefix(data, []byte(markUTF8))
	switch {
	case len(data) > MaxSize:
		return Document{}, wrong(hintWrite, "larger than %d MiB, which no snapshot is", MaxSize>>20)
	case isUTF16(data):
		return Document{}, wrong(hintUTF8, "UTF-16, as PowerShell's > writes it; needs UTF-8")
	case len(bytes.TrimSpace(text)) == 0:
		return Document{}, wrong(hintWrite, "empty")
	}
	if err := checkSchema(text); err != nil {
		return Document{}, err
	}
	return facts(text)
}

func wrong(hint, format string, args ...any) *Error {
	return &Error{Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// isUTF16 knows UTF-16 by its mark or, without one, by the zero half of the
// first character of a document.
func isUTF16(data []byte) bool {
	for _, start := range []string{markUTF16LE, markUTF16BE, "{\x00", "\x00{"} {
		if bytes.HasPrefix(data, []byte(start)) {
			return true
		}
	}
	return false
}

// checkSchema checks that text is one JSON object of the schema that can be
// read. It leaves the rest of the contents alone.
func checkSchema(text []byte) *Error {
	var head struct{ Schema json.RawMessage }
	err := json.Unmarshal(text, &head)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return &Error{Place: place(text, syntax.Offset), Msg: syntax.Error(), Hint: hintWrite}
	case err != nil:
		return wrong(hintWrite, "JSON, but not an object; needs a %s document", VersionsSchema)
	case head.Schema == nil:
		return wrong(hintWrite, "JSON without a schema; needs a %s document", VersionsSchema)
	}
	var schema string
	if json.Unmarshal(head.Schema, &schema) != nil {
		return &Error{Place: ".schema", Msg: fmt.Sprintf("not a text; needs %q", VersionsSchema), Hint: hintWrite}
	}
	family, _, _ := strings.Cut(VersionsSchema, "/")
	switch {
	case schema == VersionsSchema:
		return nil
	case strings.HasPrefix(schema, family+"/"):
		return wrong("read it with the kver that wrote it, or "+hintWrite,
			"a %s document, which this build cannot read; needs %s", excerpt(schema), VersionsSchema)
	}
	return wrong(hintWrite, "a %s document; needs %s", excerpt(schema), VersionsSchema)
}

// place turns the offset of a syntax error, the bytes up to and including the
// character that is wrong, into line:column. Columns count characters. The
// place of a text that ends too early is its last character.
func place(text []byte, offset int64) string {
	before := text[:max(offset-1, 0)]
	line := 1 + bytes.Count(before, []byte("\n"))
	start := bytes.LastIndexByte(before, '\n') + 1
	return fmt.Sprintf("%d:%d", line, 1+utf8.RuneCount(before[start:]))
}
