package negotiate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// tableRow is what is known of one key: Apache Kafka's name, the highest
// version that kmsg encodes, the first flexible one (-1: none), and what each
// kind of listener advertises.
type tableRow struct {
	key           int16
	name          string
	max, flexible int16
	offered       [len(columns)]*Range
}

// columns are the listeners in the table below.
var columns = [...]struct {
	name     string
	listener Listener
	mode     Mode
}{
	{"3.9-zookeeper", BrokerListener, ZooKeeper},
	{"3.9-kraft", BrokerListener, KRaft},
	{"4.0.0-kraft", BrokerListener, KRaft},
	{"4.4-kraft", BrokerListener, KRaft},
	{"4.4-controller", ControllerListener, KRaft},
}

// telemetry are the keys that only a broker with a telemetry receiver offers.
// The table has them, the counts of keys have not.
var telemetry = []int16{71, 72}

// kafkaTable is Apache Kafka's message definitions, stable versions only, as
// the columns advertise them: key, name, kmsg's maximum, first flexible version,
// then one column a listener.
const kafkaTable = `
 0  Produce                                13  9      0-11   0-11   0-12   0-13   -
 1  Fetch                                  18  12     0-17   0-17   4-17   4-18   4-18
 2  ListOffsets                            11  6      0-9    0-9    1-10   1-11   -
 3  Metadata                               13  9      0-12   0-12   0-13   0-13   -
 4  LeaderAndIsr                            7  4      0-7    -      -      -      -
 5  StopReplica                             4  2      0-4    -      -      -      -
 6  UpdateMetadata                          8  6      0-8    -      -      -      -
 7  ControlledShutdown                      3  3      0-3    -      -      -      -
 8  OffsetCommit                           10  8      0-9    0-9    2-9    2-10   -
 9  OffsetFetch                            10  6      0-9    0-9    1-9    1-10   -
10  FindCoordinator                         6  3      0-6    0-6    0-6    0-6    -
11  JoinGroup                               9  6      0-9    0-9    2-9    0-9    -
12  Heartbeat                               4  4      0-4    0-4    0-4    0-4    -
13  LeaveGroup                              5  4      0-5    0-5    0-5    0-5    -
14  SyncGroup                               5  4      0-5    0-5    0-5    0-5    -
15  DescribeGroups                          6  5      0-5    0-5    0-6    0-6    -
16  ListGroups                              5  3      0-5    0-5    0-5    0-5    -
17  SaslHandshake                           1  never  0-1    0-1    0-1    0-1    0-1
18  ApiVersions                             5  3      0-4    0-4    0-4    0-5    0-5
19  CreateTopics                            7  5      0-7    0-7    2-7    2-7    2-7
20  DeleteTopics                            6  4      0-6    0-6    1-6    1-6    1-6
21  DeleteRecords                           2  2      0-2    0-2    0-2    0-2    -
22  InitProducerId                          5  2      0-5    0-5    0-5    0-5    -
23  OffsetForLeaderEpoch                    4  4      0-4    0-4    2-4    2-4    -
24  AddPartitionsToTxn                      5  3      0-5    0-5    0-5    0-5    -
25  AddOffsetsToTxn                         4  3      0-4    0-4    0-4    0-4    -
26  EndTxn                                  5  3      0-4    0-4    0-5    0-5    -
27  WriteTxnMarkers                         2  1      0-1    0-1    1-1    1-2    -
28  TxnOffsetCommit                         6  3      0-4    0-4    0-5    0-6    -
29  DescribeAcls                            3  2      0-3    0-3    1-3    1-3    1-3
30  CreateAcls                              3  2      0-3    0-3    1-3    1-3    1-3
31  DeleteAcls                              3  2      0-3    0-3    1-3    1-3    1-3
32  DescribeConfigs                         4  4      0-4    0-4    1-4    1-4    1-4
33  AlterConfigs                            2  2      0-2    0-2    0-2    0-2    0-2
34  AlterReplicaLogDirs                     2  2      0-2    0-2    1-2    1-2    -
35  DescribeLogDirs                         5  2      0-4    0-4    1-4    1-5    -
36  SaslAuthenticate                        2  2      0-2    0-2    0-2    0-2    0-2
37  CreatePartitions                        3  2      0-3    0-3    0-3    0-3    0-3
38  CreateDelegationToken                   3  2      0-3    0-3    1-3    1-3    1-3
39  RenewDelegationToken                    2  2      0-2    0-2    1-2    1-2    1-2
40  ExpireDelegationToken                   2  2      0-2    0-2    1-2    1-2    1-2
41  DescribeDelegationToken                 3  2      0-3    0-3    1-3    1-3    1-3
42  DeleteGroups                            3  2      0-2    0-2    0-2    0-3    -
43  ElectLeaders                            2  2      0-2    0-2    0-2    0-2    0-2
44  IncrementalAlterConfigs                 1  1      0-1    0-1    0-1    0-1    0-1
45  AlterPartitionReassignments             1  0      0-0    0-0    0-0    0-1    0-1
46  ListPartitionReassignments              0  0      0-0    0-0    0-0    0-0    0-0
47  OffsetDelete                            0  never  0-0    0-0    0-0    0-0    -
48  DescribeClientQuotas                    1  1      0-1    0-1    0-1    0-1    -
49  AlterClientQuotas                       1  1      0-1    0-1    0-1    0-1    0-1
50  DescribeUserScramCredentials            0  0      0-0    0-0    0-0    0-0    0-0
51  AlterUserScramCredentials               0  0      0-0    0-0    0-0    0-0    0-0
52  Vote                                    2  0      -      -      -      -      0-2
53  BeginQuorumEpoch                        1  1      -      -      -      -      0-1
54  EndQuorumEpoch                          1  1      -      -      -      -      0-1
55  DescribeQuorum                          2  0      -      0-2    0-2    0-2    0-2
56  AlterPartition                          3  0      0-3    -      -      -      2-3
57  UpdateFeatures                          2  0      0-1    0-1    0-2    0-2    0-2
58  Envelope                                0  0      0-0    -      -      -      0-0
59  FetchSnapshot                           1  0      -      -      -      -      0-1
60  DescribeCluster                         2  0      0-1    0-1    0-2    0-2    0-2
61  DescribeProducers                       0  0      0-0    0-0    0-0    0-0    -
62  BrokerRegistration                      4  0      -      -      -      -      0-4
63  BrokerHeartbeat                         2  0      -      -      -      -      0-2
64  UnregisterBroker                        0  0      -      0-0    0-0    0-0    0-0
65  DescribeTransactions                    0  0      0-0    0-0    0-0    0-0    -
66  ListTransactions                        2  0      0-1    0-1    0-1    0-2    -
67  AllocateProducerIds                     0  0      0-0    -      -      -      0-0
68  ConsumerGroupHeartbeat                  1  0      0-0    0-0    0-1    0-1    -
69  ConsumerGroupDescribe                   1  0      0-0    0-0    0-1    0-1    -
70  ControllerRegistration                  0  0      -      -      -      -      0-0
71  GetTelemetrySubscriptions               0  0      -      0-0    0-0    0-0    -
72  PushTelemetry                           0  0      -      0-0    0-0    0-0    -
73  AssignReplicasToDirs                    0  0      -      -      -      -      0-0
74  ListConfigResources                     1  0      -      0-0    0-0    0-1    -
75  DescribeTopicPartitions                 0  0      -      0-0    0-0    0-0    -
76  ShareGroupHeartbeat                     1  0      -      -      -      1-1    -
77  ShareGroupDescribe                      1  0      -      -      -      1-1    -
78  ShareFetch                              2  0      -      -      -      1-2    -
79  ShareAcknowledge                        2  0      -      -      -      1-2    -
80  AddRaftVoter                            1  0      -      0-0    0-0    0-1    0-1
81  RemoveRaftVoter                         0  0      -      0-0    0-0    0-0    0-0
82  UpdateRaftVoter                         0  0      -      -      -      -      0-0
83  InitializeShareGroupState               0  0      -      -      -      0-0    -
84  ReadShareGroupState                     0  0      -      -      -      0-0    -
85  WriteShareGroupState                    1  0      -      -      -      0-1    -
86  DeleteShareGroupState                   0  0      -      -      -      0-0    -
87  ReadShareGroupStateSummary              1  0      -      -      -      0-1    -
88  StreamsGroupHeartbeat                   1  0      -      -      -      0-1    -
89  StreamsGroupDescribe                    1  0      -      -      -      0-1    -
90  DescribeShareGroupOffsets               1  0      -      -      -      0-1    -
91  AlterShareGroupOffsets                  0  0      -      -      -      0-0    -
92  DeleteShareGroupOffsets                 0  0      -      -      -      0-0    -
93  StreamsGroupTopologyDescriptionUpdate   0  0      -      -      -      0-0    -
94  UnregisterController                    0  0      -      -      -      0-0    0-0
`

// parseTable reads kafkaTable.
func parseTable(t testing.TB) []tableRow {
	t.Helper()
	var rows []tableRow
	for line := range strings.Lines(strings.Trim(kafkaTable, "\n")) {
		words := strings.Fields(line)
		row := tableRow{name: words[1], key: number(t, words[0]), max: number(t, words[2]), flexible: -1}
		if words[3] != "never" {
			row.flexible = number(t, words[3])
		}
		for i := range columns {
			if w := words[4+i]; w != "-" {
				r := rangeOf(t, w)
				row.offered[i] = &r
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// column returns what one listener of the table advertises without telemetry.
func column(t testing.TB, name string) []Row {
	t.Helper()
	for i, c := range columns {
		if c.name != name {
			continue
		}
		var rows []Row
		for _, r := range parseTable(t) {
			if r.offered[i] != nil && r.key != telemetry[0] && r.key != telemetry[1] {
				rows = append(rows, Row{Key: r.key, Range: *r.offered[i]})
			}
		}
		return Tidy(rows)
	}
	t.Fatalf("no column %q", name)
	return nil
}

func number(t testing.TB, word string) int16 {
	t.Helper()
	n, err := strconv.ParseInt(word, 10, 16)
	if err != nil {
		t.Fatal(err)
	}
	return int16(n)
}

func rangeOf(t testing.TB, word string) Range {
	t.Helper()
	var r Range
	if n, err := fmt.Sscanf(word, "%d-%d", &r.Min, &r.Max); n != 2 {
		t.Fatalf("range %q: %v", word, err)
	}
	return r
}

// rowsOf reads rows written as key:min-max.
func rowsOf(t testing.TB, table string) []Row {
	t.Helper()
	var rows []Row
	for word := range strings.FieldsSeq(table) {
		key, r, _ := strings.Cut(word, ":")
		rows = append(rows, Row{Key: number(t, key), Range: rangeOf(t, r)})
	}
	return Tidy(rows)
}

// peerOf is a peer that answered ApiVersions v4 with these rows.
func peerOf(target string, rows []Row) *Peer {
	v := int16(4)
	p := &Peer{Target: target, Rows: Tidy(rows), Handshake: Handshake{Version: &v, Layout: &v, Requests: 1, Connections: 1}}
	p.Listener, p.Mode = Classify(p.Rows)
	return p
}

func peer(t testing.TB, target, table string) *Peer {
	t.Helper()
	return peerOf(target, rowsOf(t, table))
}

// with replaces the rows of some keys, or adds them.
func with(rows, changed []Row) []Row {
	all := append([]Row{}, changed...)
	for _, r := range rows {
		if !(&Peer{Rows: Tidy(changed)}).Offers(r.Key) {
			all = append(all, r)
		}
	}
	return Tidy(all)
}

// without drops keys.
func without(rows []Row, keys ...int16) []Row {
	var kept []Row
	for _, r := range rows {
		if !slices.Contains(keys, r.Key) {
			kept = append(kept, r)
		}
	}
	return kept
}

// featured gives a peer features, read at an ApiVersions version.
func featured(p *Peer, layout int16, features ...Feature) *Peer {
	epoch := int64(39)
	p.Handshake.Version, p.Handshake.Layout = &layout, &layout
	p.Features, p.FinalizedEpoch = append([]Feature{}, features...), &epoch
	SortFeatures(p.Features)
	return p
}

// feature is supported at min..max and finalized at a level.
func feature(name string, low, high, level int16) Feature {
	return Feature{Name: name, Supported: &Range{low, high}, Finalized: &level}
}

// codecOf is a codec whose requests and responses have the same ranges.
func codecOf(t testing.TB, table string) Codec {
	t.Helper()
	schemas := make(map[int16]Schema)
	for _, r := range rowsOf(t, table) {
		schemas[r.Key] = Schema{r.Range, r.Range}
	}
	return NewCodec("test", "v1", "", schemas)
}

func ptr[T any](v T) *T { return &v }

// text writes a value that may be none.
func text[T any](v *T) string {
	if v == nil {
		return "none"
	}
	return fmt.Sprint(*v)
}

// low and high bound the versions of the laws that are tried on every range.
const low, high = -1, 6

// smallRanges are all ranges between low and high, those that contradict
// themselves among them.
func smallRanges() []Range {
	var all []Range
	for lo := int16(low); lo <= high; lo++ {
		for hi := int16(low); hi <= high; hi++ {
			all = append(all, Range{lo, hi})
		}
	}
	return all
}
