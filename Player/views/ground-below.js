// Lays the base map of a story below the canvas of a map, with its attribution.

import { element } from '../components/element.js';

/** OpenStreetMap asks for a link to its copyright where its name stands. */
const copyright = [/OpenStreetMap/i, 'https://www.openstreetmap.org/copyright'];

/**
 * Lays a ground of `groundOf` below the map's canvas, and calls `draw` when it is there first; resolves to its layer, or to undefined if it
 * cannot be loaded. The painter has to be of glass. `credited` puts the element of the attribution into the page.
 */
export async function groundBelow(ground, { canvas, painter, language, signal, draw, credited }) {
  const credit = element('p.map-credit', { hidden: true }, creditOf(ground.attribution));
  try {
    const { GroundLayer } = await import('../ground/ground-layer.js');
    if (signal.aborted) return undefined;
    const layer = new GroundLayer(ground.source, ground.zooms, [language]);
    layer.credit = credit;
    layer.node.hidden = true;
    canvas.before(layer.node);
    credited(credit);
    layer.addEventListener('shown', () => {
      painter.isAboveGround = layer.isShown;
      credit.hidden = !layer.isShown;
      draw();
    });
    signal.addEventListener('abort', () => layer.close());
    return layer;
  } catch (error) {
    // The marks are all there.
    console.warn('The ground of the map cannot be loaded.', error);
    return undefined;
  }
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
