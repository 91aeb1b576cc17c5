/** The journals of an account on this device, one for each story, shared by all tabs. */
import { account } from './account.js';
import { DeviceDatabase } from './device-database.js';
import { JournalContents } from './journal-contents.js';

export { StorageFull } from './device-database.js';

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

  async #change(story, add) {
    let isNew = false;
    await this.database.change('journals', story, document => {
      const contents = new JournalContents(document);
      isNew = add(contents);
      return isNew ? contents.document(story) : undefined;
    });
    if (isNew) this.#channel.postMessage(story);
    return isNew;
  }

  close() {
    this.#channel.close();
    this.database.close();
  }
}
