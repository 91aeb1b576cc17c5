/** The captures of an event: those of this device, and those of the player's other devices, which the journal lists. */
import { accountOf, identity, isSignedOut } from './account.js';

/** Milliseconds until a request times out. */
const timeout = 60_000;

export class CaptureAlbum {
  /**
   * The ids of images that the service does not have, of captures that were deleted, and of photos without a preview; they are
   * not asked for again.
   */
  #missing = new Set();

  /** The one of the page. */
  static of(app, queue) {
    return app.album ??= new CaptureAlbum(queue, app.library);
  }

  constructor(queue, library) {
    Object.assign(this, { queue, library });
  }

  /**
   * Returns the captures of an event, the newest first, as `CaptureQueue.list` does. Those whose image is not on this device
   * have the state `elsewhere` and the address `file`.
   */
  async list(session, event) {
    const all = await this.queue.database.all('captures');
    const here = all.filter(capture => capture.story === session.id && capture.event === event);
    const known = new Set(here.map(capture => capture.id));
    const others = [...session.contents.captures]
      .filter(([id, capture]) => capture.event === event && capture.file && !known.has(id) && !this.#missing.has(id))
      .map(([id, { file, timestamp }]) => ({ id, story: session.id, event, timestamp, file, state: 'elsewhere' }));
    return [...here, ...this.library.keepsPlayers ? others : []]
      .sort((a, b) => a.timestamp < b.timestamp ? 1 : -1);
  }

  /** Loads an image that another device has sent, and keeps it. Resolves to whether it is there now. */
  async load({ id, story, event, timestamp, file }) {
    const address = new URL(file, this.library.api);
    if (address.origin !== location.origin) return false;
    const sender = accountOf(this.queue.store.name);
    if (isSignedOut(sender)) return false;
    const { headers } = identity(sender);
    const response = await fetch(address, { headers, signal: AbortSignal.timeout(timeout) });
    if ([404, 410].includes(response.status)) {
      this.#missing.add(id);
      this.queue.dispatchEvent(new Event('change'));
    }
    const after = response.ok ? await response.blob() : undefined;
    if (!after?.type.startsWith('image/')) return false;
    // It may have been deleted meanwhile.
    if ((await this.queue.store.contents(story)).isRemoved(id, timestamp)) return false;
    await this.queue.update(id, kept => kept ?? { id, story, event, timestamp, state: 'sent', isOfOther: true, after });
    return true;
  }

  /** Asks the service for a preview of a photo whose format the browser does not show, and keeps it. */
  async preview({ id, story, event, before }) {
    const sender = accountOf(this.queue.store.name);
    if (!this.library.keepsPlayers || isSignedOut(sender) || this.#missing.has(id)) return;
    this.#missing.add(id);
    try {
      await this.#askForPreview({ id, story, event, before }, sender);
    } catch (error) {
      this.#missing.delete(id);
      throw error;
    }
  }

  async #askForPreview({ id, story, event, before }, sender) {
    const { headers, query } = identity(sender);
    const path = `stories/${encodeURIComponent(story)}/events/${encodeURIComponent(event)}/previews${query}`;
    const response = await fetch(this.library.address(path), {
      method: 'POST', body: before, cache: 'no-store', signal: AbortSignal.timeout(timeout),
      headers: { ...headers, 'Content-Type': before.type || 'application/octet-stream' },
    });
    const preview = response.ok ? await response.blob() : undefined;
    if (preview?.type.startsWith('image/')) await this.queue.update(id, kept => kept && { ...kept, preview });
  }

  /** Deletes a capture, as `CaptureQueue.remove` does. */
  async remove({ id, story }) {
    this.#missing.add(id);
    await this.queue.remove(story, id);
  }
}
