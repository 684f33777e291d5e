package render

import (
	"github.com/kver-cli/kver/internal/negotiate"
)

// changes writes what differs: what breaks a client first and apart. In one
// table the longest name would push the longest change out of 80 columns,
// though no row of an upgrade has both.
func (p *page) changes(d negotiate.Difference) {
	p.changeGroup(d, true, span{"BREAKING, what worked may fail", alarm, 0})
	p.changeGroup(d, false, span{"NOT BREAKING", bold, 0})
}

func (p *page) changeGroup(d negotiate.Difference, breaking bool, heading span) {
	var keys, features [][]cell
	named := 0
	for _, a := range d.APIs {
		if a.Breaking == breaking {
			row := append(keyCells(a.Key, a.Name, plain), rangeCells(a.Ranges)...)
			keys = append(keys, append(row, changeCell(a.Changes)))
		}
	}
	for _, f := range d.Features {
		if f.Breaking == breaking {
			features, named = append(features, featureRows(f)...), named+1
		}
	}
	if len(keys)+len(features) == 0 {
		return
	}
	p.put("\n")
	p.line(append([]span{heading}, tally(len(keys), named)...)...)
	beside := append(rangeColumns(len(d.Groups), "VALUES"), left("CHANGE"))
	if len(keys) > 0 {
		p.table(append([]column{right("KEY"), left("API")}, beside...), keys)
	}
	if len(keys) > 0 && len(features) > 0 {
		p.put("\n")
	}
	if len(features) > 0 {
		p.table(append([]column{left("FEATURE")}, beside...), features)
	}
}

// tally counts keys and features, leaving out what there is none of.
func tally(keys, features int) []span {
	var spans []span
	if keys > 0 {
		spans = append(spans, span{count(keys, "key"), plain, gap})
	}
	if features > 0 {
		spans = append(spans, span{count(features, "feature"), plain, gap})
	}
	return spans
}

// changeCell lists changes; what breaks is marked by a word and by colour.
func changeCell(changes []negotiate.Change) cell {
	if len(changes) == 0 {
		// Rows that contradict themselves in different ways.
		return say(none, plain)
	}
	var c cell
	for i, change := range changes {
		s := span{string(change), plain, min(i, 1)}
		if change.Breaking() {
			s.text, s.tone = s.text+" (breaking)", alarm
		}
		c = append(c, s)
		if i < len(changes)-1 {
			c = append(c, span{",", plain, 0})
		}
	}
	return c
}

// featureRows is what differs about a feature. What a binary supports and the
// level that the cluster runs at change apart from each other, and have a row
// each; the word of the change tells which it is.
func featureRows(f negotiate.FeatureChange) [][]cell {
	var supported, finalized []cell
	said := false
	for _, side := range f.Sides {
		if side == nil {
			side = &negotiate.Feature{}
		}
		said = said || side.Supported != nil
		supported = append(supported, say(rangeText(side.Supported), plain))
		finalized = append(finalized, say(number(side.Finalized), plain))
	}
	var binary, level []negotiate.Change
	for _, c := range f.Changes {
		if !said || c == negotiate.FinalizedRaised || c == negotiate.FinalizedLowered {
			level = append(level, c)
		} else {
			binary = append(binary, c)
		}
	}
	var rows [][]cell
	for _, r := range []struct {
		cells   []cell
		changes []negotiate.Change
	}{{supported, binary}, {finalized, level}} {
		if len(r.changes) > 0 {
			row := append([]cell{say(peerText(f.Name), plain)}, summedUp(r.cells)...)
			rows = append(rows, append(row, changeCell(r.changes)))
		}
	}
	return rows
}

// diffRemarks gathers what could not be compared and the notes of what differs.
func diffRemarks(d negotiate.Difference) remarks {
	var r remarks
	for _, text := range d.Notes {
		r.add(text, "")
	}
	for _, a := range d.APIs {
		for _, text := range a.Notes {
			r.add(text, a.Name)
		}
	}
	return r
}
