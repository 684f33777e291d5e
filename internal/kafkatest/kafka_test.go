package kafkatest

import (
	"cmp"
	"errors"
	"io"
	"maps"
	"net"
	"os"
	"slices"
	"testing"
	"time"
)

// expectation is what a node is known to answer.
type expectation struct {
	keys    int   // 0 where it does not answer
	highest int16 // version of ApiVersions
}

func expected() map[Node]expectation {
	return map[Node]expectation{
		{"4.4.0", KRaft}:        {77, 5},
		{"4.4.0", Controller}:   {42, 5},
		{"4.2.0", KRaft}:        {75, 4},
		{"4.2.0", Controller}:   {41, 4},
		{"3.9.1", KRaft}:        {61, 4},
		{"3.9.1", Controller}:   {42, 4},
		{"3.9.1", ZooKeeper}:    {62, 4},
		{"3.6.2", ZooKeeper}:    {60, 3},
		{"2.8.2", ZooKeeper}:    {56, 3},
		{"2.3.1", ZooKeeper}:    {45, 2},
		{"1.1.1", ZooKeeper}:    {43, 1},
		{"0.11.0.3", ZooKeeper}: {34, 1},
		{"0.10.0.1", ZooKeeper}: {19, 0},
		{"0.9.0.1", ZooKeeper}:  {},
		{"0.8.2.2", ZooKeeper}:  {},
	}
}

// versions are those that are recorded: the lowest, the first with features,
// and the highest.
func (e expectation) versions() []int16 {
	all := []int16{0}
	if e.highest > 3 {
		all = append(all, 3)
	}
	if top := min(e.highest, newestAsked); top > 0 {
		all = append(all, top)
	}
	return all
}

// refusal is the rows that come with code 35: none before 2.4, then the one of
// ApiVersions itself (KIP-511).
func (e expectation) refusal() []Row {
	if e.highest < 3 {
		return nil
	}
	return []Row{{apiVersionsKey, 0, e.highest}}
}

// TestExpectedIsComplete fails when a release is added without its numbers.
func TestExpectedIsComplete(t *testing.T) {
	for _, n := range Nodes() {
		if _, ok := expected()[n]; !ok {
			t.Errorf("nothing is expected of %s", n)
		}
	}
	if got, want := len(expected()), len(Nodes()); got != want {
		t.Errorf("%d nodes are expected, %d are known: %v", got, want, slices.Collect(maps.Keys(expected())))
	}
}

// silent holds what releases before 0.10 do. 0.9 drops the request, its
// network thread having stumbled over the key, and keeps the connection; 0.8
// closes it.
func silent(t *testing.T, p *Process) {
	t.Helper()
	conn, err := net.Dial("tcp", p.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write(request(0)); err != nil {
		t.Fatal(err)
	}
	if err := conn.SetReadDeadline(time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	want := os.ErrDeadlineExceeded
	if p.Release == "0.8.2.2" {
		want = io.EOF
	}
	if n, err := conn.Read(make([]byte, 1)); n != 0 || !errors.Is(err, want) {
		t.Errorf("%d bytes and %v, want none and %v", n, err, want)
	}
}

func sameFeatures(a, b []Feature) bool {
	byName := func(x, y Feature) int { return cmp.Compare(x.Name, y.Name) }
	return slices.Equal(slices.SortedFunc(slices.Values(a), byName), slices.SortedFunc(slices.Values(b), byName))
}
