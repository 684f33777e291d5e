package kafkatest

import (
	"slices"
	"testing"
)

func TestParseLibrdkafka(t *testing.T) {
	log := "%7|1|APIVERSION|x#producer-1| [thrd:b]: 127.0.0.1:9/bootstrap:   ApiKey Produce (0) Versions 0..13\n" +
		"%7|1|APIVERSION|x#producer-1| [thrd:b]: 127.0.0.1:9/bootstrap:   ApiKey Unknown-93? (93) Versions 0..0\n" +
		"%7|1|APIVERSION|x#producer-1| [thrd:b]: 127.0.0.1:9/bootstrap:  Feature MsgVer1: Produce (2..32767) supported by broker\n" +
		"%7|1|APIVERSION|x#producer-1| [thrd:b]: 127.0.0.1:9/1:   ApiKey Fetch (1) Versions 0..3\n" +
		"%7|1|APIVERSION|x#producer-1| [thrd:b]: 127.0.0.1:9/bootstrap:   ApiKey Produce (0) Versions 0..2\n"
	if rows := parseLibrdkafka(log); !slices.Equal(rows, []Row{{0, 0, 13}, {93, 0, 0}}) {
		t.Errorf("read as %v", rows)
	}
}
