// The items of a story's collection: where they belong, and which of them the player may see.

/** The collections of stories, one for each language. */
const made = new WeakMap();

/** Returns the collection of a session. */
export function collectionOf(session) {
  if (!made.has(session.story)) made.set(session.story, new Collection(session));
  return made.get(session.story);
}

class Collection {
  /** Items with their section and the events that show them, by id: `{item, section, events}`. */
  #entries = new Map();

  constructor(session) {
    this.session = session;
    this.sections = session.story.sections ?? [];
    for (const section of this.sections) for (const item of section.items) this.#entries.set(item.id, { item, section, events: [] });
    for (const event of session.events.values()) {
      for (const content of [event.content, event.journal?.content]) {
        if (content?.type === 'exhibit') this.#entries.get(content.item)?.events.push(event);
      }
    }
  }

  /** All entries, in the author's order. */
  get all() { return [...this.#entries.values()]; }

  /** Returns the entry of an item; undefined if there is no such item. */
  entry(id) { return this.#entries.get(id); }

  /** Returns the entries of a section that the player may see. */
  of(section) { return section.items.map(({ id }) => this.#entries.get(id)).filter(entry => this.isSeen(entry)); }

  /** Returns the event at which the player found an item; undefined if it was not found on a walk. */
  foundAt(entry) { return entry.events.find(({ id }) => this.session.isFound(id)); }

  /** Whether an item is not hidden, or was found. */
  isSeen(entry) { return !entry.item.hidden || this.foundAt(entry) !== undefined; }
}

/** Returns the words of a text with or without markup. */
export const plainText = text => typeof text === 'string' ? text : (text ?? []).map(plainBlock).join(' ');

function plainBlock({ type, of, items }) {
  if (type === 'paragraph') return plainInline(of);
  return plainText(type === 'list' ? items.flat() : of);
}

const plainInline = parts => parts.map(part => typeof part === 'string' ? part : plainInline(part.of)).join('');
