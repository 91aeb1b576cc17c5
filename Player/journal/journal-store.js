/**
 * The journals of an account on this device, one for each story, shared by all tabs. Each is a document of
 * journal.schema.json; its member `sync` is `{player, cursor, unsent, time}`: the service's cursor for this player, the names
 * of the entries that the service has not acknowledged, by kind, and when it answered last; without `unsent`, all of them.
 */
import { account } from './account.js';
import { DeviceDatabase } from './device-database.js';
import { JournalContents, JournalFault } from './journal-contents.js';

export { StorageFull } from './device-database.js';

/** About the maximum size of a request in characters of JSON. */
const maxSent = 500_000;

/**
 * Events with `detail.story`: `change` after entries of another tab or device, `recorded` after entries of this page.
 */
export class JournalStore extends EventTarget {
  #channel;
  /** Outcomes by story that the device had no space for; they are written again with the next ones. */
  #unkept = new Map();

  /** Opens the database of the account that plays, or another one. */
  static async open(name = account().database) {
    const store = new JournalStore();
    store.name = name;
    store.database = await DeviceDatabase.open(name);
    /** Whether journals outlive the page. */
    store.isKept = store.database.isKept;
    store.#channel = new BroadcastChannel(`${name}-journals`);
    store.#channel.onmessage = ({ data }) => store.#dispatch('change', data);
    return store;
  }

  #dispatch(type, story) { this.dispatchEvent(new CustomEvent(type, { detail: { story } })); }

  /** Returns a story's journal; empty if there is none. */
  async contents(story) { return new JournalContents(await this.database.read('journals', story)); }

  /**
   * Adds outcomes to a story's journal, and resolves when they are on the disk. Rejects with StorageFull; the outcomes
   * are then written again with the next ones.
   */
  async record(story, outcomes) {
    const waiting = [...this.#unkept.get(story) ?? [], ...outcomes];
    this.#unkept.set(story, waiting);
    const isNew = await this.#change(story, contents => contents.add(waiting));
    this.#unkept.set(story, this.#unkept.get(story).filter(outcome => !waiting.includes(outcome)));
    if (isNew) this.#dispatch('recorded', story);
  }

  /** Adds the entries of another device's journal. */
  async merge(story, other) {
    if (await this.#change(story, contents => contents.merge(other))) this.#dispatch('change', story);
  }

  /** Removes a capture from the journal; the service and other devices follow when they are synchronised. */
  async removeCapture(story, id, timestamp) {
    if (!await this.#change(story, contents => contents.remove(id, timestamp))) return;
    this.#dispatch('change', story);
    this.#dispatch('recorded', story);
  }

  /** Erases all entries of a journal up to a time, likewise. */
  async erase(story, timestamp) {
    if (!await this.#change(story, contents => contents.erase(timestamp))) return;
    this.#dispatch('change', story);
    this.#dispatch('recorded', story);
  }

  async #change(story, add) {
    let isNew = false;
    await this.database.change('journals', story, record => {
      const contents = new JournalContents(record);
      isNew = add(contents);
      if (!isNew) return undefined;
      const sync = record?.sync?.unsent ? { ...record.sync, unsent: joined(record.sync.unsent, contents.news) } : record?.sync;
      return { ...contents.document(story), ...sync && { sync } };
    });
    if (isNew) this.#channel.postMessage(story);
    return isNew;
  }

  /** Returns how many entries of a story's journal the service does not have yet, and when it answered: `{waiting, lastSynced?}`. */
  async waiting(story, player) {
    const record = await this.database.read('journals', story);
    const { unsent = new JournalContents(record).names, time: lastSynced } = syncOf(record, player);
    const { erased, ...names } = unsent;
    return { waiting: Object.values(names).reduce((sum, list) => sum + list.length, erased ? 1 : 0), lastSynced };
  }

  /** Returns what the service does not have yet, as far as one request takes it, and its cursor: `{cursor, document?}`. */
  async unsent(story, player) {
    const record = await this.database.read('journals', story);
    const contents = new JournalContents(record);
    const sync = syncOf(record, player);
    const { erased, ...names } = sync.unsent ?? contents.names;
    const lists = {};
    let size = 0;
    for (const [kind, list] of Object.entries(names)) {
      for (const entry of list.map(name => contents.entry(kind, name)).filter(Boolean)) {
        // At least one, however large it is.
        if (size >= maxSent) break;
        size += JSON.stringify(entry).length;
        (lists[kind] ??= []).push(entry);
      }
    }
    if (size === 0 && !erased) return { cursor: sync.cursor };
    const erasure = erased && contents.erased !== undefined ? { erased: contents.erased } : {};
    const version = lists.removed || erasure.erased ? 2 : 1;
    return { cursor: sync.cursor, document: { format: 'wayreel-journal', version, story, ...lists, ...erasure } };
  }

  /**
   * Adds what the service answered to `unsent`, and records that it has it. Throws a JournalFault for anything but
   * changes. Returns whether the service has more, or lacks more.
   */
  async acknowledge(story, player, { cursor, document }, changes) {
    if (changes?.format !== 'wayreel-journal-changes' || changes.version !== 1 || typeof changes.cursor !== 'string') {
      throw new JournalFault('this does not say what changed in a journal');
    }
    const others = new JournalContents({ ...changes, format: 'wayreel-journal', version: 2 });
    const sent = new JournalContents(document);
    let isNew = false;
    let isIncomplete = changes.more === true && changes.cursor !== cursor;
    await this.database.change('journals', story, record => {
      const contents = new JournalContents(record);
      // Without the cursor, for example after a backup was restored, the service may lack anything.
      const isUnknown = changes.whole === true && cursor !== '';
      const former = (isUnknown ? undefined : syncOf(record, player).unsent) ?? contents.names;
      const unsent = { erased: former.erased === true && contents.erased !== sent.erased };
      for (const [kind, names] of Object.entries(former).filter(([kind]) => kind !== 'erased')) {
        const isWaiting = name => contents.entry(kind, name) !== undefined
          && JSON.stringify(contents.entry(kind, name)) !== JSON.stringify(sent.entry(kind, name));
        unsent[kind] = names.filter(isWaiting);
      }
      isIncomplete ||= Object.values(unsent).some(names => names === true || names.length > 0);
      isNew = contents.merge(others);
      if (!isNew && !document && record?.sync?.player === player && changes.cursor === record.sync.cursor) return undefined;
      return { ...contents.document(story), sync: { player, cursor: changes.cursor, unsent, time: new Date().toISOString() } };
    });
    if (isNew) {
      this.#channel.postMessage(story);
      this.#dispatch('change', story);
    }
    return isIncomplete;
  }

  close() {
    this.#channel.close();
    this.database.close();
  }
}

/** The state of the synchronisation; another player has not sent anything yet. */
const syncOf = (record, player) => record?.sync?.player === player ? record.sync : { cursor: '' };

/** Returns the union of two lists of names by kind. */
function joined(a, b) {
  const whole = { ...a };
  for (const [kind, names] of Object.entries(b)) whole[kind] = names === true || [...new Set([...a[kind] ?? [], ...names])];
  return whole;
}
