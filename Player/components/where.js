// Shows distance and direction as words and an arrow.

import { element, setText } from './element.js';
import { icon } from './icon.js';
import { compassPoint, direction, distance, say } from './words.js';

/**
 * Returns a line that `show(sighting, heading)` updates. `sighting` is `{distance, bearing}`, or undefined without a
 * position.
 */
export function whereLine() {
  const arrow = element('span.pointer', { hidden: true }, icon('arrow'));
  const far = element('span.far', {}, '');
  const node = element('span.where', {}, arrow, far);
  function show(sighting, heading) {
    arrow.hidden = !sighting;
    if (!sighting) return setText(far, say('where.unknown'));
    arrow.hidden = sighting.distance < 8;
    if (arrow.hidden) return setText(far, say('where.here'));
    arrow.style.setProperty('rotate', `${Math.round(sighting.bearing - (heading ?? 0))}deg`);
    const toward = heading === undefined ? compassPoint(sighting.bearing) : direction(sighting.bearing - heading);
    setText(far, say('where.line', { distance: distance(sighting.distance), direction: toward }));
  }
  return { node, show };
}
