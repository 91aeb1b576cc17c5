// Lays the base map of a story below the canvas of a map, with its attribution.

import { element } from '../components/element.js';

/** OpenStreetMap asks for a link to its copyright where its name stands. */
const copyright = [/OpenStreetMap/i, 'https://www.openstreetmap.org/copyright'];

/**
 * Lays a ground of `groundOf` below the map's canvas, and calls `draw` when it waits for a drawing; resolves to its layer, or to undefined if
 * it cannot be loaded. `credited` puts the element of the attribution into the page.
 */
export async function groundBelow(ground, { canvas, painter, language, signal, draw, credited }) {
  const credit = element('p.map-credit', { hidden: true, dir: 'auto' }, creditOf(ground.attribution));
  try {
    const { GroundLayer, Recorder } = await import('../ground/ground-layer.js');
    if (signal.aborted) return undefined;
    const layer = new GroundLayer(ground.source, ground.zooms, [language]);
    layer.credit = credit;
    layer.node.hidden = true;
    canvas.before(layer.node);
    credited(credit);
    layer.recorder = new Recorder();
    layer.addEventListener('shown', () => {
      credit.hidden = !layer.isShown;
      // What was drawn on the canvas is in the picture now. The canvas stays for taps, and for screen readers.
      canvas.style.setProperty('opacity', layer.isShown ? '0' : '1');
      draw();
    });
    layer.addEventListener('idle', draw);
    signal.addEventListener('abort', () => layer.close());
    return layer;
  } catch (error) {
    // The marks are all there.
    console.warn('The ground of the map cannot be loaded.', error);
    return undefined;
  }
}

/**
 * Draws the marks of a map by `draw`: on its canvas, or with the ground's next picture where there is one. While that is being drawn, its last
 * one is moved. `covers` are boxes in which no names stand.
 */
export function drawAbove(layer, painter, projection, draw, covers = []) {
  if (!layer?.isShown) draw();
  layer?.follow(projection);
  if (!layer || layer.isBusy) return;
  painter.above(layer.recorder, draw);
  layer.show(projection, { width: painter.width, height: painter.height, obstacles: [...painter.taken, ...covers], marks: layer.recorder.commands });
}

/** The box of an element on a canvas, as `[left, top, right, bottom]`. */
export function boxWithin(canvas, node) {
  const [{ x, y }, box] = [canvas, node].map(each => each.getBoundingClientRect());
  return [box.left - x, box.top - y, box.right - x, box.bottom - y];
}

function creditOf(attribution) {
  const [name, href] = copyright;
  if (!name.test(attribution)) return attribution;
  return element('a', { href, target: '_blank', rel: 'noopener noreferrer external', referrerpolicy: 'no-referrer' }, attribution);
}
