package kafkatest

import (
	"encoding/binary"
	"fmt"
	"time"
)

// Forward has a KRaft broker forward a request to its controller: one to check
// whether a topic could be created, which changes nothing. A broker opens its
// connection to the controller with the first such request, and from then on
// offers no more of the forwarded keys than the controller does.
func Forward(addr string, timeout time.Duration) error {
	frame, err := exchange(addr, createTopics(timeout), timeout)
	if err != nil {
		return fmt.Errorf("asking whether a topic could be created: %w", err)
	}
	if len(frame) < 8 || binary.BigEndian.Uint32(frame[4:]) != correlationID {
		return fmt.Errorf("asking whether a topic could be created: the answer is %x", frame)
	}
	return nil
}

// createTopics is a CreateTopics request with its size, in version 2, which
// every release with KRaft takes, with validate_only set.
func createTopics(timeout time.Duration) []byte {
	const key, version, partitions, replicas, validateOnly = 19, 2, 1, 1, 1
	b := make([]byte, 4, 64)
	b = binary.BigEndian.AppendUint16(b, key)
	b = binary.BigEndian.AppendUint16(b, version)
	b = binary.BigEndian.AppendUint32(b, correlationID)
	b = appendString(b, clientName)
	b = binary.BigEndian.AppendUint32(b, 1) // topics
	b = appendString(b, clientName)
	b = binary.BigEndian.AppendUint32(b, partitions)
	b = binary.BigEndian.AppendUint16(b, replicas)
	b = append(b, 0, 0, 0, 0, 0, 0, 0, 0) // no assignments, no configuration
	b = binary.BigEndian.AppendUint32(b, uint32(timeout.Milliseconds()))
	b = append(b, validateOnly)
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	return b
}

func appendString(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint16(b, uint16(len(s))), s...)
}
