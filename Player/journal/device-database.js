/** IndexedDB as promises: what this device keeps of players. Its stores: `journals` by story, `captures` by their ids. */

/** The device has no room left; what was asked for was not kept. */
export class StorageFull extends Error {
  name = 'StorageFull';
}

export const asStorageError = error =>
  error?.name === 'QuotaExceededError' ? new StorageFull('The device has no room left.', { cause: error }) : error;

const settled = request => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

export class DeviceDatabase {
  #database;

  static async open(name) {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore('journals');
      opening.result.createObjectStore('captures', { keyPath: 'id' });
    };
    const database = new DeviceDatabase();
    database.#database = await settled(opening);
    // A newer version of the player in another tab wants to change the stores.
    database.#database.onversionchange = () => database.#database.close();
    return database;
  }

  async read(store, key) { return settled(this.#store(store, 'readonly').get(key)); }

  async all(store) { return settled(this.#store(store, 'readonly').getAll()); }

  /**
   * Changes the value of a key in one transaction, so that no other tab comes between: `change(value)` returns the new one, or undefined to
   * leave it, or null to remove it. Resolves to the new value when it is on the disk; rejects with StorageFull.
   */
  async change(store, key, change) {
    const objects = this.#store(store, 'readwrite');
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

  #store(name, mode) {
    return this.#database.transaction(name, mode, { durability: 'strict' }).objectStore(name);
  }

  close() { this.#database.close(); }
}
