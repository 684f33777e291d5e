package negotiate

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// kmsgSpelling are the eleven names that kmsg spells its own way.
var kmsgSpelling = map[string]string{
	"LeaderAndIsr":                 "LeaderAndISR",
	"SaslHandshake":                "SASLHandshake",
	"InitProducerId":               "InitProducerID",
	"DescribeAcls":                 "DescribeACLs",
	"CreateAcls":                   "CreateACLs",
	"DeleteAcls":                   "DeleteACLs",
	"SaslAuthenticate":             "SASLAuthenticate",
	"AlterPartitionReassignments":  "AlterPartitionAssignments",
	"DescribeUserScramCredentials": "DescribeUserSCRAMCredentials",
	"AlterUserScramCredentials":    "AlterUserSCRAMCredentials",
	"AllocateProducerIds":          "AllocateProducerIDs",
}

func TestNamesAreKafkasOwn(t *testing.T) {
	differ := 0
	for _, row := range parseTable(t) {
		want := row.name
		if own := kmsgSpelling[row.name]; own != "" {
			want, differ = own, differ+1
		}
		if got := kmsg.NameForKey(row.key); got != want {
			t.Errorf("kmsg calls key %d %s, want %s", row.key, got, want)
		}
		if Names()[row.key] != row.name {
			t.Errorf("name %d is %s, want %s", row.key, Names()[row.key], row.name)
		}
	}
	if differ != len(kmsgSpelling) || differ != len(kafkaNames) {
		t.Errorf("%d names differ, want %d, the code has %d", differ, len(kmsgSpelling), len(kafkaNames))
	}
}

func TestParseKeyTakesEverySpelling(t *testing.T) {
	for _, row := range parseTable(t) {
		spellings := []string{row.name, kmsg.NameForKey(row.key), strconv.Itoa(int(row.key)), fmt.Sprintf("Unknown(%d)", row.key)}
		for _, s := range spellings {
			for _, s := range []string{s, strings.ToLower(s), strings.ToUpper(s)} {
				if got, err := ParseKey(s); err != nil || got != row.key {
					t.Errorf("%s is %d, %v; want %d", s, got, err, row.key)
				}
			}
		}
	}
}

// TestNamesAreReadBack holds for every key there can be.
func TestNamesAreReadBack(t *testing.T) {
	seen := make(map[string]bool)
	for key := -1 << 15; key < 1<<15; key++ {
		name := Name(int16(key))
		if got, err := ParseKey(name); err != nil || got != int16(key) {
			t.Fatalf("%s is %d, %v; want %d", name, got, err, key)
		}
		if seen[name] {
			t.Fatalf("two keys are called %s", name)
		}
		seen[name] = true
	}
}

func TestParseKey(t *testing.T) {
	for word, want := range map[string]int16{
		"Unknown(-2)": -2, "unknown(10000)": 10000, "UNKNOWN(93)": 93, "-2": -2, "32767": 32767, "-32768": -32768,
	} {
		if got, err := ParseKey(word); err != nil || got != want {
			t.Errorf("%s is %d, %v; want %d", word, got, err, want)
		}
	}
	const outside = "outside -32768..32767"
	for word, want := range map[string]string{
		"32768":                outside,
		"-32769":               outside,
		"99999999999999999999": outside,
		"Unknown(70000)":       outside,
		"Fetchh":               "did you mean Fetch?",
		"produc":               "did you mean Produce?",
		"fetc":                 "did you mean Fetch?",
		"MetaDate":             "did you mean Metadata?",
		"leaderandsir":         "did you mean LeaderAndIsr?",
		"describe":             "did you mean DescribeGroups?",
		"zzzzzz":               `unknown API "zzzzzz"`,
		"Unknown":              `unknown API "Unknown"`,
		"Unknown()":            `unknown API "Unknown()"`,
		"Unknown(7":            `unknown API "Unknown(7"`,
		"Unknown(Fetch)":       `unknown API "Unknown(Fetch)"`,
		"0x10":                 `unknown API "0x10"`,
		"1.5":                  `unknown API "1.5"`,
		"":                     `unknown API ""`,
	} {
		key, err := ParseKey(word)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %d, %v; want %s", word, key, err, want)
		}
		if guess := strings.HasPrefix(want, "did you mean"); err != nil && !guess && strings.Contains(err.Error(), "did you mean") {
			t.Errorf("%q: a guess without a reason: %v", word, err)
		}
	}
}

func TestUnknownWordErrorIsTyped(t *testing.T) {
	_, err := ParseKey("Fetchh")
	var unknown *UnknownWordError
	if !errors.As(err, &unknown) || unknown.What != "API" || unknown.Word != "Fetchh" || unknown.Nearest != "Fetch" {
		t.Errorf("got %#v", err)
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"ab", "ba", 2}} {
		if got := edits(c.a, c.b); got != c.want || edits(c.b, c.a) != got {
			t.Errorf("%s to %s takes %d edits, want %d", c.a, c.b, got, c.want)
		}
	}
}
