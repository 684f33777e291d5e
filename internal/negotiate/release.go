package negotiate

// Release is which Apache Kafka release a table is, judged by the table alone.
// It is an estimate, since any server can offer any table; it always says what
// it rests on, and no gate reads it.
type Release struct {
	Verdict Likeness
	// Name is the release, or the releases, that the verdict is about: 4.1,
	// 4.0.0, 4.0.1+ (that patch release and later ones), 3.7-3.8. It is "" for
	// what is not Apache Kafka.
	Name string
	// Evidence is what decided, and what explains where the table departs from
	// the recorded one: settings, an older active controller.
	Evidence []string
	// Differs is where the table departs without a reason that is known.
	Differs []string
}

// Likeness is how a table stands to those that Apache Kafka was recorded with.
type Likeness string

// The verdicts.
const (
	Exact     Likeness = "exact"      // the table of this release and no other
	InRange   Likeness = "range"      // one of these releases, or between them
	NewerThan Likeness = "newer-than" // all that the newest known one has, and more
	Like      Likeness = "like"       // nearest to this release, and not its table
	NotKafka  Likeness = "not-kafka"  // no kind of Kafka listener has such a table
)

// String says it in words that fit into a heading.
func (r *Release) String() string {
	switch r.Verdict {
	case Exact, InRange:
		return "Kafka " + r.Name
	case NewerThan:
		return "newer than Kafka " + r.Name
	case Like:
		return "like Kafka " + r.Name
	}
	return "not Apache Kafka"
}
