package catalog

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"

	"github.com/kver-cli/kver/internal/kafkatest"
)

// Tagged fields of the answer.
const (
	tagSupported = iota
	tagEpoch
	tagFinalized
	tagZkMigrationReady
)

// frame encodes an answer, from its size on, field by field after Kafka's
// message definition. Fields that a broker leaves out are left out.
func frame(correlation uint32, version int16, t kafkatest.Table) []byte {
	w := writer{flexible: version >= 3}
	w.int32(0)
	w.int32(correlation)
	w.int16(t.Code)
	w.length(len(t.Rows))
	for _, r := range t.Rows {
		w.int16(r.Key)
		w.int16(r.Min)
		w.int16(r.Max)
		w.tags()
	}
	if version >= 1 {
		w.int32(uint32(t.Throttle))
	}
	var tags []tag
	if len(t.Supported) > 0 {
		tags = append(tags, tag{tagSupported, features(t.Supported, func(f kafkatest.Feature) [2]int16 { return [2]int16{f.Min, f.Max} })})
	}
	if t.Epoch >= 0 {
		tags = append(tags, tag{tagEpoch, binary.BigEndian.AppendUint64(nil, uint64(t.Epoch))})
	}
	if len(t.Finalized) > 0 { // here the highest level comes first
		tags = append(tags, tag{tagFinalized, features(t.Finalized, func(f kafkatest.Feature) [2]int16 { return [2]int16{f.Max, f.Min} })})
	}
	if t.ZkMigrationReady {
		tags = append(tags, tag{tagZkMigrationReady, []byte{1}})
	}
	w.tags(tags...)
	binary.BigEndian.PutUint32(w.bytes, uint32(len(w.bytes)-4))
	return w.bytes
}

func features(list []kafkatest.Feature, levels func(kafkatest.Feature) [2]int16) []byte {
	w := writer{flexible: true}
	w.length(len(list))
	for _, f := range list {
		w.length(len(f.Name))
		w.bytes = append(w.bytes, f.Name...)
		for _, level := range levels(f) {
			w.int16(level)
		}
		w.tags()
	}
	return w.bytes
}

type tag struct {
	number uint64
	field  []byte
}

type writer struct {
	bytes    []byte
	flexible bool
}

func (w *writer) int16(n int16)  { w.bytes = binary.BigEndian.AppendUint16(w.bytes, uint16(n)) }
func (w *writer) int32(n uint32) { w.bytes = binary.BigEndian.AppendUint32(w.bytes, n) }

func (w *writer) length(n int) {
	if w.flexible {
		w.bytes = binary.AppendUvarint(w.bytes, uint64(n)+1)
	} else {
		w.int32(uint32(n))
	}
}

func (w *writer) tags(tags ...tag) {
	if !w.flexible {
		return
	}
	w.bytes = binary.AppendUvarint(w.bytes, uint64(len(tags)))
	for _, t := range tags {
		w.bytes = binary.AppendUvarint(w.bytes, t.number)
		w.bytes = binary.AppendUvarint(w.bytes, uint64(len(t.field)))
		w.bytes = append(w.bytes, t.field...)
	}
}

// canonical takes out of an answer what differs from one run to the next: the
// epoch, which is an offset, and the order of features, which is a hash map's.
// Rows come by key, and so do those of 3.0 here, which has 58 at the end.
func canonical(t kafkatest.Table) kafkatest.Table {
	byName := func(a, b kafkatest.Feature) int { return cmp.Compare(a.Name, b.Name) }
	t.Rows = slices.SortedFunc(slices.Values(t.Rows), func(a, b kafkatest.Row) int { return cmp.Compare(a.Key, b.Key) })
	t.Supported = slices.SortedFunc(slices.Values(t.Supported), byName)
	t.Finalized = slices.SortedFunc(slices.Values(t.Finalized), byName)
	t.Epoch = min(t.Epoch, 0)
	return t
}

// hash is the one of an answer's canonical frame, as recordings.txt has it.
func hash(version int16, t kafkatest.Table) string {
	sum := sha256.Sum256(frame(0, version, canonical(t)))
	return hex.EncodeToString(sum[:])
}

// tableOf turns an entry back into the answer that it was made of.
func tableOf(e Entry) kafkatest.Table {
	t := kafkatest.Table{Epoch: -1, ZkMigrationReady: e.ZkMigrationReady}
	if e.finalizedEpoch {
		t.Epoch = 0
	}
	for _, r := range e.Rows {
		t.Rows = append(t.Rows, kafkatest.Row{Key: r.Key, Min: r.Min, Max: r.Max})
	}
	for _, f := range e.Features {
		if f.Supported != nil {
			t.Supported = append(t.Supported, kafkatest.Feature{Name: f.Name, Min: f.Supported.Min, Max: f.Supported.Max})
		}
		if f.Finalized != nil && *f.Finalized > 0 { // level 0 is never listed
			t.Finalized = append(t.Finalized, kafkatest.Feature{Name: f.Name, Min: *f.Finalized, Max: *f.Finalized})
		}
	}
	return t
}
