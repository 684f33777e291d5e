package render

import (
	"fmt"
	"strings"

	"github.com/kver-cli/kver/internal/negotiate"
)

// cluster writes what can be used on every broker, where they disagree.
func (p *page) cluster(r negotiate.Report) {
	c := r.Cluster
	if c == nil {
		return
	}
	p.section()
	n := len(c.Targets)
	if len(c.APIs) == 0 {
		p.line(span{fmt.Sprintf("all %d brokers that answered offer the same versions", n), plain, 0})
		return
	}
	p.line(span{fmt.Sprintf("usable on every broker that answered (%d of %d), where they disagree:", n, n+len(r.Failed())), bold, 0})
	groups := alike(c)
	if len(groups) <= maxColumns {
		for i, members := range groups {
			p.legend(letter(i), named(c.Targets, members), "")
		}
	}
	p.put("\n")
	columns := []column{right("KEY"), left("API")}
	columns = append(columns, rangeColumns(len(groups), "OFFERED")...)
	columns = append(columns, right("CLUSTER"))
	rows := make([][]cell, len(c.APIs))
	for i, j := range c.APIs {
		rows[i] = jointCells(j, groups)
	}
	p.table(columns, rows)
}

func jointCells(j negotiate.Joint, groups [][]int) []cell {
	ranges := make([]*negotiate.Range, len(groups))
	for i, members := range groups {
		ranges[i] = j.Ranges[members[0]]
	}
	cells := keyCells(j.Key, j.Name, plain)
	cells = append(cells, rangeCells(ranges)...)
	return append(cells, say(number(j.Use), bold))
}

// alike puts the brokers together that agree on every key of c, by their index
// in c.Targets.
func alike(c *negotiate.Cluster) [][]int {
	var groups [][]int
	index := make(map[string]int)
	for i := range c.Targets {
		var b strings.Builder
		for _, j := range c.APIs {
			b.WriteString(rangeText(j.Ranges[i]) + " ")
		}
		at, ok := index[b.String()]
		if !ok {
			at = len(groups)
			index[b.String()] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], i)
	}
	return groups
}

func named(targets []string, members []int) []string {
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = targets[m]
	}
	return names
}
