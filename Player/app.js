// The player starts here: its words, what is on the device and what the service has, then the view that the address names.

import { loadWords, say } from './components/words.js';
import { notify } from './components/notices.js';
import { Router } from './components/router.js';
import { StoryLibrary } from './story/story-library.js';
import { takeToken } from './journal/account.js';
import { DeviceClock } from './journal/device-clock.js';

/** What all views share. */
class App {
  #playing;
  #store;

  static async start() {
    takeToken();
    const app = new App();
    [app.library] = await Promise.all([StoryLibrary.open(), loadWords()]);
    app.clock = new DeviceClock();
    app.router = new Router(document.getElementById('view'), app);
    await app.router.start();
    performance.mark('wayreel-ready');
    await app.install();
    await app.goOn();
  }

  /** The session of a story, begun or gone on with. Throws where there is no such story. */
  async session(id) {
    await this.play();
    return this.sessions.session(id);
  }

  /** Loads what playing needs beyond the list of stories, once: the engine, the sensors, and what an author's preview puts in their place. */
  play() {
    return this.#playing ??= this.#play().catch(error => {
      this.#playing = undefined;
      throw error;
    });
  }

  async #play() {
    const isPreview = new URLSearchParams(location.search).has('preview');
    const [{ PlaySessions }, preview] = await Promise.all([
      import('./components/play-sessions.js'), isPreview && import('./preview/preview.js')]);
    this.sessions = new PlaySessions(this);
    preview?.preparePreview?.(this);
  }

  /** The journals of this device. */
  get store() { return this.#store ??= import('./journal/journal-store.js').then(({ JournalStore }) => JournalStore.open()); }

  /** Keeps the player itself on the device. It works without, in browsers that do not let it. */
  async install() {
    if (!('serviceWorker' in navigator)) return;
    try {
      const { Installation } = await import('./offline/installation.js');
      this.installation = await Installation.start();
      this.installation.addEventListener('update', () => this.offerUpdate());
    } catch (error) {
      console.warn('The player is not kept on this device.', error);
    }
  }

  offerUpdate() {
    const reload = async () => {
      await this.installation.apply();
      location.reload();
    };
    notify({ key: 'update', symbol: 'download', title: say('player.update'), action: { label: say('player.reload'), onclick: reload } });
  }

  /** What may wait until the first view is there: captures that were not sent, versions of stories that nobody plays. */
  async goOn() {
    const { CaptureQueue } = await import('./journal/capture-queue.js');
    await CaptureQueue.of(this);
    const { StoryDownloads } = await import('./offline/story-downloads.js');
    await StoryDownloads.of(this).tidy();
  }
}

App.start();
