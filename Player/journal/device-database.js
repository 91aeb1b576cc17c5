/** IndexedDB with promises for the data of an account. Its stores are `journals` by story and `captures` by id. */

/** The device has no space left, and a value was not stored. */
export class StorageFull extends Error {
  name = 'StorageFull';
}

export const asStorageError = error =>
  error?.name === 'QuotaExceededError' ? new StorageFull('The device has no room left.', { cause: error }) : error;

const completed = request => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

export class DeviceDatabase {
  /** Whether data outlive the page. */
  isKept = true;
  #name;
  #connection;

  /** Opens the database. If the browser stores nothing, as in some private windows, data last as long as the page. */
  static async open(name) {
    const database = new DeviceDatabase();
    database.#name = name;
    try {
      await database.#connect();
      return database;
    } catch (error) {
      console.warn('Nothing is kept on this device.', error);
      return new PageDatabase();
    }
  }

  /** Removes a database with all that is in it. Other tabs close it. */
  static async remove(name) { await completed(indexedDB.deleteDatabase(name)); }

  async #connect() {
    const opening = indexedDB.open(this.#name, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore('journals');
      opening.result.createObjectStore('captures', { keyPath: 'id' });
    };
    const connection = await completed(opening);
    // If a newer player in another tab changes the stores, or the browser closes the database, the next use opens it
    // again.
    connection.onversionchange = () => this.close();
    connection.onclose = () => { this.#connection = undefined; };
    this.#connection = connection;
  }

  async #store(name, mode) {
    if (!this.#connection) await this.#connect();
    return this.#connection.transaction(name, mode, { durability: 'strict' }).objectStore(name);
  }

  async read(store, key) { return completed((await this.#store(store, 'readonly')).get(key)); }

  async all(store) { return completed((await this.#store(store, 'readonly')).getAll()); }

  /**
   * Changes the value of a key in one transaction, which isolates it from other tabs. `change(value)` returns the new
   * value, undefined to keep it, or null to remove it. Resolves to the new value when it is on the disk; rejects with
   * StorageFull.
   */
  async change(store, key, change) {
    const objects = await this.#store(store, 'readwrite');
    const { transaction } = objects;
    return new Promise((resolve, reject) => {
      let value;
      let fault;
      transaction.oncomplete = () => resolve(value);
      transaction.onabort = () => reject(fault ?? asStorageError(transaction.error));
      const reading = objects.get(key);
      reading.onsuccess = () => {
        try {
          value = change(reading.result);
          if (value === null) objects.delete(key);
          else if (value !== undefined) objects.put(value, ...(objects.keyPath ? [] : [key]));
        } catch (error) {
          fault = asStorageError(error);
          transaction.abort();
        }
      };
    });
  }

  close() {
    this.#connection?.close();
    this.#connection = undefined;
  }
}

/** The same interface in memory. */
class PageDatabase {
  isKept = false;
  #stores = { journals: new Map(), captures: new Map() };

  async read(store, key) { return this.#stores[store].get(key); }

  async all(store) { return [...this.#stores[store].values()]; }

  async change(store, key, change) {
    const value = change(this.#stores[store].get(key));
    if (value === null) this.#stores[store].delete(key);
    else if (value !== undefined) this.#stores[store].set(key, value);
    return value;
  }

  close() {}
}
