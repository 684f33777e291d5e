// Package render turns a report into bytes for people: Versions, Ahead and
// Diff. It is the only place that knows tablewriter and fatih/color.
//
// A renderer is a function of model and writer. It has no network, no clock, no
// environment, looks at no terminal and decides no exit status; whether there
// is colour comes in as a value. The policy of the tables:
//
//   - One row is one line: columns stand three blanks apart, header words have
//     no blanks in them, numbers are right-aligned, "-" is none, and no line
//     ends in a blank. Rows are never wrapped or cut, whatever the terminal.
//   - Colour never carries meaning alone and never moves a byte: text is laid
//     out first and painted after (table.go). It is closed in every cell.
//   - What an ordinary broker brings fits into 80 columns. That is why remarks
//     about rows stand in lines of their own below the table (note.go).
//   - Text that a peer sent passes Clean before it is measured.
//   - Output goes through one buffered writer that keeps the first error
//     (page.go), since tablewriter reports none.
package render
