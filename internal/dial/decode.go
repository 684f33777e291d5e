package dial

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kver-cli/kver/internal/negotiate"
)

// answer is a decoded body and the version whose layout it had.
type answer struct {
	*kmsg.ApiVersionsResponse
	layout int16
}

// decode reads a body in the layout of one version, into a fresh struct: a
// failed decode leaves rubbish in the one it was given.
func decode(body []byte, version int16) (*answer, error) {
	if err := checkLayout(body, version); err != nil {
		return nil, err
	}
	resp := kmsg.NewPtrApiVersionsResponse()
	resp.SetVersion(version)
	if err := resp.ReadFrom(body); err != nil {
		return nil, err
	}
	return &answer{resp, version}, nil
}

// decodeEither reads a body in the first of two layouts that fits exactly. Its
// error is that of the first.
func decodeEither(body []byte, first, second int16) (*answer, error) {
	a, err := decode(body, first)
	if err == nil {
		return a, nil
	}
	if a, err2 := decode(body, second); err2 == nil {
		return a, nil
	}
	return nil, err
}

// codeOf is the error code at the front of every body, whatever its layout.
func codeOf(body []byte) int16 { return int16(binary.BigEndian.Uint16(body)) }

// errorName is Kafka's name of an error code with its number.
func errorName(code int16) string {
	e := kerr.TypedErrorForCode(code)
	if e == nil || e.Code != code {
		return fmt.Sprintf("Unknown(%d)", code)
	}
	return fmt.Sprintf("%s (%d)", e.Message, code)
}

// Hints for the error codes that an ApiVersions request can meet.
var errorHints = map[int16]string{
	kerr.InvalidRequest.Code:      "brokers check the client's software name and version here (KIP-511); this kver sent ones they should accept, so please report it",
	kerr.IllegalSaslState.Code:    "the listener expects a login to go on, not this request; a proxy in between?",
	kerr.RebootstrapRequired.Code: "the peer took the request for one to another cluster or node (KIP-1242); a proxy in between?",
}

func (s *session) brokerError(code int16) *negotiate.Failure {
	hint := errorHints[code]
	if hint == "" {
		hint = "see the log of the broker"
	}
	return s.fail(CodeBrokerError, "the broker answered with error "+errorName(code), hint)
}

// layoutFailure is a body that no layout fits.
func (s *session) layoutFailure(body []byte, err error) *negotiate.Failure {
	return failure(StageDecode, CodeLayout,
		fmt.Sprintf("decoding the answer of %s to ApiVersions v%d: %v (%s)", s.remote, s.version, err, quote(body)),
		"is this a Kafka listener, or a proxy that rewrites answers?")
}

// rows takes the advertised ranges out of an answer.
func (a *answer) rows() []negotiate.Row {
	rows := make([]negotiate.Row, len(a.ApiKeys))
	for i, k := range a.ApiKeys {
		rows[i] = negotiate.Row{Key: k.ApiKey, Range: negotiate.Range{Min: k.MinVersion, Max: k.MaxVersion}}
	}
	return negotiate.Tidy(rows)
}

// firstFeatures is the first version whose answer has room for features
// (KIP-584).
const firstFeatures = 3

// features joins what the binary supports with what the cluster has finalized.
// A feature that is not in the list of finalized ones is at level 0, provided
// that the epoch says the list is to be believed.
func (a *answer) features() ([]negotiate.Feature, *int64) {
	if a.layout < firstFeatures {
		return nil, nil
	}
	features := make([]negotiate.Feature, 0, len(a.SupportedFeatures))
	for _, f := range a.SupportedFeatures {
		features = append(features, negotiate.Feature{
			Name:      valid(f.Name),
			Supported: &negotiate.Range{Min: f.MinVersion, Max: f.MaxVersion},
		})
	}
	if a.FinalizedFeaturesEpoch < 0 {
		negotiate.SortFeatures(features)
		return features, nil
	}
	for i := range features {
		features[i].Finalized = new(int16)
	}
	for _, f := range a.FinalizedFeatures {
		i := slices.IndexFunc(features, func(have negotiate.Feature) bool { return have.Name == valid(f.Name) })
		if i < 0 {
			features = append(features, negotiate.Feature{Name: valid(f.Name)})
			i = len(features) - 1
		}
		level := f.MaxVersionLevel
		features[i].Finalized = &level
	}
	negotiate.SortFeatures(features)
	epoch := a.FinalizedFeaturesEpoch
	return features, &epoch
}

// valid makes a name one that every format can hold, so that a broker compares
// equal with its own snapshot.
func valid(name string) string { return strings.ToValidUTF8(name, "\ufffd") }

// unknownTags lists the numbers of tagged fields that kmsg has no meaning for.
func (a *answer) unknownTags() []uint32 {
	var tags []uint32
	collect := func(number uint32, _ []byte) { tags = append(tags, number) }
	a.UnknownTags.Each(collect)
	for i := range a.ApiKeys {
		a.ApiKeys[i].UnknownTags.Each(collect)
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

// table fills a peer from the answer.
func (a *answer) table(p *negotiate.Peer) {
	p.Rows = a.rows()
	p.Listener, p.Mode = negotiate.Classify(p.Rows)
	p.Features, p.FinalizedEpoch = a.features()
	p.ZkMigrationReady = a.ZkMigrationReady
	p.UnknownTags = a.unknownTags()
	if a.ThrottleMillis > 0 && a.layout >= 1 {
		p.Handshake.ThrottleMillis = a.ThrottleMillis
	}
	layout := a.layout
	p.Handshake.Layout = &layout
}

var errNoRows = errors.New("it lists no API key")
