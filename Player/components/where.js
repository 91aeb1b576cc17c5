// How far and in which direction something is, as words and an arrow.

import { element, setText } from './element.js';
import { icon } from './icon.js';
import { compassPoint, direction, distance, say } from './words.js';

/** A line that is kept up to date by `show(sighting, heading)`; `{distance, bearing}`, or undefined while nobody knows where the player is. */
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
    const way = heading === undefined ? compassPoint(sighting.bearing) : direction(sighting.bearing - heading);
    setText(far, say('where.line', { distance: distance(sighting.distance), way }));
  }
  return { node, show };
}
