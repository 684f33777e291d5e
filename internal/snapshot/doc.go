// Package snapshot holds the JSON documents, both ways: what kver writes with
// -o json is what it reads as a target.
//
// Three documents are written, kver.versions, kver.ahead and kver.diff; their
// JSON Schemas are in the folder schema. Of these, kver.versions can be read.
// A document is a function of the report alone: fixed order, no times, nothing
// of the environment, so that two runs compare equal. Every field is always
// there; none is null and empty is []. It is indented, with one line for each
// row, so that documents are short and a line-by-line diff names the keys that
// changed.
//
// What is read are the facts about peers. Ours, the versions in use, states,
// counts, notes and the cluster are left to Negotiate, so that an old document
// is judged by the rules of this build. The law that holds both ways together:
// a document that was not narrowed by state, read and negotiated with the same
// codec and the same APIs, is written again byte for byte.
package snapshot
