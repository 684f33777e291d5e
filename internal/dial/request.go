package dial

import (
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// request returns one ApiVersions request as it goes onto the wire, size
// prefix included. It is built through kmsg's constructor: since version 5 a
// cluster id of null only goes with a node id of -1, which a plain struct has
// not (KIP-1242).
func (c Config) request(version int16, correlation int32) []byte {
	req := kmsg.NewPtrApiVersionsRequest()
	req.SetVersion(version)
	req.ClientSoftwareName = sanitize(c.SoftwareName)
	req.ClientSoftwareVersion = sanitize(c.SoftwareVersion)
	return kmsg.NewRequestFormatter(kmsg.FormatterClientID(c.ClientID)).AppendRequest(nil, req, correlation)
}

// sanitize makes a software name or version that brokers accept. They match it
// in full against [a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])? and answer
// INVALID_REQUEST to anything else, "(devel)" and "v1.2.3+dirty" among it
// (KIP-511).
func sanitize(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.':
			return r
		}
		return '-'
	}, s)
	if s = strings.Trim(s, "-."); s == "" {
		return "0"
	}
	return s
}
