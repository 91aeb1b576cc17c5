// The queue of captures, which starts with the first camera event, or with the page if captures are waiting.

import { CaptureQueue } from '../journal/capture-queue.js';

/** Returns the only queue of the page, which sends whenever there is a network. */
export async function captureQueue(app) {
  if (!app.captures) {
    app.captures = new CaptureQueue({ store: await app.store, library: app.library, clock: app.clock });
    app.captures.start();
  }
  return app.captures;
}
