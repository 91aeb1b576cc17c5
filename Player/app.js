// The player starts here: its words, what is on the device and what the service has, then the view that the address names.

import { loadWords, say } from './components/words.js';
import { notify } from './components/notices.js';
import { Router } from './components/router.js';
import { StoryLibrary } from './story/story-library.js';
import { JournalStore } from './journal/journal-store.js';
import { takeToken } from './journal/account.js';
import { DeviceClock } from './journal/device-clock.js';
import { PositionSensor } from './sensors/position-sensor.js';
import { OrientationSensor } from './sensors/orientation-sensor.js';
import { PlaySessions } from './components/play-sessions.js';

/** What all views share. */
class App {
  static async start() {
    takeToken();
    const app = new App();
    // The first view does not wait for the device's database.
    app.store = JournalStore.open();
    [app.library] = await Promise.all([StoryLibrary.open(), loadWords()]);
    app.clock = new DeviceClock();
    app.isPreview = new URLSearchParams(location.search).has('preview');
    app.position = new PositionSensor(app.clock);
    app.orientation = new OrientationSensor();
    if (app.isPreview) {
      const { preparePreview } = await import('./preview/preview.js');
      preparePreview(app);
    }
    app.sessions = new PlaySessions(app);
    app.router = new Router(document.getElementById('view'), app);
    await app.router.start();
    performance.mark('wayreel-ready');
    await app.install();
    await app.goOn();
  }

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
    const { captureQueue } = await import('./views/capture-queue-of-app.js');
    await captureQueue(this);
    const { StoryDownloads } = await import('./offline/story-downloads.js');
    this.downloads ??= new StoryDownloads({ library: this.library });
    await this.downloads.tidy();
  }
}

App.start();
