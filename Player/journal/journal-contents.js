/**
 * The journal of a player in one story. It only grows: merging is commutative, associative and idempotent, so that
 * devices that exchange journals in any order, and however often, end with equal ones. Of two entries with one key, the
 * earlier one is kept; if the times are equal, a total order over the other values decides, the same as in Swift's
 * `JournalContents`.
 */
import { parseTime } from '../engine/timestamps.js';

/** An error for a document that is not a journal. */
export class JournalFault extends Error {}

/** Compares texts by their code points, as their bytes in UTF-8 compare: another spelling of a text is another text. */
function compareTexts(a, b) {
  const [first, second] = [[...a], [...b]];
  for (let i = 0; i < Math.min(first.length, second.length); i++) {
    if (first[i] !== second[i]) return first[i].codePointAt(0) - second[i].codePointAt(0);
  }
  return first.length - second.length;
}

function compare(a, b) {
  if (Array.isArray(a)) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) {
      const order = compare(a[i], b[i]);
      if (order) return order;
    }
    return a.length - b.length;
  }
  if (typeof a === 'string') return compareTexts(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Removes members without a value. */
const present = members => Object.fromEntries(Object.entries(members).filter(([, value]) => value != null));

const text = value => typeof value === 'string' && !value.includes('\0');
const integer = Number.isSafeInteger;
const within = (value, most) => typeof value === 'number' && Math.abs(value) <= most;

function isPosition(at) {
  return within(at.latitude, 90) && within(at.longitude, 180)
    && (at.altitude == null || Number.isFinite(at.altitude));
}

/**
 * The kinds of entries. `key` identifies an entry; `rank` orders entries with equal keys and times; `isSound` validates
 * an entry; `keep` selects its members.
 */
const kinds = {
  found: {
    key: entry => [entry.event],
    rank: ({ position: at }) => at ? [0, at.latitude, at.longitude, at.altitude ?? Infinity] : [1, 0, 0, Infinity],
    isSound: entry => text(entry.event) && (entry.position == null || isPosition(entry.position)),
    keep: ({ event, timestamp, position: at }) => present({
      event, timestamp,
      position: at && present({ latitude: at.latitude, longitude: at.longitude, altitude: at.altitude }),
    }),
  },
  opened: {
    key: entry => [entry.lockbox], rank: () => [], isSound: entry => text(entry.lockbox),
    keep: ({ lockbox, timestamp }) => ({ lockbox, timestamp }),
  },
  attempts: {
    key: entry => [entry.lockbox, parseTime(entry.timestamp), entry.text], rank: () => [],
    isSound: entry => text(entry.lockbox) && text(entry.text),
    keep: ({ lockbox, text, timestamp }) => ({ lockbox, text, timestamp }),
  },
  scores: {
    key: entry => [entry.event, entry.question], rank: entry => [entry.points, entry.choices],
    isSound: entry => text(entry.event) && integer(entry.question) && integer(entry.points)
      && Array.isArray(entry.choices) && entry.choices.every(integer),
    keep: ({ event, question, choices, points, timestamp }) => ({ event, question, choices, points, timestamp }),
  },
  captures: {
    key: entry => [entry.id],
    // An entry with a file precedes one without, so that it is kept.
    rank: entry => [entry.event, entry.file == null ? 1 : 0, entry.file ?? ''],
    isSound: entry => text(entry.id) && text(entry.event) && (entry.file == null || text(entry.file)),
    keep: ({ id, event, file, timestamp }) => present({ id, event, file, timestamp }),
  },
};

/** Returns the journal entries of an outcome, as lists by kind. */
const kept = {
  'found': ({ event, position, timestamp }) => ({ found: [{ event, timestamp, position }] }),
  'lockbox-opened': ({ lockbox, text, timestamp }) =>
    ({ opened: [{ lockbox, timestamp }], attempts: [{ lockbox, text, timestamp }] }),
  'answer-wrong': ({ lockbox, text, timestamp }) => ({ attempts: [{ lockbox, text, timestamp }] }),
  'quiz-answered': ({ event, question, choices, points, timestamp }) =>
    ({ scores: [{ event, question, choices, points, timestamp }] }),
  'capture-kept': ({ event, id, file, timestamp }) => ({ captures: [{ id, event, file, timestamp }] }),
};

export class JournalContents {
  /** The entries of each kind by key. */
  #entries = Object.fromEntries(Object.keys(kinds).map(kind => [kind, new Map()]));

  /**
   * Reads a document of journal.schema.json; undefined is an empty journal. Throws a JournalFault for other documents,
   * also those of a newer Wayreel.
   */
  constructor(document) {
    if (document === undefined) return;
    if (document?.format !== 'wayreel-journal') throw new JournalFault('this is not a journal');
    if (document.version !== 1) throw new JournalFault(`a journal of version ${document.version}; this player knows 1`);
    for (const kind of Object.keys(kinds)) {
      const list = document[kind] ?? [];
      if (!Array.isArray(list)) throw new JournalFault(`'${kind}' is not a list`);
      for (const entry of list) {
        const isSound = typeof entry === 'object' && entry && parseTime(entry.timestamp) !== undefined
          && kinds[kind].isSound(entry);
        if (!isSound) throw new JournalFault(`'${kind}' holds something that is not an entry`);
        this.#put(kind, entry);
      }
    }
  }

  /** Adds an entry unless there is an earlier one with its key; returns whether it was added. */
  #put(kind, entry) {
    const { key, rank, keep } = kinds[kind];
    const name = JSON.stringify(key(entry));
    const old = this.#entries[kind].get(name);
    const order = one => [parseTime(one.timestamp), ...rank(one)];
    if (old && compare(order(entry), order(old)) >= 0) return false;
    this.#entries[kind].set(name, keep(entry));
    return true;
  }

  #list(kind) {
    const { key } = kinds[kind];
    return [...this.#entries[kind].values()].sort((a, b) => compare(key(a), key(b)));
  }

  /** Maps by the ids of events, lockboxes and captures: `{timestamp, position?}`, the timestamp, and `{event, file?, timestamp}`. */
  get found() {
    return new Map(this.#list('found').map(({ event, timestamp, position }) => [event, { timestamp, position }]));
  }
  get opened() { return new Map(this.#list('opened').map(({ lockbox, timestamp }) => [lockbox, timestamp])); }
  get captures() {
    return new Map(this.#list('captures').map(({ id, ...capture }) => [id, capture]));
  }

  /** Lists ordered by key: `{lockbox, text, timestamp}`, and `{event, question, choices, points, timestamp}`. */
  get attempts() { return this.#list('attempts'); }
  get scores() { return this.#list('scores'); }

  /** The sum of all points. */
  get points() { return this.scores.reduce((sum, { points }) => sum + points, 0); }

  /** The number of entries. */
  get size() { return Object.values(this.#entries).reduce((sum, entries) => sum + entries.size, 0); }

  get isEmpty() { return Object.values(this.#entries).every(entries => !entries.size); }

  /** Adds the entries of outcomes of `Playback.step`; returns whether any is new. */
  add(outcomes) {
    let isNew = false;
    for (const outcome of outcomes) {
      for (const [kind, entries] of Object.entries(kept[outcome.outcome]?.(outcome) ?? {})) {
        for (const entry of entries) isNew = this.#put(kind, entry) || isNew;
      }
    }
    return isNew;
  }

  /** Adds the entries of another journal; returns whether any is new. */
  merge(other) {
    let isNew = false;
    for (const kind of Object.keys(kinds)) {
      for (const entry of other.#entries[kind].values()) isNew = this.#put(kind, entry) || isNew;
    }
    return isNew;
  }

  /** Returns the document of journal.schema.json; equal contents give equal documents. */
  document(story) {
    const lists = Object.fromEntries(Object.keys(kinds).map(kind => [kind, this.#list(kind)]));
    return { format: 'wayreel-journal', version: 1, story, ...lists };
  }
}
