// A chapter with ordered stops, as a list or one stop at a time. The author sets the mode, and the player can change
// it.

import { authored, element } from '../components/element.js';
import { icon } from '../components/icon.js';
import { kindOf, kindTag } from '../components/event-kind.js';
import { obstacleLine } from '../components/obstacle.js';
import { link } from '../components/router.js';
import { pocketLine } from '../components/pocket-line.js';
import { positionPrompt } from '../components/position-prompt.js';
import { roundLink, topBar } from '../components/top-bar.js';
import { whereLine } from '../components/where.js';
import { say } from '../components/words.js';
import { geodesic } from '../engine/geodesic.js';
import { plansOf } from '../story/ground-tiles.js';
import { chapterEnd } from './chapter-end.js';
import { showContent } from './event-view.js';
import { lockboxPanel } from './lockbox-panel.js';

export async function show({ story: id, chapter: chapterID }, app, signal) {
  const session = await app.outdoorSession(id);
  const chapter = session.chapter(chapterID);
  const lockbox = lockboxPanel(session, chapter);
  const end = chapterEnd(session, chapter);
  const place = element('div.tour');
  let presentation = chapter.presentation;
  let stops = [];
  let step = firstLeft();

  function firstLeft() {
    const index = chapter.events.findIndex(event => !session.isFound(event.id));
    return index < 0 ? chapter.events.length - 1 : index;
  }

  function choose(value) {
    presentation = value;
    build();
  }

  function build() {
    for (const stop of stops) stop.close();
    const indices = presentation === 'list' ? chapter.events.keys() : [step];
    stops = [...indices].map(index => stop(session, chapter, index, presentation === 'steps'));
    place.replaceChildren(...(presentation === 'list' ? [element('ol.trail', { role: 'list' }, stops.map(stop => stop.node))]
      : [element('ol.trail.single', { role: 'list' }, stops.map(stop => stop.node)), turnPages()]));
    update();
  }

  function turnPages() {
    const turn = by => {
      step += by;
      build();
      place.querySelector(by < 0 ? '[data-turn="-1"]' : '[data-turn="1"]')?.focus();
    };
    const button = (by, name, text) => element('button.secondary', {
      type: 'button', 'data-turn': by, disabled: !(step + by in chapter.events), onclick: () => turn(by),
    }, by < 0 && icon(name), text, by > 0 && icon(name));
    return element('nav.pages', { 'aria-label': say('tour.steps') },
      button(-1, 'back', say('tour.previous')),
      element('span', { 'aria-live': 'polite' }, say('tour.number', { number: step + 1, count: chapter.events.length })),
      button(1, 'forward', say('tour.next')));
  }

  function update() {
    for (const stop of stops) stop.update();
    lockbox.update();
    end.node.parentElement.hidden = !end.update();
  }

  function found() {
    if (presentation === 'steps' && session.isFound(chapter.events[step].id) && !place.contains(document.activeElement)) {
      step = firstLeft();
      build();
    } else {
      update();
    }
  }

  session.addEventListener('change', found, { signal });
  session.addEventListener('fix', update, { signal });
  session.addEventListener('clock', update, { signal });
  const choice = element('fieldset.segments', {}, element('legend.spoken', {}, say('tour.presentation')),
    ['steps', 'list'].map(value => element('label', {},
      element('input', { type: 'radio', name: 'presentation', value, checked: value === presentation, onchange: () => choose(value) }),
      element('span', {}, icon(value), say(`tour.${value}`)))));
  const body = element('div.page', {},
    topBar({
      title: chapter.name, language: session.own(chapter, 'name').lang, back: link(id, 'chapter', chapterID),
      actions: [roundLink('journal', say('journal.title'), link(id, 'journal'))],
    }),
    choice, positionPrompt(app, signal), pocketLine(session, chapter, signal), element('div.plate', {}, end.node), place, lockbox.node,
    element('footer.dock', {}, element('a.primary', { href: link(id, 'map', chapterID) }, icon('map'), say('tour.map'))));
  build();
  return { title: `${say('tour.title')}: ${chapter.name}`, body, close: () => stops.forEach(stop => stop.close()) };
}

/** Where a stop is shown alone, an item of the collection is there at once. */
function stop(session, chapter, index, isAlone) {
  const event = chapter.events[index];
  const where = whereLine();
  const obstacle = obstacleLine();
  const mark = element('span.mark');
  const words = element('div.words');
  const node = element('li', {}, mark, element('div.station', {}, words));
  let shown;
  let exhibit;
  let isClosed = false;
  const life = new AbortController();
  if (isAlone) {
    plansOf(session.media)?.then(plans => {
      const figure = !isClosed && plans?.whereEventStands(session, event, life.signal);
      if (figure) words.before(figure);
    });
  }
  async function showExhibit() {
    exhibit = await showContent(event.content, event, session, session.app);
    if (isClosed) return exhibit.close?.();
    words.lastChild.before(exhibit.node);
    return exhibit.opened?.();
  }
  return {
    node,
    close() {
      isClosed = true;
      life.abort();
      exhibit?.close?.();
    },
    update() {
      const first = chapter.events.find(event => !session.isFound(event.id));
      const state = session.isFound(event.id) ? 'done' : event === first ? 'open' : 'locked';
      const position = session.app.position.last;
      where.show(position && geodesic(position, event.position), session.app.orientation.top);
      obstacle.show(state === 'open' ? session.obstacle(event) : undefined);
      if (state === shown) return;
      shown = state;
      node.dataset.state = state;
      mark.replaceChildren(state === 'done' ? icon('check') : element('b', {}, String(index + 1)));
      const after = element('p.after', {}, kindTag(kindOf(event)),
        element('a.small', { href: link(session.id, 'event', event.id) }, say('found.open')));
      words.replaceChildren(
        element('h2', session.own(event, 'name'), event.name),
        state === 'locked' ? element('p.soft', {}, say('tour.later'))
          : authored(event.description, session.own(event, 'description')),
        ...state === 'done' ? [after] : [where.node, obstacle.node]);
      if (isAlone && state === 'done' && kindOf(event) === 'exhibit') showExhibit();
    },
  };
}
