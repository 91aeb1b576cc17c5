/** Exchanges journals with the service: sends what is new on the device, and receives what is new at the service. */
import { account, identity, refusal } from './account.js';

/** Milliseconds from the last change to a synchronisation, until a retry, and until a request times out. */
const debounce = 1500;
const retryDelay = 60_000;
const timeout = 30_000;

/** Events: `state`, with `detail` `{story, state: 'idle' | 'syncing' | 'offline' | 'refused', reason?, lastSynced?}`. */
export class JournalSync extends EventTarget {
  #running = new Map();
  #lastSynced;

  /** `player` and `token` default to those of account.js. If no service keeps players' journals, nothing is sent. */
  constructor({ library, store, clock, player, token }) {
    super();
    Object.assign(this, { library, store, clock, given: { player, token } });
  }

  /** Sends what is new, and merges the responses. Resolves to the merged journal; undefined if that failed. */
  sync(story) {
    if (!this.library.keepsPlayers) return Promise.resolve(undefined);
    // One runs at a time; a call meanwhile runs another one afterwards, since the journal may have grown.
    const next = (this.#running.get(story) ?? Promise.resolve()).then(() => this.#exchange(story));
    this.#running.set(story, next);
    return next;
  }

  async #exchange(story) {
    const { player, token } = this.given.player ? this.given : account();
    const { headers } = identity({ player, token });
    const path = `players/${encodeURIComponent(player)}/stories/${encodeURIComponent(story)}/journal`;
    this.#setState(story, 'syncing');
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
        this.#setState(story, 'offline', error.message);
        return undefined;
      }
      this.clock?.observe(response);
      if (!response.ok) {
        this.#setState(story, response.status >= 500 ? 'offline' : 'refused', (await refusal(response)).reason);
        return undefined;
      }
      try {
        isIncomplete = await this.store.acknowledge(story, player, news, await response.json());
      } catch (error) {
        this.#setState(story, 'refused', error.message);
        return undefined;
      }
    }
    this.#lastSynced = new Date().toISOString();
    this.#setState(story, 'idle');
    return this.store.contents(story);
  }

  #setState(story, state, reason) {
    this.dispatchEvent(new CustomEvent('state', { detail: { story, state, reason, lastSynced: this.#lastSynced } }));
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
      detail.story === story && detail.state === 'offline' && later(retryDelay), { signal });
    addEventListener('online', () => later(0), { signal });
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && later(), { signal });
    later(0);
    return () => {
      ends.abort();
      clearTimeout(timer);
    };
  }
}
