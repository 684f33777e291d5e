package kafkatest

import (
	"context"
	"encoding/binary"
	"net"
	"testing"
)

// Resolver returns a resolver that knows one thing: every name has these IPv4
// addresses. It asks a name server on loopback that ends with the test, and
// that names another address first with each answer, as name servers do.
func Resolver(t testing.TB, addrs ...string) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		query := make([]byte, 512) // as long as DNS over UDP gets
		for {
			n, from, err := server.ReadFrom(query)
			if err != nil {
				return
			}
			answer, of := reply(query[:n], addrs)
			if of == typeA && len(addrs) > 0 {
				addrs = append(addrs[1:len(addrs):len(addrs)], addrs[0])
			}
			_, _ = server.WriteTo(answer, from)
		}
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-done
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// typeA is the type of a record with an IPv4 address.
const typeA = 1

// reply answers a query for addresses (RFC 1035): the header with the answer
// bit and the counts, the question as it came, then a record for each address
// whose name points back at the question's.
func reply(query []byte, addrs []string) (answer []byte, kind uint16) {
	const header = 12
	end := header
	for query[end] != 0 {
		end += int(query[end]) + 1
	}
	end += 1 + 4 // the root, type and class
	kind = binary.BigEndian.Uint16(query[end-4:])
	if kind != typeA {
		addrs = nil
	}
	out := append([]byte(nil), query[:2]...)
	out = append(out, 0x81, 0x80, 0, 1, 0, byte(len(addrs)), 0, 0, 0, 0)
	out = append(out, query[header:end]...)
	for _, a := range addrs {
		out = append(out, 0xc0, header, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4)
		out = append(out, net.ParseIP(a).To4()...)
	}
	return out, kind
}
