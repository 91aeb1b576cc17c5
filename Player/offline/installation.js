/** Keeps the player itself on the device: registers service-worker.js for the version that player.json names. */

/** Events: `update`, when a newer player waits. */
export class Installation extends EventTarget {
  #registration;

  /** Throws where the browser does not let it, as in a page that is not secure. */
  static async start(base = new URL('../', import.meta.url)) {
    const installation = new Installation();
    const response = await fetch(new URL('player.json', base), { cache: 'no-cache' });
    const { version } = await response.json();
    // Another version is another address, so that the browser installs it anew.
    const script = new URL(`service-worker.js?version=${encodeURIComponent(version)}`, base);
    const registration = await navigator.serviceWorker.register(script, { scope: new URL('./', base).pathname });
    installation.#registration = registration;
    installation.#watch(registration.installing ?? registration.waiting);
    registration.addEventListener('updatefound', () => installation.#watch(registration.installing));
    return installation;
  }

  #watch(worker) {
    const tell = () => {
      // The first one has nobody to replace.
      if (worker.state === 'installed' && navigator.serviceWorker.controller) this.dispatchEvent(new Event('update'));
    };
    worker?.addEventListener('statechange', tell);
    if (worker) tell();
  }

  /** Lets the newer player take over, and resolves when it did; pages have it when they are loaded again. */
  async apply() {
    const { waiting } = this.#registration;
    if (!waiting) return;
    const taken = new Promise(resolve =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
    waiting.postMessage('apply');
    await taken;
  }

  /** Asks the browser not to remove what is kept when it needs room; whether it agreed. */
  async persist() { return await navigator.storage?.persist?.() ?? false; }
}
