package kafkatest

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"
)

const (
	apiVersionsKey = 18
	correlationID  = 7
	clientName     = "kafkatest"
	clientVersion  = "1"
	// maxAnswer is far above what any node answers (790 bytes were the most).
	maxAnswer = 1 << 20
)

// Ask sends one ApiVersions request and decodes the answer.
func Ask(addr string, version int16, timeout time.Duration) (Table, error) {
	frame, err := AskRaw(addr, version, timeout)
	if err != nil {
		return Table{}, err
	}
	return DecodeFrame(version, frame)
}

// AskRaw sends one ApiVersions request over a connection of its own and
// returns the whole frame of the answer, from its size on. The request is put
// together by hand, so that it shares no code with what it is a measure for.
//
// A peer that closes gives io.EOF, one that is silent os.ErrDeadlineExceeded.
func AskRaw(addr string, version int16, timeout time.Duration) (frame []byte, err error) {
	return exchange(addr, request(version), timeout)
}

func exchange(addr string, request []byte, timeout time.Duration) (frame []byte, err error) {
	conn, err := net.DialTimeout("tcp", addr, timeout)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(timeout)); err != nil {
		return nil, err
	}
	if _, err := conn.Write(request); err != nil {
		return nil, err
	}
	size := make([]byte, 4)
	if _, err := io.ReadFull(conn, size); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(size)
	if n > maxAnswer {
		return nil, fmt.Errorf("the answer says it has %d bytes", n)
	}
	frame = make([]byte, 4+n)
	copy(frame, size)
	_, err = io.ReadFull(conn, frame[4:])
	return frame, err
}

// request is an ApiVersions request with its size: header version 1 up to
// version 2, with a tag section behind it from version 3 (KIP-482, KIP-511).
// The client id keeps its two-byte length throughout.
func request(version int16) []byte {
	b := make([]byte, 4, 64)
	b = binary.BigEndian.AppendUint16(b, apiVersionsKey)
	b = binary.BigEndian.AppendUint16(b, uint16(version))
	b = binary.BigEndian.AppendUint32(b, correlationID)
	b = appendString(b, clientName)
	if version >= 3 {
		b = append(b, 0) // the header's tags
		b = appendCompact(b, clientName)
		b = appendCompact(b, clientVersion)
		if version >= 5 {
			b = append(b, 0, 0xff, 0xff, 0xff, 0xff) // no cluster id, no node id (KIP-1242)
		}
		b = append(b, 0) // the body's tags
	}
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	return b
}

func appendCompact(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))+1), s...)
}
