package dial

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// DefaultPort is the port of a Kafka listener that an address does not name.
const DefaultPort = 9092

// Address is one address to ask.
type Address struct {
	Scheme Scheme // how the listener is reached
	Host   string // a name, an IPv4 address, or an IPv6 address without brackets
	Port   uint16
	Note   string // what the user may not have meant, "" where nothing is odd
}

// Scheme is a Kafka security protocol, as listeners name it.
type Scheme string

// The security protocols of Apache Kafka. ApiVersions is answered before a
// login (KIP-152), so that those with SASL differ only in whether TLS is used.
const (
	Plaintext     Scheme = "PLAINTEXT"
	SSL           Scheme = "SSL"
	SASLPlaintext Scheme = "SASL_PLAINTEXT"
	SASLSSL       Scheme = "SASL_SSL"
)

// TLS reports whether the listener is reached over TLS.
func (s Scheme) TLS() bool { return s == SSL || s == SASLSSL }

// AddressError is an entry that is not an address.
type AddressError struct {
	Entry, Why string
}

func (e *AddressError) Error() string { return fmt.Sprintf("address %q: %s", e.Entry, e.Why) }

// ParseAddress reads one address:
//
//	[SCHEME://]host[:port]   [SCHEME://][ipv6][:port]   [SCHEME://]ipv6
//
// Nothing else is one; an entry is never repaired.
func ParseAddress(entry string) (Address, error) {
	fail := func(format string, args ...any) (Address, error) {
		return Address{}, &AddressError{entry, fmt.Sprintf(format, args...)}
	}
	a := Address{Scheme: Plaintext, Port: DefaultPort}
	rest := entry
	if scheme, after, ok := strings.Cut(entry, "://"); ok {
		a.Scheme, rest = Scheme(strings.ToUpper(scheme)), after
		switch a.Scheme {
		case Plaintext, SSL, SASLPlaintext, SASLSSL:
		default:
			return fail("scheme %q is none of PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL", scheme)
		}
	}
	host, port, why := splitPort(rest)
	if why != "" {
		return fail("%s", why)
	}
	if port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return fail("port %q is not a number from 1 to 65535", port)
		}
		a.Port = uint16(n)
	}
	a.Host = host
	if why := checkHost(host); why != "" {
		return fail("%s", why)
	}
	a.Note = portNote(rest)
	return a, nil
}

// splitPort takes host and port apart. The host loses its brackets.
func splitPort(s string) (host, port, why string) {
	switch {
	case s == "":
		return "", "", "no host"
	case s[0] == '[':
		inside, after, closed := strings.Cut(s[1:], "]")
		if ip, ok := parseIP(inside); !closed || !ok || !ip.Is6() {
			return "", "", "brackets are for an IPv6 address: [::1]:9092"
		}
		if after == "" {
			return inside, "", ""
		}
		if after[0] != ':' || after == ":" {
			return "", "", "after the brackets comes :port or nothing"
		}
		return inside, after[1:], ""
	case strings.Count(s, ":") > 1:
		if _, ok := parseIP(s); !ok {
			return "", "", "more than one colon, and not an IPv6 address; write [address]:port"
		}
		return s, "", ""
	}
	host, port, found := strings.Cut(s, ":")
	if found && port == "" {
		return "", "", "no port after the colon"
	}
	if host == "" {
		return "", "", "no host"
	}
	return host, port, ""
}

const (
	maxName  = 253 // octets of a host name in presentation form (RFC 1035)
	maxLabel = 63
)

// checkHost says what is wrong with a host, or "".
func checkHost(host string) string {
	if _, ok := parseIP(host); ok {
		return ""
	}
	name := strings.TrimSuffix(host, ".")
	if name == "" || len(name) > maxName {
		return fmt.Sprintf("a host name has 1 to %d characters", maxName)
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || len(label) > maxLabel {
			return fmt.Sprintf("the parts of a host name have 1 to %d characters", maxLabel)
		}
		if i := strings.IndexFunc(label, func(r rune) bool { return !hostRune(r) }); i >= 0 {
			return fmt.Sprintf("a host name has no %q", []rune(label[i:])[0])
		}
	}
	if strings.Trim(labels[len(labels)-1], "0123456789") == "" {
		return "neither an IPv4 address (four numbers from 0 to 255) nor a host name"
	}
	return ""
}

// parseIP reads an IP address. A zone (an interface: fe80::1%eth0) has the
// characters of a host name.
func parseIP(s string) (netip.Addr, bool) {
	ip, err := netip.ParseAddr(s)
	badZone := strings.ContainsFunc(ip.Zone(), func(r rune) bool { return !hostRune(r) && r != '.' })
	return ip, err == nil && !badZone
}

// hostRune reports whether r may stand in a host name. The underscore is no
// letter of the DNS but of many container networks.
func hostRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
}

// portNote warns of an IPv6 literal without brackets whose last group may have
// been meant as a port: 2001:db8::204:9092 is one valid address.
func portNote(s string) string {
	i := strings.LastIndexByte(s, ':')
	if strings.Count(s, ":") < 2 || s[0] == '[' {
		return ""
	}
	port, err := strconv.ParseUint(s[i+1:], 10, 16)
	if err != nil || port < 1024 {
		return ""
	}
	return fmt.Sprintf("%s is read as an IPv6 address with port %d; to name a port write [address]:port", s, DefaultPort)
}

// String writes the address as reports name it: with its port, and with its
// scheme where that is not plaintext.
func (a Address) String() string {
	if a.Scheme == Plaintext {
		return a.hostPort()
	}
	return string(a.Scheme) + "://" + a.hostPort()
}

func (a Address) hostPort() string {
	return net.JoinHostPort(a.Host, strconv.Itoa(int(a.Port)))
}

// Key is equal for addresses that are the same question to the same listener,
// however they are spelt.
func (a Address) Key() string {
	host := strings.ToLower(strings.TrimSuffix(a.Host, "."))
	if ip, ok := parseIP(a.Host); ok {
		host = ip.String()
	}
	return fmt.Sprint(a.Scheme.TLS(), " ", net.JoinHostPort(host, strconv.Itoa(int(a.Port))))
}
