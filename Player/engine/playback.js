/** What the interface will be; the bodies follow. Times in JSON are text of RFC 3339 in UTC, as in Swift. */
export class Playback {
  /**
   * @param {object} story the JSON of `v1/stories/{id}`
   * @param {{rules?: object, contents?: object}} options `rules`: FenceRules by their names in Documentation/playback.md;
   *   `contents`: the journal to resume, a document as of journal.schema.json (JournalContents.document())
   * Throws a StoryError for a story that cannot be played.
   */
  constructor(story, { rules, contents } = {}) { throw new Error('not built yet'); }
  /**
   * Applies an input, `{fix: {latitude, longitude, accuracy?, speed?, course?, time}}`, `{heading: …}`, `{answer: {lockbox, text, time}}`,
   * `{quiz: {event, question, choices, time}}`, `{capture: {event, id, file?, time}}`, `{clock: {time}}`, `{lost: {time}}`.
   * @returns {object[]} outcomes in order: `{outcome: 'found', event, latitude, longitude, time}`, … One that makes no sense changes nothing.
   */
  step(input) {}
  /** What makes an input senseless, in English; undefined where nothing does. */
  fault(input) {}
  /**
   * A snapshot for views (new objects at each call):
   * `{found: Set, opened: Set, available: Set, answered: Set of 'event/question', wrongAnswers: Map lockbox → count, inside: Set,
   *   near: Set, position: {latitude, longitude, accuracy, time}|undefined, isDone}`, all by id.
   */
  get state() {}
  /** The chapters that are available, the lockboxes asked now ({id, chapter, question, hint?}), the events that may be found: in order. */
  get availableChapters() {}
  get askedLockboxes() {}
  get openEvents() {}
  isChapterDone(chapterId) {}
  /**
   * `{nearest: Sighting[], arrows: Sighting[], chapters: {chapter, distance, bearing, remaining}[], prefetch: Sighting[]}` of events that
   * are not found. Sighting: `{event, chapter, distance (m), bearing (°), turn (° from heading, -180…180), fade (0…1)}`.
   * @param {{position: {latitude, longitude}, heading?: number, range?: number, beyond?: number, count?: number, course?: number,
   *   chapter?: string}} view `range`: metres at which events have faded (500); `beyond`: metres of the view's edge, for arrows (150)
   */
  surroundings(view) {}
  /**
   * Why an event did or did not fire at the last fix, and why it cannot be found now.
   * @returns {{event, time, verdict, verdictValue?, distance, closest, accuracy, radius, exitRadius, votes, needed, isInside, stage,
   *   blockers: object[], isFound}} `verdict`: 'used', 'used-without-path', 'distrusted', 'unusable', 'inaccurate', 'backwards', 'jump' or
   *   undefined before any fix; `stage`: 'outside', 'touching', 'inside'; `blockers`: `{kind: 'already-found'}`, `{kind: 'comes-later',
   *   first}`, `{kind: 'waits', for: …}`, `{kind: 'closed', until?}`, each with `text` in English.
   */
  explain(eventId, time) {}
}
export class StoryError extends Error {}
