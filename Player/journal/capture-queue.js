/** Captures wait on the device until the service has accepted them, and are stored with its results. */
import { accountOf, identity, isSignedOut, refusal } from './account.js';

/**
 * Milliseconds until a capture is sent again: the first time, which doubles up to the longest time, and if the player's
 * images are full at the service. Each time the whole photo is uploaded.
 */
const retryDelay = 60_000;
const longestRetryDelay = 60 * 60_000;
const fullRetryDelay = 24 * 60 * 60_000;
/** The answers about the photo itself, which would be the same at any other time; 410 says that the capture was deleted. */
const finalStatuses = [410, 413, 415, 422];
/** Milliseconds until a request times out. */
const timeout = 120_000;
const images = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/heic'];

/** Events: `change`. */
export class CaptureQueue extends EventTarget {
  #timer;
  /** The current sending, and whether it was requested again. */
  #sending;
  #isRequested = false;
  /** Whether the service asked for a valid token at the last upload. */
  #isSignedOut = false;

  /** The one queue of the page, which sends whenever there is a network. */
  static async of(app) {
    app.captures ??= CaptureQueue.#started(app);
    return app.captures;
  }

  static async #started({ store, library, clock }) {
    const queue = new CaptureQueue({ store: await store, library, clock });
    queue.start();
    return queue;
  }

  constructor({ store, library, clock, player, token }) {
    super();
    Object.assign(this, { store, database: store.database, library, clock, given: { player, token } });
  }

  /**
   * Stores a photo on the device, and resolves to its id for the input `{capture: {event, id, timestamp}}`. `language` is that in which the
   * player reads the story, if it is not the story's own. Rejects with StorageFull.
   */
  async add(story, event, blob, language) {
    const id = crypto.randomUUID();
    const capture = { id, story, event, ...language && { language }, timestamp: this.clock.text(), state: 'waiting', before: blob };
    await this.#change(id, () => capture);
    return id;
  }

  /**
   * Returns `{id, story, event, language?, timestamp, state: 'waiting' | 'sent' | 'refused' | 'full', cause?, reason?, code?, retryAt?,
   * before, preview?, after?}`; `before`, `preview` and `after` are Blobs, and `code` is the service's for the reason.
   * `full` means that the service has no space left for the player: the capture is sent again after `retryAt`, in
   * milliseconds since 1970. `cause` is why it waits: `offline`, `signed-out` or `trouble` at the service.
   */
  async get(id) { return this.database.read('captures', id); }

  /** Returns the captures of a story, the oldest first. */
  async list(story) {
    const captures = await this.database.all('captures');
    return captures.filter(capture => capture.story === story).sort((a, b) => a.timestamp < b.timestamp ? -1 : 1);
  }

  /** Changes a capture for CaptureAlbum; see `DeviceDatabase.change`. */
  update(id, change) { return this.#change(id, change); }

  async #change(id, change) {
    await this.database.change('captures', id, change);
    this.dispatchEvent(new Event('change'));
  }

  /** Sends a capture again now, for example one whose state is `full` after the player deleted notes. */
  async retry(id) {
    await this.#change(id, capture => capture && { ...capture, state: 'waiting', reason: undefined, code: undefined, retryAt: undefined });
    await this.send();
  }

  /**
   * Sends waiting captures, the oldest first, until one cannot be sent now. A call while captures are sent makes the
   * queue send once more: the network may have returned after the request that failed.
   */
  async send() {
    if (!this.library.keepsPlayers) return;
    this.#isRequested = true;
    this.#sending ??= this.#sendRequested();
    await this.#sending;
  }

  /** Only one tab sends. */
  async #sendRequested() {
    const work = () => this.#sendAll();
    const alone = lock => lock && work();
    try {
      while (this.#isRequested) {
        this.#isRequested = false;
        if (navigator.locks) await navigator.locks.request(`${this.store.name}-captures`, { ifAvailable: true }, alone);
        else await work();
      }
    } finally {
      this.#sending = undefined;
    }
  }

  async #sendAll() {
    const captures = await this.database.all('captures');
    const isDue = ({ state, retryAt = 0 }) => ['waiting', 'full'].includes(state) && retryAt <= this.clock.now();
    const waiting = captures.filter(isDue).sort((a, b) => a.timestamp < b.timestamp ? -1 : 1);
    for (const capture of waiting) {
      if (!await this.#sendOne(capture)) return;
    }
  }

  /**
   * Deletes a capture: its photo on this device now, and the rest when the journal is synchronised; `id` may also be that
   * of a capture that another device took.
   */
  async remove(story, id) {
    await this.store.removeCapture(story, id, this.clock.text());
    await this.#change(id, () => null);
  }

  /** Removes the photos of captures that another device has deleted. */
  async #removeDeleted(story) {
    const contents = await this.store.contents(story);
    for (const { id, timestamp } of await this.list(story)) {
      if (contents.isRemoved(id, timestamp)) await this.#change(id, () => null);
    }
  }

  /** Sends a capture; returns whether the next one may be sent. */
  async #sendOne({ id, story, event, language, timestamp, before }) {
    const sender = this.given.player ? this.given : accountOf(this.store.name);
    if (isSignedOut(sender)) return this.#wait(id, 'signed-out');
    const { headers, query } = identity(sender);
    const taken = `${query ? `${query}&` : '?'}taken=${encodeURIComponent(timestamp)}`;
    // For the texts over the photo.
    const read = language ? `&language=${encodeURIComponent(language)}` : '';
    const path = `stories/${encodeURIComponent(story)}/events/${encodeURIComponent(event)}/captures${taken}${read}`;
    let response;
    let after;
    try {
      if (this.#isSignedOut && !await this.#isKnown(headers)) return this.#wait(id, 'signed-out');
      // The response to a repeated request with the same key is that of the first one.
      response = await fetch(this.library.address(path), {
        method: 'POST', body: before, cache: 'no-store', signal: AbortSignal.timeout(timeout),
        headers: { ...headers, 'Idempotency-Key': id, 'Content-Type': before.type || 'application/octet-stream' },
      });
      if (response.ok) after = await response.blob();
    } catch (error) {
      return this.#wait(id, 'offline', error.message);
    }
    this.clock.observe(response);
    // A network that asks for a login first, or a proxy in trouble, answers with a page: the service does not have the photo.
    if (response.ok && !after.type.startsWith('image/')) return this.#wait(id, 'trouble', 'The answer is not an image.', 0, 'not-the-service');
    if (response.ok) {
      await this.#keepResult(id, images.includes(after.type) ? after : undefined);
      await this.#keepAddress(story, id, response.headers.get('Location'));
      return true;
    }
    const { reason, code } = await refusal(response);
    if (code === 'quota') {
      // A smaller photo may still fit, so the next one is sent.
      const retryAt = this.clock.now() + fullRetryDelay;
      await this.#change(id, capture => capture && { ...capture, state: 'full', reason, code, retryAt });
      return true;
    }
    if (finalStatuses.includes(response.status)) {
      await this.#change(id, capture => capture && { ...capture, state: 'refused', reason, code });
      return true;
    }
    // All else may change: the token, the load, a story that is being replaced, an error of the service or of a proxy.
    this.#isSignedOut = response.status === 401;
    const seconds = Number(response.headers.get('Retry-After')) || 0;
    await this.#wait(id, this.#isSignedOut ? 'signed-out' : 'trouble', reason, seconds * 1000, code);
    // The next one may be of another story.
    return response.status === 404;
  }

  /** Asks who the player is, before a whole photo is uploaded in vain. */
  async #isKnown(headers) {
    const address = this.library.address('account');
    const { status } = await fetch(address, { headers, cache: 'no-store', signal: AbortSignal.timeout(timeout) });
    this.#isSignedOut = status === 401;
    return !this.#isSignedOut;
  }

  async #keepResult(id, after) {
    const sent = { state: 'sent', cause: undefined, reason: undefined, code: undefined, retryAt: undefined, attempts: undefined };
    try {
      await this.#change(id, capture => capture && { ...capture, ...sent, after });
    } catch {
      // There is no space for the result, but the capture was sent, and the service stores it.
      await this.#change(id, capture => capture && { ...capture, ...sent });
    }
  }

  /** Records the capture's address in the journal, where the player's other devices find it. */
  async #keepAddress(story, id, location) {
    const address = location && new URL(location, this.library.api);
    const { event, timestamp } = (await this.store.contents(story)).captures.get(id) ?? {};
    if (!timestamp || address?.origin !== globalThis.location.origin) return;
    await this.store.record(story, [{ outcome: 'capture-kept', event, id, file: address.pathname, timestamp }]).catch(() => {});
  }

  /**
   * Lets a capture wait: until the network returns or the page is visible again, or for longer each time that the
   * service could not accept it. Returns whether the next one may be sent.
   */
  async #wait(id, cause, reason, milliseconds = 0, code) {
    let delay = retryDelay;
    await this.#change(id, capture => {
      if (!capture) return undefined;
      if (cause !== 'trouble') return { ...capture, cause, reason, code };
      const attempts = (capture.attempts ?? 0) + 1;
      delay = Math.max(Math.min(retryDelay * 2 ** (attempts - 1), longestRetryDelay), milliseconds);
      return { ...capture, cause, reason, code, attempts, retryAt: this.clock.now() + delay };
    });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.send(), delay);
    return false;
  }

  /** Sends now, and whenever the network returns or the page becomes visible. */
  start() {
    addEventListener('online', () => this.send());
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.send());
    this.store.addEventListener('change', ({ detail }) => this.#removeDeleted(detail.story));
    this.send();
  }
}
