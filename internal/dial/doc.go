// Package dial asks one address for its ApiVersions table and says, when there
// is none, at which step it failed and what was seen.
//
// It owns the wire: the grammar of addresses, the one deadline that covers
// resolving, connecting, TLS, writing and reading, the frames, the ladder of
// ApiVersions versions, and the diagnosis. What it hands on is a
// negotiate.Peer, which holds what the peer advertised or a Failure.
//
// Everything a peer can send is bounded: frames are capped before anything is
// allocated for them, counts are checked against what can be meant before the
// codec sees them (layout.go), the versions asked only ever go down, and no
// more than three connections are made (ask.go).
package dial
