// A found event: its content and its journal entry.

import { authored, element } from '../components/element.js';
import { icon } from '../components/icon.js';
import { kindTag, kindOf } from '../components/event-kind.js';
import { obstacleLine } from '../components/obstacle.js';
import { offlineNote } from '../components/offline-note.js';
import { link } from '../components/router.js';
import { roundButton, roundLink, topBar } from '../components/top-bar.js';
import { say } from '../components/words.js';

/**
 * The views of the kinds of events: modules with `show(content, event, session, app)`, which returns `{node, close?}`.
 */
const kinds = {
  camera: () => import('./camera-view.js'),
  radio: () => import('./radio-view.js'),
  scrapbook: () => import('./scrapbook-view.js'),
  goggles: () => import('./goggles-view.js'),
  quiz: () => import('./quiz-view.js'),
  exhibit: () => import('../collections/exhibit.js'),
};

export async function show({ story: id, event: eventID }, app, signal) {
  const session = await app.session(id);
  const event = session.events.get(eventID);
  if (!event) throw new Error(say('trouble.event'));
  const chapter = session.chapterOf(eventID);
  const back = link(id, chapter.order === 'sequence' ? 'tour' : 'map', chapter.id);
  const isFound = session.isFound(eventID);
  const bar = topBar({
    title: isFound ? event.name : say('event.hidden'), language: isFound ? session.own(event, 'name').lang : undefined, back,
    actions: [roundLink('journal', say('journal.title'), link(id, 'journal'))],
  });
  if (!isFound) return { title: say('event.hidden'), body: element('div.page', {}, bar, notFound(session, event, back, app, signal)) };

  const content = await showContent(event.content, event, session, app);
  const entry = event.journal && await showEntry(event, session, app);
  const body = element('article.page.event', { 'data-kind': kindOf(event) }, bar,
    offlineNote(session, signal),
    element('p.kind', {}, kindTag(kindOf(event)),
      roundButton('share', say('share.thisFind'), async () => (await import('../sharing/share-link.js')).shareLink(session, event))),
    element('div.lead', {}, authored(event.description, session.own(event, 'description'))),
    content.node, entry?.node);
  return {
    title: event.name, body,
    opened() {
      content.opened?.();
      entry?.opened?.();
    },
    close() {
      content.close?.();
      entry?.close?.();
    },
  };
}

/** What there is before an event is found. It follows what is found meanwhile, here or on another device, and the time. */
function notFound(session, event, back, app, signal) {
  const obstacle = obstacleLine();
  const update = () => obstacle.show(session.obstacle(event));
  update();
  session.addEventListener('change', () => session.isFound(event.id) ? app.router.show() : update(), { signal });
  session.addEventListener('clock', update, { signal });
  return element('div.plate', {}, element('p', {}, say('event.hiddenText')), obstacle.node, element('a.primary', { href: back }, icon('map'), say('event.map')));
}

export async function showContent(content, event, session, app) {
  const module = await kinds[content.type]();
  return module.show(content, event, session, app);
}

/** Returns the journal entry, which may have content of its own. */
export async function showEntry(event, session, app) {
  const { journal } = event;
  const { title, description, content } = journal;
  const inner = content && await showContent(content, event, session, app);
  const node = element('section.entry', {},
    element('p.label', {}, icon('journal'), say('journal.entry')),
    element('h2', session.own(journal, 'title'), title),
    authored(description, session.own(journal, 'description')),
    inner?.node);
  return { node, opened: () => inner?.opened?.(), close: () => inner?.close?.() };
}
