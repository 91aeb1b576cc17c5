/** The captures of an event: those of this device, and those of the player's other devices, which the journal lists. */
import { account, identity } from './account.js';

/** Milliseconds until a request times out. */
const timeout = 60_000;

export class CaptureAlbum {
  /** The ids of images that the service does not have, and of photos without a preview; they are not asked for again. */
  #missing = new Set();

  /** The one of the page, which also sends removals that wait for a network. */
  static of(app, queue) {
    return app.album ??= new CaptureAlbum(queue, app.library);
  }

  constructor(queue, library) {
    Object.assign(this, { queue, library });
    addEventListener('online', () => this.sendRemovals());
    this.sendRemovals();
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
    return [...here.filter(capture => capture.state !== 'removed'), ...this.library.keepsPlayers ? others : []]
      .sort((a, b) => a.timestamp < b.timestamp ? 1 : -1);
  }

  /** Loads an image that another device has sent, and keeps it. Resolves to whether it is there now. */
  async load({ id, story, event, timestamp, file }) {
    const address = new URL(file, this.library.api);
    if (address.origin !== location.origin) return false;
    const { headers } = identity(account());
    const response = await fetch(address, { headers, signal: AbortSignal.timeout(timeout) });
    if ([404, 410].includes(response.status)) {
      this.#missing.add(id);
      this.queue.dispatchEvent(new Event('change'));
    }
    const after = response.ok ? await response.blob() : undefined;
    if (!after?.type.startsWith('image/')) return false;
    await this.queue.update(id, kept => kept ?? { id, story, event, timestamp, state: 'sent', isOfOther: true, after });
    return true;
  }

  /** Asks the service for a preview of a photo whose format the browser does not show, and keeps it. */
  async preview({ id, story, event, before }) {
    if (!this.library.keepsPlayers || this.#missing.has(id)) return;
    this.#missing.add(id);
    try {
      await this.#askForPreview({ id, story, event, before });
    } catch (error) {
      this.#missing.delete(id);
      throw error;
    }
  }

  async #askForPreview({ id, story, event, before }) {
    const { headers, query } = identity(account());
    const path = `stories/${encodeURIComponent(story)}/events/${encodeURIComponent(event)}/previews${query}`;
    const response = await fetch(this.library.address(path), {
      method: 'POST', body: before, cache: 'no-store', signal: AbortSignal.timeout(timeout),
      headers: { ...headers, 'Content-Type': before.type || 'application/octet-stream' },
    });
    const preview = response.ok ? await response.blob() : undefined;
    if (preview?.type.startsWith('image/')) await this.queue.update(id, kept => kept && { ...kept, preview });
  }

  /** Removes a capture from this device, and from the service when there is a network. */
  async remove({ id, story, event, timestamp }) {
    const removed = { id, story, event, timestamp, state: 'removed', isPending: true };
    await this.queue.update(id, () => this.library.keepsPlayers ? removed : null);
    await this.sendRemovals();
  }

  /** Sends removals. Captures are sent under the same lock, so that none arrives after its removal. */
  async sendRemovals() {
    if (!this.library.keepsPlayers) return;
    const isPending = capture => capture.state === 'removed' && capture.isPending;
    const work = async () => {
      for (const { id } of (await this.queue.database.all('captures')).filter(isPending)) await this.#sendRemoval(id);
    };
    try {
      if (!(await this.queue.database.all('captures')).some(isPending)) return;
      if (navigator.locks) await navigator.locks.request('wayreel-captures', work);
      else await work();
      // What was to be sent meanwhile found the lock taken.
      await this.queue.send();
    } catch (error) {
      // They are sent when there is a network, or with the next page.
      console.warn('A capture is not removed at the service yet.', error);
    }
  }

  async #sendRemoval(id) {
    const { player, token } = account();
    const { headers } = identity({ player, token });
    const path = `players/${encodeURIComponent(player)}/captures/${encodeURIComponent(id)}`;
    const response = await fetch(this.library.address(path), { method: 'DELETE', headers, signal: AbortSignal.timeout(timeout) });
    // A service that has no such capture, or removes none, has nothing to do.
    if (response.ok || [404, 405, 410].includes(response.status)) {
      await this.queue.update(id, kept => ({ ...kept, isPending: false }));
    }
  }
}
