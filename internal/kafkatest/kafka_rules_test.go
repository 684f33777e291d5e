package kafkatest

import (
	"reflect"
	"testing"
)

// TestRules holds the rules against what was found by running the releases.
func TestRules(t *testing.T) {
	zk, kraft := []Kind{ZooKeeper}, []Kind{KRaft, Controller}
	for _, want := range []Release{
		{Version: "4.4.0", Artifact: scala213, Extra: []string{logging}, Kinds: kraft, Listeners: true},
		{Version: "4.0.0", Artifact: scala213, Extra: []string{logging}, Kinds: kraft, Listeners: true},
		{Version: "3.9.2", Artifact: scala213, Extra: []string{logging}, Kinds: append(zk, kraft...), Listeners: true},
		{Version: "3.0.0", Artifact: scala213, Extra: []string{logging}, Kinds: append(zk, kraft...), Listeners: true},
		{Version: "2.8.2", Artifact: scala213, Extra: []string{logging}, Kinds: zk, Listeners: true},
		{Version: "2.4.0", Artifact: scala213, Extra: []string{logging}, Kinds: zk, Listeners: true},
		{Version: "2.3.1", Artifact: scala212, Extra: []string{newClient, logging}, Kinds: zk, Listeners: true},
		{Version: "1.1.1", Artifact: scala212, Extra: []string{logging}, Kinds: zk, Listeners: true},
		{Version: "1.0.2", Artifact: scala212, Extra: []string{jaxb}, Kinds: zk, Listeners: true},
		{Version: "0.11.0.3", Artifact: scala212, Extra: []string{jaxb}, Kinds: zk, Listeners: true},
		{Version: "0.10.2.2", Artifact: scala211, Extra: []string{jaxb}, Kinds: zk, Listeners: true},
		{Version: "0.9.0.1", Artifact: scala211, Kinds: zk, Mute: true, Listeners: true},
		{Version: "0.8.2.2", Artifact: scala211, Kinds: zk, Mute: true},
	} {
		if got, ok := findRelease(want.Version); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is run as %+v (%v), want %+v", want.Version, got, ok, want)
		}
	}
	for _, version := range []string{"", "latest", "0.8.1", "4.-1", "4..0"} {
		if got, ok := findRelease(version); ok {
			t.Errorf("%q is run as %+v", version, got)
		}
	}
}

func TestCompareReleases(t *testing.T) {
	ascending := []string{"0.8.2.2", "0.9.0.1", "0.10.0.1", "0.10.2.2", "1.0.2", "2.8.2", "3.9.2", "3.10.0", "4.0.0"}
	for i, a := range ascending {
		for j, b := range ascending {
			if got := CompareReleases(a, b); got < 0 != (i < j) || got == 0 != (i == j) {
				t.Errorf("%s and %s compare as %d", a, b, got)
			}
		}
	}
}
