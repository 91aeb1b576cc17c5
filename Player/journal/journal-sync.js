/** Exchanges journals with the service: sends what is new on the device, and receives what is new at the service. */
import { accountOf, identity, isSignedOut, refusal } from './account.js';
import { StorageFull } from './device-database.js';

/** Milliseconds from the last change to a synchronisation, until a retry, and until a request times out. */
const debounce = 1500;
const retryDelay = 60_000;
const timeout = 30_000;

/**
 * Events: `state`, with `detail` `{story, state, reason?, code?, lastSynced?, waiting}`. `waiting` is the number of entries
 * that the service does not have yet.
 *
 * The states are `idle`, when the service has the journal, `syncing`, `offline` without a network, `trouble` when the
 * service cannot answer now, `full` when this device has no space for the answer, `signed-out` when it asks for a token, and `refused` when it does not take this journal.
 */
export class JournalSync extends EventTarget {
  #running = new Map();
  #lastSynced;

  /**
   * `player` and `token` default to those of the account whose database `store` is. If no service keeps players'
   * journals, nothing is sent.
   */
  constructor({ library, store, clock, player, token }) {
    super();
    Object.assign(this, { library, store, clock, given: { player, token } });
  }

  get #sender() { return this.given.player ? this.given : accountOf(this.store.name); }

  /** Sends what is new, and merges the responses. Resolves to the merged journal; undefined if that failed. */
  sync(story) {
    if (!this.library.keepsPlayers) return Promise.resolve(undefined);
    // One runs at a time; a call meanwhile runs another one afterwards, since the journal may have grown.
    const next = (this.#running.get(story) ?? Promise.resolve()).catch(() => {}).then(() => this.#exchange(story));
    this.#running.set(story, next);
    return next;
  }

  async #exchange(story) {
    const sender = this.#sender;
    if (isSignedOut(sender)) return this.#end(story, 'signed-out');
    const { player } = sender;
    const { headers } = identity(sender);
    const path = `players/${encodeURIComponent(player)}/stories/${encodeURIComponent(story)}/journal`;
    await this.#setState(story, 'syncing');
    let isIncomplete = true;
    while (isIncomplete) {
      let response;
      let news;
      try {
        news = await this.store.unsent(story, player);
        response = await fetch(this.library.address(`${path}?since=${encodeURIComponent(news.cursor)}`), {
          ...news.document ? { method: 'POST', body: JSON.stringify(news.document) } : {},
          headers: { ...headers, 'Content-Type': 'application/json' }, cache: 'no-store',
          signal: AbortSignal.timeout(timeout),
        });
      } catch (error) {
        return this.#end(story, 'offline', { reason: error.message });
      }
      this.clock?.observe(response);
      if (!response.ok) return this.#end(story, stateOf(response.status), await refusal(response));
      try {
        // The answer may be that of a network that asks for a login first, and the device may have no space for it.
        isIncomplete = await this.store.acknowledge(story, player, news, await response.json());
      } catch (error) {
        return this.#end(story, ...error instanceof StorageFull ? ['full'] : ['trouble', { reason: error.message, code: 'not-the-service' }]);
      }
    }
    this.#lastSynced = new Date().toISOString();
    await this.#setState(story, 'idle');
    return this.store.contents(story);
  }

  async #end(story, state, refused) {
    await this.#setState(story, state, refused);
    return undefined;
  }

  async #setState(story, state, { reason, code } = {}) {
    const { waiting, lastSynced } = await this.store.waiting(story, this.#sender?.player);
    this.dispatchEvent(new CustomEvent('state', { detail: { story, state, reason, code, waiting, lastSynced: this.#lastSynced ?? lastSynced } }));
  }

  /**
   * Syncs now, after each change, and when the network returns or the page becomes visible. Returns a function that
   * stops it.
   */
  start(story) {
    const ends = new AbortController();
    const { signal } = ends;
    let timer;
    const later = (milliseconds = debounce) => {
      clearTimeout(timer);
      if (!signal.aborted) timer = setTimeout(() => this.sync(story), milliseconds);
    };
    this.store.addEventListener('recorded', ({ detail }) => detail.story === story && later(), { signal });
    this.addEventListener('state', ({ detail }) =>
      detail.story === story && ['offline', 'trouble', 'full'].includes(detail.state) && later(retryDelay), { signal });
    addEventListener('online', () => later(0), { signal });
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && later(), { signal });
    later(0);
    return () => {
      ends.abort();
      clearTimeout(timer);
    };
  }
}

/** Returns the state after a response other than 200. Only what names the journal itself is final. */
function stateOf(status) {
  if (status === 401) return 'signed-out';
  return [400, 403, 413, 415, 422].includes(status) ? 'refused' : 'trouble';
}
