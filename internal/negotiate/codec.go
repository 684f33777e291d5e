package negotiate

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// KmsgVersion is the release of kmsg that this build encodes with, and
// KmsgKafka the Apache Kafka release whose tables it holds. Tests keep the
// first equal to go.mod's and the second to what kversion calls stable.
const (
	KmsgVersion = "v1.15.1"
	KmsgKafka   = "4.4"
)

// Codec is what a client side can encode and decode, per API key: the O in
// "broker B, ours O".
type Codec struct {
	Name    string // kmsg
	Version string // v1.15.1
	Kafka   string // the Apache Kafka release whose versions it holds: 4.4
	ranges  map[int16]*Range
}

// Schema is the versions of one API that a codec knows, for requests and for
// responses apart, since a codec may run ahead on one of them.
type Schema struct {
	Request, Response Range
}

// NewCodec makes a codec out of schemas by key. The range of a key is what
// request and response have in common: a response version that no request can
// reach is unreachable. A key whose two sides have nothing in common, or whose
// schema is not valid, counts as not known.
func NewCodec(name, version, kafka string, schemas map[int16]Schema) Codec {
	c := Codec{Name: name, Version: version, Kafka: kafka, ranges: make(map[int16]*Range, len(schemas))}
	for key, s := range schemas {
		if r, ok := s.Request.Overlap(s.Response); ok {
			c.ranges[key] = &r
		}
	}
	return c
}

// Kmsg returns the codec that kver is built with. kmsg records no minimum and
// encodes every version from 0.
func Kmsg() Codec {
	return NewCodec("kmsg", KmsgVersion, KmsgKafka, kmsgSchemas())
}

func kmsgSchemas() map[int16]Schema {
	schemas := make(map[int16]Schema, kmsg.MaxKey+1)
	for key := int16(0); key <= kmsg.MaxKey; key++ {
		req, resp := kmsg.RequestForKey(key), kmsg.ResponseForKey(key)
		if req == nil || resp == nil {
			continue
		}
		schemas[key] = Schema{
			Request:  Range{0, req.MaxVersion()},
			Response: Range{0, resp.MaxVersion()},
		}
	}
	return schemas
}

// Range returns what the codec can use of a key, or nil where it has no schema.
func (c Codec) Range(key int16) *Range { return c.ranges[key] }

// Keys returns the keys the codec knows, in order.
func (c Codec) Keys() []int16 {
	keys := make([]int16, 0, len(c.ranges))
	for key := range c.ranges {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
