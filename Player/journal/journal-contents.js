/** What a player found and did in one story. It only grows; merging is commutative, associative and idempotent, as in Swift. */
export class JournalContents {
  /** From a document as of journal.schema.json; entries that are none are left out only if `lenient`, else a JournalFault is thrown. */
  constructor(document) {}
  /** found: Map event → {time, position?}; opened: Map lockbox → time; attempts: [{lockbox, text, time}]; scores: [{event, question, choices, points, time}]; captures: Map id → {event, file?, time}. Times are text. */
  found; opened; attempts; scores; captures;
  get points() {}
  get isEmpty() {}
  /** Adds what a journal keeps of outcomes; tells whether anything changed. */
  add(outcomes) {}
  merge(other) {}
  /** The JSON document, lists in the order of their keys. */
  document(story) {}
}
