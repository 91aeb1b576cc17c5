// The found events by chapter with their times; each can be opened again.

import { element } from '../components/element.js';
import { icon } from '../components/icon.js';
import { kindBadge, kindOf } from '../components/event-kind.js';
import { link } from '../components/router.js';
import { topBar } from '../components/top-bar.js';
import { dateAndTime, language, say } from '../components/words.js';
import { parseTime } from '../engine/timestamps.js';

export async function show({ story: id }, app, signal) {
  const session = await app.session(id);
  const list = element('div.entries');
  const state = element('p.soft');

  function update() {
    const { contents } = session;
    const ending = session.found.size > 0 ? [element('a.secondary', { href: link(id, 'ending') }, icon('flag'), say('ending.link'))] : [];
    const chapters = session.story.chapters.map(chapter => entriesOf(session, chapter)).filter(Boolean);
    const points = contents.points > 0 ? [element('p.points', {}, icon('quiz'), say('quiz.points', { count: contents.points }))] : [];
    const nothing = element('div.plate.empty', {}, icon('journal'), element('p', {}, say('journal.empty')),
      element('a.primary', { href: link(id) }, say('journal.start')));
    list.replaceChildren(...points, ...(chapters.length > 0 ? chapters : [nothing]), ...ending);
  }

  function showSync({ detail }) {
    const key = app.library.keepsPlayers ? detail?.state ?? 'idle' : 'device';
    state.textContent = say(`journal.sync.${key}`, { time: detail?.lastSynced ? dateAndTime(Date.parse(detail.lastSynced)) : '' });
  }
  update();
  showSync({ detail: session.syncState });
  session.addEventListener('change', update, { signal });
  session.sync?.addEventListener('state', showSync, { signal });
  const body = element('div.page.journal', {},
    topBar({ title: say('journal.title'), back: link(id) }),
    element('p.label', {}, element('span', { lang: session.language, dir: 'auto' }, session.story.name)),
    list, state);
  return { title: say('journal.title'), body };
}

/** Returns the entries of a chapter in the order in which they were found; nothing if there are none. */
function entriesOf(session, chapter) {
  const time = event => parseTime(session.found.get(event.id).timestamp) ?? 0;
  const found = chapter.events.filter(event => session.isFound(event.id)).sort((a, b) => time(a) - time(b));
  const opened = chapter.lockboxes.filter(lockbox => session.opened.has(lockbox.id));
  if (found.length + opened.length === 0) return undefined;
  return element('section', {},
    element('h2', { lang: session.language, dir: 'auto' }, chapter.name),
    element('ul.finds', { role: 'list' },
      found.map(event => element('li', {}, element('a.find', { href: link(session.id, 'event', event.id) },
        kindBadge(kindOf(event)),
        element('span.words', {},
          element('strong', { lang: session.language, dir: 'auto' }, event.journal?.title ?? event.name),
          event.journal && element('span', { lang: session.language, dir: 'auto' }, event.name),
          element('time.soft', { datetime: session.found.get(event.id).timestamp, lang: language, dir: document.documentElement.dir }, dateAndTime(time(event)))),
        icon('forward')))),
      opened.map(lockbox => element('li.opened', {}, element('span.badge', {}, icon('open')),
        element('span.words', { lang: session.language, dir: 'auto' }, element('strong', {}, lockbox.question))))));
}
