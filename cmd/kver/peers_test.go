package main

import (
	"encoding/binary"
	"encoding/hex"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/twmb/franz-go/pkg/kfake"
)

// fakeBroker is a broker of the in-process cluster that franz-go tests with.
func fakeBroker(t *testing.T) (addr string) {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c.ListenAddrs()[0]
}

// answers are the bodies that the peers of scripts send, whatever they are
// asked, after the correlation id.
var answers = map[string]string{
	// Produce 0-11, Metadata 0-12, ApiVersions 0-3
	"ok3": "0000 04 0000 0000 000b 00 0003 0000 000c 00 0012 0000 0003 00 00000000 00",
	// Produce 0-14 (ahead), Fetch 19-20 (too new), ApiVersions 0-5, Unknown(95) 0-3
	"next":   "0000 05 0000 0000 000e 00 0001 0013 0014 00 0012 0000 0005 00 005f 0000 0003 00 00000000 00",
	"silent": "",
}

// peer starts a peer for a script and puts its address into a variable:
// peer NAME KIND, where KIND is one of answers, or refused: a port on which
// nobody listens.
func peer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: peer NAME KIND")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Setenv(args[0], listener.Addr().String())
	if args[1] == "refused" {
		ts.Check(listener.Close())
		return
	}
	answer, ok := answers[args[1]]
	if !ok {
		ts.Fatalf("no peer %s", args[1])
	}
	body, err := hex.DecodeString(strings.ReplaceAll(answer, " ", ""))
	ts.Check(err)
	var served sync.WaitGroup
	ts.Defer(func() {
		_ = listener.Close()
		served.Wait()
	})
	served.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			served.Go(func() { serve(conn, body) })
		}
	})
}

// serve answers every request with the body, or none if there is none.
func serve(conn net.Conn, body []byte) {
	defer conn.Close()
	for {
		head := make([]byte, 12) // size, key, version, correlation id
		if _, err := io.ReadFull(conn, head); err != nil {
			return
		}
		rest := int64(binary.BigEndian.Uint32(head)) - 8
		if _, err := io.CopyN(io.Discard, conn, rest); err != nil {
			return
		}
		if len(body) == 0 {
			continue
		}
		frame := binary.BigEndian.AppendUint32(nil, uint32(4+len(body)))
		frame = append(append(frame, head[8:12]...), body...)
		if _, err := conn.Write(frame); err != nil {
			return
		}
	}
}
