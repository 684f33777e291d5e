package dial

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/kver-cli/kver/internal/kafkatest"
)

// One dead address of three made a client fail a third of the time.
func TestB67(t *testing.T) {
	peer := kafkatest.Script(t, steps{kafkatest.Answer(ok4f)})
	_, port, _ := net.SplitHostPort(peer.Addr)
	a, err := ParseAddress("kafka.test:" + port)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Timeout: patient, Resolver: kafkatest.Resolver(t, "127.0.0.2", "127.0.0.3", "127.0.0.1")}
	p := cfg.Ask(context.Background(), a)
	if show(p) != rows4 || p.Address != peer.Addr || p.Target != "kafka.test:"+port {
		t.Errorf("%s from %s as %s, %+v", show(p), p.Address, p.Target, p.Failure)
	}
	cfg.Resolver = kafkatest.Resolver(t, "127.0.0.2", "127.0.0.3")
	p = cfg.Ask(context.Background(), a)
	if show(p) != "connect refused" || !strings.Contains(p.Failure.Message, "127.0.0.2:") || !strings.Contains(p.Failure.Message, "127.0.0.3:") {
		t.Errorf("both are dead: %+v", p.Failure)
	}
	cfg.Resolver = kafkatest.Resolver(t)
	if p := cfg.Ask(context.Background(), a); show(p) != "resolve name-not-found" {
		t.Errorf("no address: %+v", p.Failure)
	}
}

// A redial goes to the address that answered, not to another one behind the
// name.
func TestRedialSameAddress(t *testing.T) {
	peer := kafkatest.Script(t, steps{kafkatest.Read()}, steps{kafkatest.Read()}, steps{kafkatest.Answer(ok0)})
	_, port, _ := net.SplitHostPort(peer.Addr)
	other, err := net.Listen("tcp", "127.0.0.2:"+port)
	if err != nil {
		t.Skipf("no second address on loopback here: %v", err)
	}
	go func() {
		for {
			conn, err := other.Accept()
			if err != nil {
				return
			}
			t.Error("another address was dialled")
			_ = conn.Close()
		}
	}()
	a, _ := ParseAddress("kafka.test:" + port)
	p := Config{Timeout: patient, Resolver: kafkatest.Resolver(t, "127.0.0.1", "127.0.0.2")}.Ask(context.Background(), a)
	_ = other.Close()
	if show(p) != rows0 || p.Address != peer.Addr {
		t.Errorf("%s from %s", show(p), p.Address)
	}
}

// A peer that accepts and then says nothing, or next to nothing, blocked a
// client for hours.
func TestB70(t *testing.T) {
	for name, script := range map[string]steps{
		"never reads": {kafkatest.Stall()},
		"trickles":    {kafkatest.Read(), kafkatest.Trickle("00000064"+strings.Repeat("00", 1000), 20*time.Millisecond)},
		"stops":       {kafkatest.Read(), kafkatest.Send("00000064" + strings.Repeat("00", 50)), kafkatest.Stall()},
	} {
		start := time.Now()
		p := ask(t, kafkatest.Script(t, script).Addr, hasty)
		if took := time.Since(start); p.Failure == nil || !strings.HasPrefix(p.Failure.Code, "timeout") || took > hasty+5*time.Second {
			t.Errorf("%s: %s after %s", name, show(p), took)
		}
	}
}

// A tool asked broker after broker and gave up at the first that failed. All
// are asked side by side, and each has its place in the answer.
func TestB73(t *testing.T) {
	const n = 8
	var addrs []Address
	var want []string
	for i := range n {
		script, show := steps{kafkatest.Answer(ok4f)}, rows4
		if i%2 == 1 {
			script, show = steps{kafkatest.Read(), kafkatest.Stall()}, "apiversions timeout"
		}
		a, _ := ParseAddress(kafkatest.Script(t, script).Addr)
		addrs, want = append(addrs, a), append(want, show)
	}
	start := time.Now()
	peers := Config{Timeout: time.Second}.AskAll(context.Background(), addrs, n)
	if took := time.Since(start); took > 3*time.Second { // one after the other takes 4
		t.Errorf("it took %s", took)
	}
	for i, p := range peers {
		if show(p) != want[i] || p.Target != addrs[i].String() {
			t.Errorf("%d: %s of %s, want %s of %s", i, show(p), p.Target, want[i], addrs[i])
		}
	}
}

// An interrupted run ends at once and keeps what it has read.
func TestB75(t *testing.T) {
	read := make(chan struct{})
	quick := kafkatest.Script(t, steps{kafkatest.Answer(ok4f)})
	silent := kafkatest.Script(t, append(steps{kafkatest.Read(), kafkatest.Then(func() { close(read) })}, kafkatest.Stall()))
	a, _ := ParseAddress(quick.Addr)
	b, _ := ParseAddress(silent.Addr)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-read
		cancel()
	}()
	start := time.Now()
	peers := Config{Timeout: time.Minute}.AskAll(ctx, []Address{a, b, b}, 1)
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %s", took)
	}
	if show(peers[0]) != rows4 || peers[1].Failure.Code != CodeInterrupted || peers[2].Failure.Code != CodeInterrupted {
		t.Errorf("%s, %s, %s", show(peers[0]), show(peers[1]), show(peers[2]))
	}
}
