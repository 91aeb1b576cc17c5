// A story's chapters as stations of a trail: image, name, distance, progress; and what else it has: its collection, news, the house.

import { authored, element, setText } from '../components/element.js';
import { icon } from '../components/icon.js';
import { languageMenu, languageOffer } from '../components/language-menu.js';
import { wordsOf } from '../components/obstacle.js';
import { offlineNote } from '../components/offline-note.js';
import { link } from '../components/router.js';
import { picture } from '../components/picture.js';
import { positionPrompt } from '../components/position-prompt.js';
import { roundButton, roundLink, topBar } from '../components/top-bar.js';
import { whereLine } from '../components/where.js';
import { say } from '../components/words.js';
import { geodesic } from '../engine/geodesic.js';
import { newsOf } from '../story/news.js';

export async function show({ story: id }, app, signal) {
  const session = await app.outdoorSession(id);
  const { story } = session;
  const list = element('ol.trail', { role: 'list' });
  const progress = element('p.progress');
  const ending = element('a.primary', { href: link(id, 'ending'), hidden: true }, icon('flag'), say('ending.link'));
  const stations = story.chapters.filter(({ events }) => events.length > 0 || !story.sections?.length).map(chapter => station(session, chapter));
  list.append(...stations.map(station => station.node));

  function update() {
    const total = session.events.size;
    const found = [...session.events.keys()].filter(id => session.isFound(id)).length;
    progress.replaceChildren(
      element('strong', {}, say('chapters.found', { found, count: total })),
      element('meter', { min: 0, max: total, value: found, 'aria-label': say('chapters.progress') }));
    ending.hidden = !session.playback.state.isDone;
    for (const station of stations) station.update();
  }
  update();
  session.addEventListener('change', update, { signal });
  session.addEventListener('fix', update, { signal });

  const body = element('div.page', {},
    topBar({
      title: story.name, language: session.own(story, 'name').lang, back: '#/',
      actions: [
        roundButton('share', say('share.title'), async () => (await import('../sharing/share-link.js')).shareLink(session)),
        roundLink('journal', say('journal.title'), link(id, 'journal')),
      ],
    }),
    offlineNote(session, signal), languageOffer(session),
    // A collection without a walk begins with its description.
    stations.length > 0 ? progress : story.description && element('div.lead', {}, authored(story.description, session.own(story, 'description'))),
    ending, entries(session, stations.length > 0), languageMenu(session),
    stations.length > 0 && [
      positionPrompt(app, signal), list,
      element('details.about', {}, element('summary', {}, say('chapters.about')), authored(story.description, session.own(story, 'description'))),
    ]);
  return { title: story.name, body };
}

/** Returns links to what the story has beside its chapters; nothing if it has no more. After a walk, its end leads to the credits. */
function entries({ id, story, app, media }, hasWalk) {
  const items = (story.sections ?? []).flatMap(({ items }) => items).length;
  const news = newsOf({ story, app });
  const count = news.filter(({ isNew }) => isNew).length;
  const entry = (symbol, name, label, mark) => element('a.entry-link', { href: link(id, name) }, icon(symbol), element('span', {}, label), mark);
  const links = [
    story.codeHashing && entry('search', 'code', say('code.title')),
    items > 0 && entry('collection', 'collection', say('collection.title')),
    news.length > 0 && entry('news', 'news', say('news.title'), count > 0 && element('span.new', {}, say('news.count', { count }))),
    story.about ? entry('info', 'about', say('about.title'))
      : !hasWalk && media.manifest.credits?.length > 0 && entry('info', 'credits', say('credits.title')),
  ].filter(Boolean);
  return links.length > 0 && element('nav.entry-links', { 'aria-label': say('chapters.more') }, links);
}

function station(session, chapter) {
  const where = whereLine();
  const mark = element('span.mark');
  const status = element('span.status');
  const anchor = element('a.station', { href: link(session.id, 'chapter', chapter.id) },
    element('span.thumb', {}, picture(session.media, chapter.image && { ...chapter.image, alt: '' }, { sizes: '96px' })),
    element('span.words', {},
      element('strong', session.own(chapter, 'name'), chapter.name), status, where.node));
  const node = element('li', {}, mark, anchor);
  return {
    node,
    update() {
      const state = stateOf(session, chapter);
      node.dataset.state = state;
      mark.replaceChildren(icon(state === 'done' ? 'check' : state === 'locked' ? 'lock' : 'diamond'));
      const found = chapter.events.filter(event => session.isFound(event.id)).length;
      const words = state === 'open' ? [say('chapter.foundOf', { found, count: chapter.events.length })] : state === 'locked' && lockedBy(session, chapter);
      setText(status, ...words || [say(`chapter.${state}`)]);
      const position = session.app.position.last;
      const place = chapter.location ?? chapter.events[0]?.position;
      where.show(position && place && geodesic(position, place), session.app.orientation.top);
    },
  };
}

/** Returns what has to be done before a chapter as texts and elements, as far as that can be told. */
export function lockedBy(session, chapter) {
  const first = chapter.events.find(event => !session.isFound(event.id));
  const obstacle = first && session.obstacle(first);
  return obstacle && wordsOf(obstacle);
}

/** Returns 'done', 'open', or 'locked' while none of the chapter's events can be found. */
export function stateOf(session, chapter) {
  if (session.playback.isChapterDone(chapter.id)) return 'done';
  return session.playback.availableChapters.includes(chapter.id) ? 'open' : 'locked';
}
