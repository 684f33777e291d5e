package dial

import (
	"context"
	"crypto/tls"
	"net"
	"time"

	"github.com/kver-cli/kver/internal/negotiate"
)

// Config is how to ask. The zero value of TLS, Resolver and ClientID is ready
// to use.
type Config struct {
	Timeout         time.Duration // for everything that one address takes
	ClientID        string        // quotas and logs of brokers key on it
	SoftwareName    string        // KIP-511; made acceptable before it is sent
	SoftwareVersion string
	TLS             *tls.Config   // the base for listeners that want TLS; nil is Go's default
	Resolver        *net.Resolver // nil is Go's default
}

// AskAll asks every address, at most parallel at once, and returns the peers
// in the order of the addresses. When ctx ends, those not yet read are
// Failures with CodeInterrupted; what was read stays.
func (c Config) AskAll(ctx context.Context, addrs []Address, parallel int) []*negotiate.Peer {
	peers := make([]*negotiate.Peer, len(addrs))
	next := make(chan int)
	done := make(chan struct{})
	workers := min(max(parallel, 1), len(addrs))
	for range workers {
		go func() {
			for i := range next {
				peers[i] = c.Ask(ctx, addrs[i])
			}
			done <- struct{}{}
		}()
	}
	for i := range addrs {
		next <- i
	}
	close(next)
	for range workers {
		<-done
	}
	return peers
}
