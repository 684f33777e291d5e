package negotiate

// Introduction says what one version of an API brought. What an API is for is
// no part of a table: it is looked up (History), and never decides anything.
type Introduction struct {
	Key     int16
	Version int16
	Release string // the Apache Kafka minor release that first offered it: 4.1
	KIP     string // KIP-1166, an issue (KAFKA-17011) where there is no KIP, or ""
	Words   string // what it is for, at most 60 characters
}

// History returns what the versions of a key that lie in the range brought,
// oldest first. Versions that nothing is known about are left out.
type History func(key int16, in Range) []Introduction

// LevelIntroduction says what one level of a feature means.
type LevelIntroduction struct {
	Feature string
	Level   int16
	Release string // the Apache Kafka minor release that first supported it: 4.1
	KIP     string // as in Introduction
	Words   string // likewise
}

// LevelHistory returns what a level of a feature means, and false where that is
// not known.
type LevelHistory func(feature string, level int16) (LevelIntroduction, bool)
