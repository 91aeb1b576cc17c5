// The queue of captures, which starts when a camera event is first opened, or at the start where captures wait.

import { CaptureQueue } from '../journal/capture-queue.js';

/** The one queue of the page, sending whenever there is a network. */
export async function captureQueue(app) {
  if (!app.captures) {
    app.captures = new CaptureQueue({ store: await app.store, library: app.library, clock: app.clock });
    app.captures.start();
  }
  return app.captures;
}
