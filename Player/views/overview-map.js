// A small map of a chapter, north up, with its events, found or not.

import { element } from '../components/element.js';
import { kindOf } from '../components/event-kind.js';
import { say } from '../components/words.js';
import { groundOf, plansOf } from '../story/ground-tiles.js';
import { boxWithin, drawAbove, groundBelow } from './ground-below.js';
import { MapPainter, mapColors } from './map-painter.js';
import { MapProjection } from './map-projection.js';

export function overviewMap(session, chapter, signal) {
  const canvas = element('canvas.overview-map', { role: 'img', 'aria-label': say('map.overview', { name: chapter.name }) });
  const node = element('div.overview', {}, canvas);
  const ground = groundOf(session.media, chapter.id);
  const painter = new MapPainter(canvas);
  let layer;
  const isTour = chapter.order === 'sequence';

  function draw() {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || chapter.events.length === 0) return;
    const places = [...chapter.events.map(event => event.position), chapter.location].filter(Boolean);
    painter.resize();
    const projection = MapProjection.fitting(places, { width, height, margin: 44 });
    drawAbove(layer, painter, projection, () => drawMarks(projection), layer ? [boxWithin(canvas, layer.credit)] : []);
  }

  function drawMarks(projection) {
    painter.begin(projection);
    painter.ground();
    if (isTour) painter.route(chapter.events.map(event => event.position));
    for (const [index, event] of chapter.events.entries()) {
      const isFound = session.isFound(event.id);
      const kind = kindOf(event);
      const obstacle = session.obstacle(event);
      if (isFound || isTour) painter.fence(event.position, event.activation.radius, painter.colors[`kind-${kind}`], 1, obstacle);
      painter.event({ position: event.position, kind, isFound, obstacle, number: isTour ? index + 1 : undefined });
    }
  }

  if (ground) {
    groundBelow(ground, { canvas, painter, language: session.language, signal, draw, credited: credit => canvas.after(credit) }).then(found => {
      layer = found;
      draw();
    });
  }
  const resized = new ResizeObserver(draw);
  resized.observe(canvas);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    painter.colors = mapColors();
    draw();
  }, { signal });
  const map = { node, draw };
  plansOf(session.media)?.then(plans => {
    const plan = plans?.planOverview(session, chapter, signal);
    if (!plan) return;
    node.replaceWith(plan.node);
    map.draw = plan.draw;
    plan.draw();
  });
  return map;
}
