// Floor plans in the views: in place of a chapter's map, in that of its overview, and where an item or a stop of a tour stands.

import { element } from '../components/element.js';
import { kindOf } from '../components/event-kind.js';
import { icon } from '../components/icon.js';
import { link } from '../components/router.js';
import { roundButton } from '../components/top-bar.js';
import { say } from '../components/words.js';
import { anchorOf, floorsOf, standing } from './floors.js';
import { PlanView } from './plan-view.js';

/** Returns the marks of a chapter's events on its floors. An event without a floor of its own is on that of the chapter. */
function marksOf(session, chapterID, floors) {
  const chapter = session.chapter(chapterID);
  const isTour = chapter.order === 'sequence';
  const next = isTour && chapter.events.find(event => !session.isFound(event.id));
  return chapter.events.flatMap((event, index) => {
    const anchor = anchorOf(session, event);
    const id = anchor?.floor ?? chapter.floor ?? (floors.length === 1 ? floors[0].id : undefined);
    const floor = floors.find(floor => floor.id === id);
    if (!floor) return [];
    const point = anchor?.x === undefined ? floor.point(event.position) : anchor;
    const isFound = session.isFound(event.id);
    const obstacle = session.obstacle(event);
    const [kind, number] = [kindOf(event), isTour ? index + 1 : undefined];
    const isNamed = isFound || isTour;
    const text = [isTour ? say('tour.stop', { number, name: event.name }) : isNamed ? event.name : say('map.unknown'), obstacle?.short];
    return [{
      id: event.id, floor, point, state: isFound ? 'found' : event === next ? 'next' : 'hidden',
      text: text.filter(Boolean).join(', '), href: isFound && link(session.id, 'event', event.id),
      name: (isFound || event === next) && { text: event.name, language: session.own(event, 'name') },
      symbol: () => isFound ? element('span.badge', { 'data-kind': kind }, icon(kind)) : number ?? (obstacle ? icon(obstacle.symbol) : '?'),
    }];
  });
}

/** Shows the chapter's floors on its plan: that of the next stop, or of the chapter, and that of a next stop elsewhere once it is the next. */
function chapterPlan(session, chapter, floors, options) {
  const marks = () => marksOf(session, chapter.id, floors);
  const plan = new PlanView(session, floors, { ...options, marks, label: say('plan.label', { name: chapter.name }) });
  let followed;
  function update() {
    const { floor, id, point } = marks().find(({ state }) => state === 'next') ?? {};
    if (!plan.floor || id && id !== followed) {
      const chosen = floor ?? floors.find(({ id }) => id === chapter.floor) ?? floors.find(({ plan }) => plan.level === 0) ?? floors[0];
      plan.show(chosen);
      if (point) plan.reveal(point);
    }
    followed = id;
    plan.update();
  }
  return { plan, update };
}

/** Puts the plan of a chapter with floors in the place of its map. */
export function layPlan(view) {
  const { session, chapter, canvas, panel, bar, body, tools, signal } = view;
  const floors = floorsOf(session, chapter);
  if (floors.length === 0) return;
  const { plan, update } = chapterPlan(session, chapter, floors, { isMoved: true, signal });
  canvas.replaceWith(plan.node);
  panel.before(plan.choice);
  for (const button of [...tools.children].slice(0, 2)) button.hidden = true;
  // A preview walks by clicks on the map.
  const projection = { position: (x, y) => plan.floor.position({ x: x / plan.sheet.offsetWidth * plan.floor.width, y: y / plan.sheet.offsetHeight * plan.floor.height }) };
  Object.assign(view, { canvas: plan.sheet, ground: undefined, projection, draw: update, zoom: steps => plan.zoom(-steps) });
  // The plan is fitted into what is free between the bar and the panel.
  const free = new ResizeObserver(() => {
    const [whole, head, foot] = [body, bar, panel.parentElement].map(node => node.getBoundingClientRect());
    const isBeside = getComputedStyle(panel.parentElement).position === 'absolute';
    const isMirrored = document.documentElement.dir === 'rtl';
    const beside = isBeside ? foot.width : 0;
    const sides = { top: head.bottom - whole.top, bottom: isBeside ? 0 : whole.bottom - plan.choice.getBoundingClientRect().top, left: isMirrored ? 0 : beside, right: isMirrored ? beside : 0 };
    if (!isBeside && plan.choice.hidden) sides.bottom = whole.bottom - panel.getBoundingClientRect().top;
    for (const [side, width] of Object.entries(sides)) plan.window.style.setProperty(`padding-${side}`, `${Math.max(0, width) + 12}px`);
  });
  for (const node of [body, bar, panel, plan.choice]) free.observe(node);
  signal.addEventListener('abort', () => free.disconnect());
}

/** Returns the plan of a chapter with floors as a small map: `{node, draw}`; undefined if it has none. */
export function planOverview(session, chapter, signal) {
  const floors = floorsOf(session, chapter);
  if (floors.length === 0) return undefined;
  const { plan, update } = chapterPlan(session, chapter, floors, { signal });
  return { node: element('div.plan-figure', {}, plan.choice, plan.node, enlargeButtons(plan)), draw: update };
}

/** Returns a figure with the place of an item or an event on its floor; undefined if that is not known. */
export function whereItStands(session, part, anchor, signal) {
  const place = standing(session, anchor, part.position);
  if (!place) return undefined;
  const { floor, point } = place;
  const mark = { id: part.id, floor, point, state: 'next', text: say('plan.place', { name: part.name, floor: floor.plan.name }), symbol: () => icon('diamond') };
  const plan = new PlanView(session, [floor], { marks: () => [mark], label: say('plan.label', { name: floor.plan.name }), signal });
  plan.show(floor);
  session.addEventListener('fix', () => plan.update(), { signal });
  return element('figure.plan-figure', {}, plan.node, element('div.plan-foot', {},
    element('figcaption', {}, icon('diamond'), element('bdi', session.own(floor.plan, 'name'), floor.plan.name)), enlargeButtons(plan)));
}

/** The same for an event, which may show an item. One without a floor of its own is on that of its chapter. */
export function whereEventStands(session, event, signal) {
  const { floor } = session.chapterOf(event.id);
  return whereItStands(session, event, anchorOf(session, event) ?? (floor && { floor }), signal);
}

function enlargeButtons(plan) {
  return element('div.plan-tools', { role: 'group', 'aria-label': say('map.tools') },
    roundButton('plus', say('map.nearer'), () => plan.zoom(1)), roundButton('minus', say('map.farther'), () => plan.zoom(-1)));
}
