/** Stories on the device. Events: 'change' (.detail.story). A version has a cache of its own: `wayreel-story/{id}/{version}`. */
export class StoryDownloads extends EventTarget {
  constructor({ library }) {}
  /** {bytes, files, bytesMissing, free?: bytes, persisted?: boolean, version, downloaded?: version, isUpdate} before a download. `screen`: {width (px), height} of this device; media of other screens are left out. */
  async plan(story, screen) {}
  /** Downloads or updates, or goes on with what an earlier try left. `onProgress({bytes, total, files, filesTotal})`. Rejects with StorageFull, DOMException AbortError, StoryUnavailable. */
  async download(story, { screen, onProgress, signal } = {}) {}
  async remove(story) {}
  /** Map id → {version, bytes, isComplete}. */
  async list() {}
  /** Whether the service has another version than the one on the device. */
  async hasUpdate(story) {}
  /** Caches of versions that no open page plays are removed; call at start. */
  async tidy() {}
}
