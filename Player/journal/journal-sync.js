/** Exchanges journals with the service, which responds with its merged journal. */
import { accountOf, identity, isSignedOut, refusal } from './account.js';
import { JournalContents } from './journal-contents.js';

/** Milliseconds from the last change to a synchronisation, until a retry, and until a request times out. */
const debounce = 1500;
const retryDelay = 60_000;
const timeout = 30_000;

/** What the service has of the journals of this device: `{count, time}` by database and story. */
const sentKey = 'wayreel-sent';

function readSent() {
  try {
    return JSON.parse(localStorage.getItem(sentKey)) ?? {};
  } catch {
    return {};
  }
}

/** Forgets what the service has of a database that is emptied. */
export function forgetSent(database) {
  const kept = Object.entries(readSent()).filter(([name]) => !name.startsWith(`${database}\n`));
  localStorage.setItem(sentKey, JSON.stringify(Object.fromEntries(kept)));
}

/** Returns `{waiting, lastSynced?}`: how many entries of a story's journal the service does not have yet. */
export function unsent(store, story, contents) {
  const { count = 0, time: lastSynced } = readSent()[sentName(store, story)] ?? {};
  // The service's journal has no entry that this one lacks, once both are merged.
  return { waiting: Math.max(0, contents.size - count), lastSynced };
}

const sentName = (store, story) => `${store.name}\n${story}`;

/**
 * Events: `state`, with `detail` `{story, state, reason?, lastSynced?, waiting}`. `waiting` is the number of entries
 * that the service does not have yet.
 *
 * The states are `idle`, when the service has the journal, `syncing`, `offline` without a network, `trouble` when the
 * service cannot answer now, `signed-out` when it asks for a token, and `refused` when it does not take this journal.
 */
export class JournalSync extends EventTarget {
  #running = new Map();

  /**
   * `player` and `token` default to those of the account whose database `store` is. If no service keeps players'
   * journals, nothing is sent.
   */
  constructor({ library, store, clock, player, token }) {
    super();
    Object.assign(this, { library, store, clock, given: { player, token } });
  }

  /** Sends the journal, and merges the response. Resolves to the merged journal; undefined if that failed. */
  sync(story) {
    if (!this.library.keepsPlayers) return Promise.resolve(undefined);
    // One runs at a time; a call meanwhile runs another one afterwards, since the journal may have grown.
    const next = (this.#running.get(story) ?? Promise.resolve()).then(() => this.#exchange(story));
    this.#running.set(story, next);
    return next;
  }

  async #exchange(story) {
    const sender = this.given.player ? this.given : accountOf(this.store.name);
    if (isSignedOut(sender)) return this.#end(story, 'signed-out');
    const { player } = sender;
    const { headers } = identity(sender);
    await this.#setState(story, 'syncing');
    let response;
    try {
      const mine = await this.store.contents(story);
      const address = this.library.address(
        `players/${encodeURIComponent(player)}/stories/${encodeURIComponent(story)}/journal`);
      response = await fetch(address, {
        ...mine.isEmpty ? {} : { method: 'POST', body: JSON.stringify(mine.document(story)) },
        headers: { ...headers, 'Content-Type': 'application/json' }, cache: 'no-store',
        signal: AbortSignal.timeout(timeout),
      });
    } catch (error) {
      return this.#end(story, 'offline', error.message);
    }
    this.clock?.observe(response);
    if (!response.ok) return this.#end(story, stateOf(response.status), (await refusal(response)).reason);
    let theirs;
    try {
      // The answer may be that of a network that asks for a login first, and the device may have no space for it.
      theirs = new JournalContents(await response.json());
      await this.store.merge(story, theirs);
    } catch (error) {
      return this.#end(story, 'trouble', error.message);
    }
    const sent = { ...readSent(), [sentName(this.store, story)]: { count: theirs.size, time: new Date().toISOString() } };
    try {
      localStorage.setItem(sentKey, JSON.stringify(sent));
    } catch {
      // Without it, the entries count as waiting until the next exchange.
    }
    await this.#setState(story, 'idle');
    return this.store.contents(story);
  }

  async #end(story, state, reason) {
    await this.#setState(story, state, reason);
    return undefined;
  }

  async #setState(story, state, reason) {
    const sent = unsent(this.store, story, await this.store.contents(story));
    this.dispatchEvent(new CustomEvent('state', { detail: { story, state, reason, ...sent } }));
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
      detail.story === story && ['offline', 'trouble'].includes(detail.state) && later(retryDelay), { signal });
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
