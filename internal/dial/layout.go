package dial

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Counts that no honest answer exceeds. They are checked before kmsg allocates
// for a body, so that 1 MiB of hostile bytes stays 1 MiB.
const (
	// maxRows is some forty times what the richest peer has: 95 keys of Apache
	// Kafka and a few dozen private ones. Each becomes a line for people to read.
	maxRows = 1 << 12
	// maxFeatures and maxTags are some hundred times what the newest broker
	// sends (7 features, 3 tags).
	maxFeatures = 1 << 10
	maxTags     = 1 << 10 // in the whole body
	// maxFeatureName is far above the longest name (32 bytes). Tables pad every
	// row to the longest one.
	maxFeatureName = 1 << 8
)

var errShort = errors.New("the body ends before the layout does")

// checkLayout walks an ApiVersions response body and reports what is wrong
// with it in the layout of a version: too short, bytes left over, negative
// counts. kmsg decodes all of those without complaint: a version 0 body read
// as version 3 gives it zero rows and no error.
//
// The layout (ApiVersionsResponse.json): error code, rows, from version 1 the
// throttle time; from version 3 compact arrays, a tag section after each row
// and one at the end. The header has none, whatever the version (KIP-511).
func checkLayout(body []byte, version int16) error {
	tagsLeft := maxTags
	w := walker{b: body, flexible: version >= 3, tagsLeft: &tagsLeft}
	w.skip(2)
	rows := w.count("rows", maxRows)
	for i := 0; i < rows && w.err == nil; i++ {
		w.skip(6)
		w.tags(nil)
	}
	if version >= 1 {
		w.skip(4)
	}
	w.tags(w.features)
	if w.err == nil && len(w.b) > 0 {
		return fmt.Errorf("%d bytes are left over", len(w.b))
	}
	return w.err
}

// features walks the tagged fields that hold arrays: 0, the supported features
// (name, min, max), and 2, the finalized ones (name, max, min).
func (w *walker) features(number uint64, field []byte) error {
	if number != 0 && number != 2 {
		return nil
	}
	return (&walker{b: field, flexible: true, tagsLeft: w.tagsLeft}).featureArray(number)
}

func (w *walker) featureArray(number uint64) error {
	n := w.count("features", maxFeatures)
	for i := 0; i < n && w.err == nil; i++ {
		switch size := w.uvarint(); {
		case w.err != nil:
		case size == 0:
			w.err = errors.New("a feature has no name")
		case size-1 > maxFeatureName:
			w.err = fmt.Errorf("a feature's name has %d bytes, more than any peer can mean", size-1)
		default:
			w.skip(size - 1)
		}
		w.skip(4)
		w.tags(nil)
	}
	if w.err == nil && len(w.b) > 0 {
		return fmt.Errorf("%d bytes are left over in tagged field %d", len(w.b), number)
	}
	return w.err
}

// walker takes a body apart from the front. After the first error it does
// nothing more.
type walker struct {
	b        []byte
	flexible bool
	tagsLeft *int
	err      error
}

func (w *walker) skip(n uint64) {
	switch {
	case w.err != nil:
	case n > uint64(len(w.b)):
		w.err = errShort
	default:
		w.b = w.b[n:]
	}
}

func (w *walker) uvarint() uint64 {
	if w.err != nil {
		return 0
	}
	v, n := binary.Uvarint(w.b)
	if n <= 0 || v > 1<<32-1 {
		w.err = errShort
		return 0
	}
	w.b = w.b[n:]
	return v
}

// count reads an array's length. A null or negative array is an error, though
// kmsg reads it as an empty one.
func (w *walker) count(what string, most int) int {
	if w.err != nil {
		return 0
	}
	var n int64
	if w.flexible {
		n = int64(w.uvarint()) - 1
	} else {
		prefix := w.b
		if w.skip(4); w.err == nil {
			n = int64(int32(binary.BigEndian.Uint32(prefix)))
		}
	}
	switch {
	case w.err != nil:
		return 0
	case n < 0:
		w.err = fmt.Errorf("the number of %s is negative", what)
	case n > int64(most):
		w.err = fmt.Errorf("%d %s are more than any peer can mean", n, what)
	}
	return int(n)
}

// tags walks a tag section: a count, then number, size and bytes of each.
func (w *walker) tags(each func(number uint64, field []byte) error) {
	if !w.flexible {
		return
	}
	n := w.uvarint()
	if w.err == nil && n > uint64(*w.tagsLeft) {
		w.err = fmt.Errorf("more than %d tagged fields, more than any peer can mean", maxTags)
		return
	}
	*w.tagsLeft -= int(n)
	for ; n > 0 && w.err == nil; n-- {
		number, size := w.uvarint(), w.uvarint()
		field := w.b
		w.skip(size)
		if w.err == nil && each != nil {
			w.err = each(number, field[:size])
		}
	}
}
