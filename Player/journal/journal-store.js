/** Journals in IndexedDB, one for each story, for all tabs. Events: 'change' (another tab or device added something), 'full'. */
export class JournalStore extends EventTarget {
  static async open(name = 'wayreel') {}
  /** JournalContents of a story; empty where there is none. */
  async contents(story) {}
  /** Merges outcomes into the stored journal, in one transaction; resolves when it is on the disk. Rejects with StorageFull; what could not be kept is tried again with the next. */
  async record(story, outcomes) {}
  async merge(story, contents) {}
  async remove(story) {}
}
export class StorageFull extends Error {}
