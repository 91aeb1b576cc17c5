/** Exchanges journals with the service. Events: 'state' with .detail {state: 'idle'|'syncing'|'offline'|'refused', reason?, lastSynced?}. */
export class JournalSync extends EventTarget {
  /** @param {{library, store, player?: string, token?: string, clock}} options `player`: 'me' on loopback. Without a service it does nothing. */
  constructor(options) {}
  /** Posts the story's journal, merges the answer; resolves to the merged contents, or undefined offline. */
  async sync(story) {}
  /** Syncs after each change (debounced), when the network is back and when the page becomes visible. Returns a function that stops it. */
  start(story) {}
}
