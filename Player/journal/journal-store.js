/** Journals of this device, one for each story, for all tabs. */
import { DeviceDatabase } from './device-database.js';
import { JournalContents } from './journal-contents.js';

export { StorageFull } from './device-database.js';

/** Events, with `detail.story`: `change`, another tab or another device added something; `recorded`, this page did. */
export class JournalStore extends EventTarget {
  #channel;
  /** Outcomes by story that the device had no room for: they are tried again with the next ones. */
  #unkept = new Map();

  static async open(name = 'wayreel') {
    const store = new JournalStore();
    store.database = await DeviceDatabase.open(name);
    /** Whether journals last longer than the page. */
    store.isKept = store.database.isKept;
    store.#channel = new BroadcastChannel(`${name}-journals`);
    store.#channel.onmessage = ({ data }) => store.#tell('change', data);
    return store;
  }

  #tell(type, story) { this.dispatchEvent(new CustomEvent(type, { detail: { story } })); }

  /** What a story's journal holds; empty where there is none. */
  async contents(story) { return new JournalContents(await this.database.read('journals', story)); }

  /**
   * Adds outcomes to a story's journal, and resolves when they are on the disk. Rejects with StorageFull; what could not be kept is tried
   * again with the next outcomes.
   */
  async record(story, outcomes) {
    const waiting = [...this.#unkept.get(story) ?? [], ...outcomes];
    this.#unkept.set(story, waiting);
    const isNew = await this.#change(story, contents => contents.add(waiting));
    this.#unkept.set(story, this.#unkept.get(story).filter(outcome => !waiting.includes(outcome)));
    if (isNew) this.#tell('recorded', story);
  }

  /** Adds all that another device's journal holds. */
  async merge(story, other) {
    if (await this.#change(story, contents => contents.merge(other))) this.#tell('change', story);
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
