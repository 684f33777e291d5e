package negotiate

// metadataLevels names the levels of metadata.version, the first being 1.
// Source: MetadataVersion in Apache Kafka 3.3 to 4.4. Levels 16 and 18 are
// reserved; 34 and above are not in a stable release.
var metadataLevels = [...]string{
	"3.0-IV1", "3.1-IV0", "3.2-IV0", "3.3-IV0", "3.3-IV1", "3.3-IV2", "3.3-IV3",
	"3.4-IV0", "3.5-IV0", "3.5-IV1", "3.5-IV2", "3.6-IV0", "3.6-IV1", "3.6-IV2",
	"3.7-IV0", "3.7-IV1", "3.7-IV2", "3.7-IV3", "3.7-IV4", "3.8-IV0", "3.9-IV0",
	"4.0-IV0", "4.0-IV1", "4.0-IV2", "4.0-IV3", "4.1-IV0", "4.1-IV1",
	"4.2-IV0", "4.2-IV1", "4.3-IV0", "4.4-IV0", "4.4-IV1", "4.4-IV2",
}

// LevelName returns the name of a feature's level as Apache Kafka writes it
// (metadata.version 27 is 4.1-IV1), or "" where it has none.
func LevelName(feature string, level int16) string {
	if feature != metadataVersion || level < 1 || int(level) > len(metadataLevels) {
		return ""
	}
	return metadataLevels[level-1]
}
