// The player starts here: its words, what is on the device and what the service has, then the view that the address names.

import { loadWords } from './components/words.js';
import { Router } from './components/router.js';
import { StoryLibrary } from './story/story-library.js';
import { JournalStore } from './journal/journal-store.js';
import { DeviceClock } from './journal/device-clock.js';
import { PositionSensor } from './sensors/position-sensor.js';
import { OrientationSensor } from './sensors/orientation-sensor.js';
import { PlaySessions } from './components/play-session.js';

/** What all views share. */
class App {
  static async start() {
    const app = new App();
    const [library, store] = await Promise.all([StoryLibrary.open(), JournalStore.open(), loadWords()]);
    app.library = library;
    app.store = store;
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
    app.installation = await app.install();
    return app;
  }

  /** Keeps the player itself on the device. It works without, in browsers that do not let it. */
  async install() {
    if (!('serviceWorker' in navigator)) return undefined;
    try {
      const { Installation } = await import('./offline/installation.js');
      return await Installation.start();
    } catch (error) {
      console.warn('The player is not kept on this device.', error);
      return undefined;
    }
  }
}

App.start();
