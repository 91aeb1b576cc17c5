// The found events by chapter with their times; each can be opened again.

import { element } from '../components/element.js';
import { icon } from '../components/icon.js';
import { kindBadge, kindOf } from '../components/event-kind.js';
import { link } from '../components/router.js';
import { topBar } from '../components/top-bar.js';
import { dateAndTime, language, listing, refusalText, say } from '../components/words.js';
import { plainText } from '../engine/plain-text.js';
import { parseTime } from '../engine/timestamps.js';
import { CaptureQueue } from '../journal/capture-queue.js';

export async function show({ story: id }, app, signal) {
  const session = await app.session(id);
  const list = element('div.entries');
  const state = element('div.sync', {});
  const queue = await CaptureQueue.of(app);

  function update() {
    const { contents } = session;
    const ending = session.found.size > 0 ? [element('a.secondary', { href: link(id, 'ending') }, icon('flag'), say('ending.link'))] : [];
    const chapters = session.story.chapters.map(chapter => entriesOf(session, chapter)).filter(Boolean);
    const points = contents.points > 0 ? [element('p.points', {}, icon('quiz'), say('quiz.points', { count: contents.points }))] : [];
    const nothing = element('div.plate.empty', {}, icon('journal'), element('p', {}, say('journal.empty')),
      element('a.primary', { href: link(id) }, say('journal.start')));
    list.replaceChildren(...points, ...(chapters.length > 0 ? chapters : [nothing]), ...ending);
  }

  async function showSync() {
    const captures = await queue.list(id);
    state.replaceChildren(...syncLines(app.library.keepsPlayers ? session.syncState ?? { state: 'syncing' } : { state: 'device' }, captures, session.store.isKept));
  }
  update();
  await showSync();
  session.addEventListener('change', update, { signal });
  session.addEventListener('sync', showSync, { signal });
  queue.addEventListener('change', showSync, { signal });
  const body = element('div.page.journal', {},
    topBar({ title: say('journal.title'), back: link(id) }),
    element('p.label', {}, element('span', session.own(session.story, 'name'), session.story.name)),
    list, state);
  return { title: say('journal.title'), body };
}

/** The codes that mean another thing about a journal than about a picture. */
const journalCodes = { quota: 'journal-full', 'not-found': 'http-404' };

/** Returns what is true of the journal: where it is kept, what waits to be sent and why, and what the service refuses. */
function syncLines({ state, reason, code: refused, lastSynced, waiting = 0 }, captures, isKept) {
  const photos = captures.filter(capture => ['waiting', 'full'].includes(capture.state));
  const refusedPhotos = captures.filter(capture => capture.state === 'refused').length;
  const isWaiting = state !== 'device' && state !== 'idle' && waiting > 0;
  const what = [isWaiting && say('journal.entries', { count: waiting }),
    state !== 'device' && photos.length > 0 && say('journal.photos', { count: photos.length })].filter(Boolean);
  // Photos may wait for another reason than the journal.
  const held = state === 'idle' && photos.find(capture => capture.cause === 'trouble' || capture.state === 'full');
  const cause = held && refusalText(held.code, held.reason);
  const code = journalCodes[refused] ?? refused;
  // In some private windows the browser keeps nothing on the device.
  const words = isKept ? state : state === 'idle' ? 'service' : 'page';
  return [
    element('p.soft', { 'data-state': state },
      say(`journal.sync.${words}`, { reason: refusalText(code, reason), time: lastSynced ? dateAndTime(Date.parse(lastSynced)) : '' })),
    what.length > 0 && element('p.soft', {}, say(cause ? 'journal.waitsBecause' : 'journal.waits', { what: listing(what), reason: cause ?? '' })),
    refusedPhotos > 0 && element('p.soft', {}, say('journal.photosRefused', { count: refusedPhotos })),
    state === 'signed-out' && element('a.primary', { href: link('~account') }, icon('person'), say('account.signIn')),
  ].filter(Boolean);
}

/** Returns the entries of a chapter in the order in which they were found; nothing if there are none. */
function entriesOf(session, chapter) {
  const time = event => parseTime(session.found.get(event.id).timestamp) ?? 0;
  const found = chapter.events.filter(event => session.isFound(event.id)).sort((a, b) => time(a) - time(b));
  const opened = chapter.lockboxes.filter(lockbox => session.opened.has(lockbox.id));
  if (found.length + opened.length === 0) return undefined;
  return element('section', {},
    element('h2', session.own(chapter, 'name'), chapter.name),
    element('ul.finds', { role: 'list' },
      found.map(event => element('li', {}, element('a.find', { href: link(session.id, 'event', event.id) },
        kindBadge(kindOf(event)),
        element('span.words', {},
          event.journal ? element('strong', session.own(event.journal, 'title'), event.journal.title) : element('strong', session.own(event, 'name'), event.name),
          event.journal && element('span', session.own(event, 'name'), event.name),
          element('time.soft', { datetime: session.found.get(event.id).timestamp, lang: language, dir: document.documentElement.dir }, dateAndTime(time(event)))),
        icon('forward')))),
      opened.map(lockbox => element('li.opened', {}, element('span.badge', {}, icon('open')),
        element('span.words', session.own(lockbox, 'question'), element('strong', {}, plainText(lockbox.question)))))));
}
