/** Installs the player on the device: registers service-worker.js for the version in player.json. */

import { language } from '../components/words.js';

/** Events: `update`, when a newer player is waiting. */
export class Installation extends EventTarget {
  #registration;

  /** Throws if the browser does not allow it, as in an insecure page. */
  static async start(base = new URL('../', import.meta.url)) {
    const installation = new Installation();
    const response = await fetch(new URL('player.json', base), { cache: 'no-cache' });
    const { version } = await response.json();
    // This page got its texts before there was a worker, which keeps those of the languages that are in its caches.
    if (!navigator.serviceWorker.controller) await (await caches.open(`wayreel-shell/${version}`)).add(new URL(`strings/${language}.json`, base));
    // Each version has its own address, so that the browser installs it.
    const script = new URL(`service-worker.js?version=${encodeURIComponent(version)}`, base);
    const registration = await navigator.serviceWorker.register(script, { scope: new URL('./', base).pathname });
    installation.#registration = registration;
    installation.#watch(registration.installing ?? registration.waiting);
    registration.addEventListener('updatefound', () => installation.#watch(registration.installing));
    return installation;
  }

  #watch(worker) {
    const offer = () => {
      // The first installation is not an update.
      if (worker.state === 'installed' && navigator.serviceWorker.controller) this.dispatchEvent(new Event('update'));
    };
    worker?.addEventListener('statechange', offer);
    if (worker) offer();
  }

  /** Activates the newer player, and resolves when it is active; pages use it after a reload. */
  async apply() {
    const { waiting } = this.#registration;
    if (!waiting) return;
    const taken = new Promise(resolve =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
    waiting.postMessage('apply');
    await taken;
  }

  /** Asks the browser not to evict stored data; resolves to whether it agreed. */
  async persist() { return await navigator.storage?.persist?.() ?? false; }
}
