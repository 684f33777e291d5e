package dial

import (
	"errors"
	"strings"
	"testing"
)

func TestParseAddress(t *testing.T) {
	for _, tt := range []struct {
		entry, want string // what String writes
	}{
		{"broker", "broker:9092"},
		{"broker:19092", "broker:19092"},
		{"kafka-1.example.com.:9092", "kafka-1.example.com.:9092"},
		{"my_broker:9092", "my_broker:9092"},
		{"3com:9092", "3com:9092"},
		{"10.0.0.5", "10.0.0.5:9092"},
		{"10.0.0.5:1", "10.0.0.5:1"},
		{"[::1]", "[::1]:9092"},
		{"[::1]:19092", "[::1]:19092"},
		{"::1", "[::1]:9092"},
		{"fe80::1%eth0", "[fe80::1%eth0]:9092"},
		{"[fe80::1%eth0]:65535", "[fe80::1%eth0]:65535"},
		{"PLAINTEXT://broker", "broker:9092"},
		{"SSL://broker:9093", "SSL://broker:9093"},
		{"sasl_ssl://[::1]:9093", "SASL_SSL://[::1]:9093"},
		{"SASL_PLAINTEXT://10.0.0.5", "SASL_PLAINTEXT://10.0.0.5:9092"},
	} {
		t.Run(tt.entry, func(t *testing.T) {
			a, err := ParseAddress(tt.entry)
			if err != nil {
				t.Fatal(err)
			}
			if got := a.String(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestParseAddressRefuses(t *testing.T) {
	for _, tt := range []struct {
		entry, why string
	}{
		{"", "no host"},
		{":9092", "no host"},
		{"broker:", "no port"},
		{"broker:0", "1 to 65535"},
		{"broker:65536", "1 to 65535"},
		{"broker:+1", "1 to 65535"},
		{"broker:9092/", "1 to 65535"},
		{"broker/", `no '/'`},
		{"bro ker", `no ' '`},
		{" broker", `no ' '`},
		{"bröker", `no 'ö'`},
		{"a..b", "1 to 63"},
		{strings.Repeat("a", 64), "1 to 63"},
		{strings.Repeat("a.", 130), "1 to 253"},
		{".", "1 to 253"},
		{"256.1.1.1", "IPv4"},
		{"1.2.3", "IPv4"},
		{"[::1", "brackets"},
		{"[broker]:9092", "brackets"},
		{"[127.0.0.1]:9092", "brackets"},
		{"[::1]9092", "after the brackets"},
		{"[::1]:", "after the brackets"},
		{"user@host:9092", `no '@'`},
		{"kafka://broker:9092", "none of PLAINTEXT"},
		{"SSL://", "no host"},
		{"SSL://SSL://broker", "1 to 65535"},
	} {
		t.Run(tt.entry, func(t *testing.T) {
			a, err := ParseAddress(tt.entry)
			var refused *AddressError
			if !errors.As(err, &refused) {
				t.Fatalf("got %v, %v; want an *AddressError", a, err)
			}
			if !strings.Contains(err.Error(), tt.why) || !strings.Contains(err.Error(), "address ") {
				t.Errorf("error %q does not name the entry and %q", err, tt.why)
			}
		})
	}
}

// An IPv6 literal with a port behind it and no brackets was taken for a bare
// address by another client, which then added the default port on top.
func TestB62(t *testing.T) {
	for _, tt := range []struct {
		entry, want string
		note        bool
	}{
		{"2001:db8:9:101::204:9092", "[2001:db8:9:101::204:9092]:9092", true},
		{"::1:9092", "[::1:9092]:9092", true},
		{"2001:db8::1", "[2001:db8::1]:9092", false},
		{"[2001:db8:9:101::204]:9092", "[2001:db8:9:101::204]:9092", false},
	} {
		a, err := ParseAddress(tt.entry)
		if err != nil || a.String() != tt.want || (a.Note != "") != tt.note {
			t.Errorf("%s: got %s, note %q, %v; want %s, note %v", tt.entry, a, a.Note, err, tt.want, tt.note)
		}
	}
	if _, err := ParseAddress("1:2:3:4:5:6:7:8:9092"); err == nil || !strings.Contains(err.Error(), "[address]:port") {
		t.Errorf("nine groups: %v, want an error that shows the brackets", err)
	}
}

// A scheme in front of an address was silently discarded by other clients,
// which then waited for a host called "plaintext".
func TestB65(t *testing.T) {
	a, err := ParseAddress("SASL_SSL://127.0.0.1:9093")
	if err != nil || !a.Scheme.TLS() || a.Host != "127.0.0.1" || a.Port != 9093 {
		t.Errorf("got %+v, %v", a, err)
	}
	for _, entry := range []string{"foo://x:1", "PLAINTEXT://x:1/"} {
		if a, err := ParseAddress(entry); err == nil {
			t.Errorf("%s was taken for %s", entry, a)
		}
	}
}

func TestAddressKey(t *testing.T) {
	key := func(entry string) string {
		a, err := ParseAddress(entry)
		if err != nil {
			t.Fatal(err)
		}
		return a.Key()
	}
	for _, same := range [][2]string{
		{"broker", "BROKER:9092"},
		{"SSL://broker", "SASL_SSL://broker:9092"},
		{"PLAINTEXT://::1", "[::1]:9092"},
		{"[0:0:0:0:0:0:0:1]:9092", "::1"},
		{"broker.example.", "broker.example:9092"},
	} {
		if key(same[0]) != key(same[1]) {
			t.Errorf("%s and %s are the same question", same[0], same[1])
		}
	}
	if key("SSL://broker") == key("broker") || key("broker:1") == key("broker:2") {
		t.Error("different questions have one key")
	}
}

func FuzzParseAddress(f *testing.F) {
	for _, s := range []string{"broker:9092", "[::1]:9093", "::1", "SASL_SSL://a.b:1", "fe80::1%eth0", "a,b", "[::1", "kafka@4.1", "\x00", "1.2.3.4:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, entry string) {
		a, err := ParseAddress(entry)
		if err != nil {
			return
		}
		if a.Host == "" || a.Port == 0 {
			t.Fatalf("%q gives %+v", entry, a)
		}
		again, err := ParseAddress(a.String())
		if err != nil || again.Key() != a.Key() {
			t.Fatalf("%q reads as %s, which reads as %s, %v", entry, a, again, err)
		}
	})
}
