// Command minimal does the least that kver's job takes: dial, ask, decode. It
// is the measure for kver's speed in BenchmarkProcess and asks every address it
// is given at once.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func main() {
	var all sync.WaitGroup
	rows := make([]int, len(os.Args)-1)
	for i, addr := range os.Args[1:] {
		all.Go(func() {
			n, err := ask(addr)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			rows[i] = n
		})
	}
	all.Wait()
	fmt.Println(rows)
}

func ask(addr string) (int, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	req := kmsg.NewPtrApiVersionsRequest()
	req.SetVersion(4)
	req.ClientSoftwareName, req.ClientSoftwareVersion = "minimal", "1"
	if _, err := conn.Write(kmsg.NewRequestFormatter().AppendRequest(nil, req, 1)); err != nil {
		return 0, err
	}
	size := make([]byte, 4)
	if _, err := io.ReadFull(conn, size); err != nil {
		return 0, err
	}
	body := make([]byte, binary.BigEndian.Uint32(size))
	if _, err := io.ReadFull(conn, body); err != nil {
		return 0, err
	}
	resp := kmsg.NewPtrApiVersionsResponse()
	resp.SetVersion(4)
	err = resp.ReadFrom(body[4:])
	return len(resp.ApiKeys), err
}
