// For authors: `?preview` walks without leaving the desk. A position comes from a click, a drag or a GPX file instead of a receiver.

import { PreviewPanel } from './preview-panel.js';

/** Takes the place of the sensors. */
export function preparePreview(app) {
  document.documentElement.dataset.preview = '';
  const noSensor = async () => {};
  app.position.start = noSensor;
  app.position.startIfPermitted = noSensor;
  app.orientation.start = noSensor;
  app.orientation.startIfPermitted = noSensor;
  app.preview = new PreviewPanel(app);
}
