package kafkatest

import (
	"encoding/binary"
	"encoding/hex"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Scripted is a peer on loopback that does what its script says: the first
// connection the first list of steps, the second the second, and so on. A
// connection beyond the script fails the test. When the steps of a connection
// are done, it is closed.
type Scripted struct {
	Addr string

	t        testing.TB
	listener net.Listener
	wrap     func(net.Conn) net.Conn
	scripts  [][]Step
	done     chan struct{} // closed when the test ends
	running  sync.WaitGroup

	mu       sync.Mutex
	conns    []net.Conn
	requests []Request
}

// Request is an ApiVersions request as a scripted peer read it.
type Request struct {
	Connection  int // counted from 1
	Version     int16
	Correlation int32
	Raw         []byte // without the size
}

// Step is one thing that a scripted peer does with a connection.
type Step func(*scriptedConn)

type scriptedConn struct {
	net.Conn
	peer   *Scripted
	number int
	last   Request
}

// Script starts a scripted peer. It ends with the test.
func Script(t testing.TB, scripts ...[]Step) *Scripted {
	t.Helper()
	return ScriptOver(t, func(c net.Conn) net.Conn { return c }, scripts...)
}

// ScriptOver is Script over connections that wrap makes, tls.Server for one.
func ScriptOver(t testing.TB, wrap func(net.Conn) net.Conn, scripts ...[]Step) *Scripted {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Scripted{Addr: listener.Addr().String(), t: t, listener: listener, wrap: wrap, scripts: scripts, done: make(chan struct{})}
	p.running.Go(p.accept)
	t.Cleanup(p.end)
	return p
}

func (p *Scripted) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		p.conns = append(p.conns, conn)
		n := len(p.conns)
		p.mu.Unlock()
		if n > len(p.scripts) {
			p.t.Errorf("connection %d, and the script has %d", n, len(p.scripts))
			_ = conn.Close()
			continue
		}
		p.running.Go(func() {
			c := &scriptedConn{Conn: p.wrap(conn), peer: p, number: n}
			defer c.Close()
			for _, step := range p.scripts[n-1] {
				step(c)
			}
		})
	}
}

func (p *Scripted) end() {
	close(p.done)
	_ = p.listener.Close()
	p.mu.Lock()
	for _, c := range p.conns {
		_ = c.Close() // ends what still reads or writes
	}
	p.mu.Unlock()
	p.running.Wait()
}

// Connections is how many connections were made.
func (p *Scripted) Connections() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.conns)
}

// Requests are the requests that were read, in order.
func (p *Scripted) Requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests)
}

// Versions are the ApiVersions versions that were asked, in order.
func (p *Scripted) Versions() []int16 {
	var versions []int16
	for _, r := range p.Requests() {
		versions = append(versions, r.Version)
	}
	return versions
}

// Read reads one request, whatever it is.
func Read() Step {
	return func(c *scriptedConn) {
		size := make([]byte, 4)
		if _, err := io.ReadFull(c, size); err != nil {
			return
		}
		raw := make([]byte, binary.BigEndian.Uint32(size))
		if _, err := io.ReadFull(c, raw); err != nil {
			return
		}
		c.last = Request{
			Connection:  c.number,
			Version:     int16(binary.BigEndian.Uint16(raw[2:])),
			Correlation: int32(binary.BigEndian.Uint32(raw[4:])),
			Raw:         raw,
		}
		if key := binary.BigEndian.Uint16(raw); key != apiVersionsKey {
			c.peer.t.Errorf("a request with key %d, and ApiVersions has 18", key)
		}
		c.peer.mu.Lock()
		c.peer.requests = append(c.peer.requests, c.last)
		c.peer.mu.Unlock()
	}
}

// Send sends bytes, given in hex with or without blanks. In them CORRELATE
// stands for the correlation id of the last request, MISMATCH for another.
func Send(text string) Step {
	return func(c *scriptedConn) {
		_, _ = c.Write(c.bytes(text))
	}
}

func (c *scriptedConn) bytes(text string) []byte {
	id := binary.BigEndian.AppendUint32(nil, uint32(c.last.Correlation))
	other := binary.BigEndian.AppendUint32(nil, uint32(c.last.Correlation+1))
	text = strings.NewReplacer(" ", "", "CORRELATE", hex.EncodeToString(id), "MISMATCH", hex.EncodeToString(other)).Replace(text)
	b, err := hex.DecodeString(text)
	if err != nil {
		c.peer.t.Errorf("the script has %q: %v", text, err)
	}
	return b
}

// Answer reads a request and answers it with a recorded or written frame: size,
// any correlation id, body. The id becomes the request's.
func Answer(frame string) Step {
	frame = strings.ReplaceAll(frame, " ", "")
	return func(c *scriptedConn) {
		Read()(c)
		if c.last.Raw != nil {
			Send(frame[:8] + "CORRELATE" + frame[16:])(c)
		}
	}
}

// Say sends text.
func Say(text string) Step { return Send(hex.EncodeToString([]byte(text))) }

// Then calls a function of the test: what came before has happened.
func Then(f func()) Step { return func(*scriptedConn) { f() } }

// Stall does nothing more until the test ends.
func Stall() Step {
	return func(c *scriptedConn) { <-c.peer.done }
}

// Trickle sends bytes one by one, with a pause after each.
func Trickle(text string, pause time.Duration) Step {
	return func(c *scriptedConn) {
		for _, b := range c.bytes(text) {
			select {
			case <-c.peer.done:
				return
			case <-time.After(pause):
			}
			if _, err := c.Write([]byte{b}); err != nil {
				return
			}
		}
	}
}

// Reset ends the connection with a reset in place of an orderly close.
func Reset() Step {
	return func(c *scriptedConn) {
		if tcp, ok := c.Conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		_ = c.Close()
	}
}
