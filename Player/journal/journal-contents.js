/**
 * The journal of a player in one story. Devices that exchange journals in any order, and however often, end with equal
 * ones. Of two entries with one key, the earlier one is kept; if the times are equal, a total order over the other values
 * decides, the same as in Swift's `JournalContents`. What the player deletes leaves a mark, so that the entries of other
 * devices do not return: the ids of removed captures, and the time up to which everything is erased.
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

/** Returns the lesser of two texts of which either may be missing. */
const lesserText = (a, b) => a == null || (b != null && compareTexts(b, a) < 0) ? b : a;

/**
 * The kinds of entries. `key` identifies an entry; `rank` orders entries with equal keys and times; `isSound` validates
 * an entry; `keep` selects its members; `join` is what both of two entries with equal keys bring to the kept one.
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
    rank: entry => [entry.event],
    // The service learns the file, and the device the time.
    join: (a, b) => ({ file: lesserText(a.file, b.file) }),
    isSound: entry => text(entry.id) && text(entry.event) && (entry.file == null || text(entry.file)),
    keep: ({ id, event, file, timestamp }) => present({ id, event, file, timestamp }),
  },
  removed: {
    key: entry => [entry.id], rank: () => [], isSound: entry => text(entry.id), keep: ({ id, timestamp }) => ({ id, timestamp }),
  },
};

const nameOf = (kind, entry) => JSON.stringify(kinds[kind].key(entry));

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
  /** The time up to which all entries are erased. */
  #erased;
  /** The names of the entries that were added or changed since the document was read, by kind; `erased` likewise. */
  #news = {};

  /**
   * Reads a document of journal.schema.json; undefined is an empty journal. Throws a JournalFault for other documents,
   * also those of a newer Wayreel.
   */
  constructor(document) {
    if (document === undefined) return;
    if (document?.format !== 'wayreel-journal') throw new JournalFault('this is not a journal');
    if (![1, 2].includes(document.version)) {
      throw new JournalFault(`a journal of version ${document.version}; this player knows 2`);
    }
    if (document.erased != null) {
      if (parseTime(document.erased) === undefined) throw new JournalFault("'erased' is not a time");
      this.#erased = document.erased;
    }
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
    this.#news = {};
  }

  /** Adds an entry, unless it is erased or there is an earlier one with its key; returns whether anything changed. */
  #put(kind, entry) {
    const { rank, keep, join } = kinds[kind];
    if (kind !== 'removed' && this.#isErased(entry.timestamp)) return false;
    if (kind === 'captures' && this.#entries.removed.has(nameOf('removed', entry))) return false;
    const name = nameOf(kind, entry);
    const old = this.#entries[kind].get(name);
    const order = one => [parseTime(one.timestamp), ...rank(one)];
    let kept = keep(entry);
    if (old) {
      const earlier = compare(order(entry), order(old)) < 0 ? kept : old;
      kept = join ? keep({ ...earlier, ...join(old, entry) }) : earlier;
      if (JSON.stringify(kept) === JSON.stringify(old)) return false;
    }
    this.#entries[kind].set(name, kept);
    if (kind === 'removed') this.#entries.captures.delete(name);
    (this.#news[kind] ??= new Set()).add(name);
    return true;
  }

  #isErased(timestamp) { return this.#erased !== undefined && parseTime(timestamp) <= parseTime(this.#erased); }

  /** Removes a capture; returns whether that is new. Other devices remove it when they merge this journal. */
  remove(id, timestamp) { return this.#put('removed', { id, timestamp }); }

  /**
   * Removes all entries up to a time, and those that other journals have when they are merged; returns whether the time
   * is later than before. The ids of removed captures stay.
   */
  erase(time) {
    if (this.#isErased(time)) return false;
    this.#erased = time;
    for (const kind of Object.keys(kinds).filter(kind => kind !== 'removed')) {
      for (const [name, entry] of this.#entries[kind]) if (this.#isErased(entry.timestamp)) this.#entries[kind].delete(name);
    }
    this.#news.erased = true;
    return true;
  }

  /** The time up to which all entries are erased, or undefined. */
  get erased() { return this.#erased; }

  /** Returns whether a capture is removed, or was taken before everything was erased. */
  isRemoved(id, timestamp) { return this.#entries.removed.has(nameOf('removed', { id })) || this.#isErased(timestamp); }

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

  /** The number of entries, without the marks of removed captures. */
  get size() {
    return Object.entries(this.#entries).reduce((sum, [kind, entries]) => kind === 'removed' ? sum : sum + entries.size, 0);
  }

  get isEmpty() { return this.#erased === undefined && Object.values(this.#entries).every(entries => !entries.size); }

  /** The names of all entries by kind. */
  get names() {
    const names = Object.fromEntries(Object.entries(this.#entries).map(([kind, entries]) => [kind, [...entries.keys()]]));
    return { ...names, erased: this.#erased !== undefined };
  }

  /** The names of the entries that were added or changed since the document was read, by kind. */
  get news() { return Object.fromEntries(Object.entries(this.#news).map(([kind, names]) => [kind, names === true || [...names]])); }

  /** Returns an entry by its name, or undefined. */
  entry(kind, name) { return this.#entries[kind].get(name); }

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
    // Before entries are compared: a later record of an erased one counts.
    let isNew = other.#erased !== undefined && this.erase(other.#erased);
    for (const kind of Object.keys(kinds)) {
      for (const entry of other.#entries[kind].values()) isNew = this.#put(kind, entry) || isNew;
    }
    return isNew;
  }

  /**
   * Returns the document of journal.schema.json, in the first version that has all of the contents; equal contents give
   * equal documents.
   */
  document(story) {
    const { removed, ...lists } = Object.fromEntries(Object.keys(kinds).map(kind => [kind, this.#list(kind)]));
    const isFirst = removed.length === 0 && this.#erased === undefined;
    return {
      format: 'wayreel-journal', version: isFirst ? 1 : 2, story, ...lists, ...removed.length > 0 && { removed },
      ...this.#erased !== undefined && { erased: this.#erased },
    };
  }
}
