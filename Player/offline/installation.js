/** Registers service-worker.js and asks for persistent storage. Events: 'update' when a new player waits; apply() takes it at the next load. */
export class Installation extends EventTarget {
  static async start() {}
  async apply() {}
  /** {usage, quota, persisted}, undefined where the browser does not tell. */
  async storage() {}
  async persist() {}
}
