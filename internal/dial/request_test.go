package dial

import (
	"encoding/hex"
	"regexp"
	"strings"
	"testing"
)

// The requests, byte for byte, as Apache Kafka's RequestHeader.json and
// ApiVersionsRequest.json lay them out: header version 1 below v3, version 2
// from there, the client id always with a length of two bytes.
func TestRequest(t *testing.T) {
	c := Config{ClientID: "kver", SoftwareName: "kver", SoftwareVersion: "1.0.0"}
	for _, tt := range []struct {
		version int16
		want    string
	}{
		{0, "0000000e 0012 0000 00000001 0004 6b766572"},
		{3, "0000001b 0012 0003 00000001 0004 6b766572 00 05 6b766572 06 312e302e30 00"},
		{4, "0000001b 0012 0004 00000001 0004 6b766572 00 05 6b766572 06 312e302e30 00"},
		{5, "00000020 0012 0005 00000001 0004 6b766572 00 05 6b766572 06 312e302e30 00 ffffffff 00"},
	} {
		if got, want := hex.EncodeToString(c.request(tt.version, 1)), strings.ReplaceAll(tt.want, " ", ""); got != want {
			t.Errorf("v%d:\n got %s\nwant %s", tt.version, got, want)
		}
	}
}

// A prober against Kafka 4.4 announced a broker older than 0.8: its request,
// made as a plain struct, had the node id 0 without a cluster id.
func TestB11(t *testing.T) {
	got := hex.EncodeToString(Config{}.request(5, 1))
	if !strings.HasSuffix(got, "00ffffffff00") {
		t.Errorf("a v5 request ends with %s, not with a null cluster id and node id -1", got[len(got)-12:])
	}
}

// Brokers refuse the whole handshake over the version of a development build.
func TestB13Sanitize(t *testing.T) {
	pattern := regexp.MustCompile(`^[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?$`) // KIP-511
	for _, tt := range []struct{ in, want string }{
		{"v1.2.3", "v1.2.3"},
		{"(devel)", "devel"},
		{"1.2.3+dirty", "1.2.3-dirty"},
		{"v0.0.0-20260918054303-01f206a7e32c", "v0.0.0-20260918054303-01f206a7e32c"},
		{"v1_0", "v1-0"},
		{"1.0-", "1.0"},
		{"-.-", "0"},
		{"", "0"},
		{"ver sión", "ver-si-n"},
		{"\x00\xff", "0"},
	} {
		got := sanitize(tt.in)
		if got != tt.want || !pattern.MatchString(got) {
			t.Errorf("%q becomes %q, want %q and a match of %s", tt.in, got, tt.want, pattern)
		}
	}
}
