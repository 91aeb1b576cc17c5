// The preview for authors, `?preview`: positions come from clicks, drags or a GPX file instead of a receiver.

import { PreviewPanel } from './preview-panel.js';

/** Replaces the sensors. */
export function preparePreview(app) {
  document.documentElement.dataset.preview = '';
  const noSensor = async () => {};
  app.position.start = noSensor;
  app.position.startIfPermitted = noSensor;
  app.orientation.start = noSensor;
  app.orientation.startIfPermitted = noSensor;
  app.preview = new PreviewPanel(app);
}
