/** Captures wait here until the service took them. Events: 'change'. */
export class CaptureQueue extends EventTarget {
  constructor({ store, library, clock, player, token }) {}
  /** Keeps a photo on the device; returns its id for the input {capture: {event, id, file, time}}. Rejects with StorageFull. */
  async add(story, event, blob) {}
  /** {id, story, event, time, state: 'waiting'|'sent'|'refused', reason?, before: Blob, after?: Blob}. */
  async get(id) {}
  async list(story) {}
  /** Sends what waits, oldest first; the treated images are kept as `after`. */
  async send() {}
  /** Sends now, and whenever the network is back. */
  start() {}
}
