package kafkatest

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Table is an ApiVersions response, field by field, in the order it came.
type Table struct {
	Code     int16
	Rows     []Row
	Throttle int32 // milliseconds

	Supported, Finalized []Feature
	Epoch                int64 // of Finalized, -1 where there is none
	ZkMigrationReady     bool
	OtherTags            []uint64 // tagged fields that this decoder cannot read
}

// Row is one API key and the versions of it that a node offers.
type Row struct{ Key, Min, Max int16 }

// Feature is a feature with its levels.
type Feature struct {
	Name     string
	Min, Max int16
}

// Tagged fields of the response, and the code of a refusal.
const (
	tagSupported = iota
	tagEpoch
	tagFinalized
	tagZkMigrationReady

	unsupportedVersion = 35
)

// DecodeFrame decodes a frame, from its size on, that answers a request of the
// version.
func DecodeFrame(version int16, frame []byte) (Table, error) {
	if len(frame) < 8 {
		return Table{}, errors.New("the frame has no header")
	}
	if size := binary.BigEndian.Uint32(frame); int(size) != len(frame)-4 {
		return Table{}, fmt.Errorf("the frame has %d bytes and says %d", len(frame)-4, size)
	}
	if id := binary.BigEndian.Uint32(frame[4:]); id != correlationID {
		return Table{}, fmt.Errorf("the frame answers request %d", id)
	}
	return Decode(version, frame[8:])
}

// Decode decodes the body of an answer to a request of the version. It stands
// on encoding/binary and Kafka's message definition alone, and so can be held
// against a codec. A refusal comes in version 0, whatever was asked (KIP-511).
func Decode(version int16, body []byte) (Table, error) {
	if len(body) >= 2 && binary.BigEndian.Uint16(body) == unsupportedVersion {
		version = 0
	}
	r := reader{rest: body, flexible: version >= 3}
	table := Table{Epoch: -1, Code: r.int16()}
	for range r.length() {
		table.Rows = append(table.Rows, Row{r.int16(), r.int16(), r.int16()})
		r.tags(nil)
	}
	if version >= 1 {
		table.Throttle = r.int32()
	}
	r.tags(table.tag)
	if r.err == nil && len(r.rest) > 0 {
		r.err = fmt.Errorf("%d bytes are left over", len(r.rest))
	}
	return table, r.err
}

func (t *Table) tag(number uint64, field *reader) {
	switch number {
	case tagSupported:
		for range field.length() {
			t.Supported = append(t.Supported, Feature{Name: field.string(), Min: field.int16(), Max: field.int16()})
			field.tags(nil)
		}
	case tagEpoch:
		t.Epoch = int64(binary.BigEndian.Uint64(field.take(8)))
	case tagFinalized: // here the highest level comes first
		for range field.length() {
			t.Finalized = append(t.Finalized, Feature{Name: field.string(), Max: field.int16(), Min: field.int16()})
			field.tags(nil)
		}
	case tagZkMigrationReady:
		t.ZkMigrationReady = field.take(1)[0] != 0
	default:
		t.OtherTags = append(t.OtherTags, number)
		field.rest = nil
	}
}

// reader reads from the front. Past the end it reads zeros and keeps an error.
type reader struct {
	rest     []byte
	flexible bool
	err      error
}

func (r *reader) take(n int) []byte {
	if n > len(r.rest) {
		r.err = errors.New("the answer ends too early")
		r.rest = nil
		return make([]byte, min(n, 8))
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) int16() int16 { return int16(binary.BigEndian.Uint16(r.take(2))) }
func (r *reader) int32() int32 { return int32(binary.BigEndian.Uint32(r.take(4))) }

func (r *reader) uvarint() int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > maxAnswer {
		r.err = errors.New("a length is cut off or too large")
		r.rest = nil
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

// length reads the length of an array. An array cannot be longer than what is
// left of the answer.
func (r *reader) length() int {
	var n int
	if r.flexible {
		n = r.uvarint() - 1
	} else {
		n = int(r.int32())
	}
	if n < 0 || n > len(r.rest) {
		if r.err == nil {
			r.err = fmt.Errorf("an array of length %d", n)
		}
		return 0
	}
	return n
}

func (r *reader) string() string { return string(r.take(max(r.uvarint()-1, 0))) }

// tags reads a section of tagged fields and hands each on by itself, or skips
// them all.
func (r *reader) tags(each func(number uint64, field *reader)) {
	if !r.flexible {
		return
	}
	for n := r.uvarint(); n > 0 && r.err == nil; n-- {
		number := r.uvarint()
		field := reader{rest: r.take(r.uvarint()), flexible: true}
		if each == nil {
			continue
		}
		each(uint64(number), &field)
		if r.err == nil && field.err == nil && len(field.rest) > 0 {
			field.err = fmt.Errorf("%d bytes are left over in tag %d", len(field.rest), number)
		}
		r.err = errors.Join(r.err, field.err)
	}
}
