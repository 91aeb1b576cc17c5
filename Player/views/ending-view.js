// The end of a story, or what is reached of it by now: what was found, points, time, way, and the credits.

import { authored, element } from '../components/element.js';
import { icon } from '../components/icon.js';
import { link } from '../components/router.js';
import { picture } from '../components/picture.js';
import { topBar } from '../components/top-bar.js';
import { date, distance, duration, number, say } from '../components/words.js';
import { geodesic } from '../engine/geodesic.js';
import { parseTime } from '../engine/timestamps.js';

export async function show({ story: id }, app, signal) {
  const session = await app.session(id);
  const { story } = session;
  const place = element('div.ending');
  const openCard = async () => (await import('../sharing/card-dialog.js')).openCard(session, journey(session));

  function update() {
    const { isDone } = session.playback.state;
    const missing = session.events.size - session.found.size;
    place.replaceChildren(...[
      element('p.lead', {}, icon(isDone ? 'flag' : 'walk'), say(isDone ? 'ending.done' : 'ending.soFar')),
      figures(journey(session)),
      missing > 0 && element('p.soft', {}, say('ending.missing', { count: missing })),
      element('div.choices', {},
        element('a.primary', { href: link(id, 'journal') }, icon('journal'), say('ending.journal')),
        missing > 0 ? element('a.secondary', { href: link(id) }, icon('walk'), say('ending.goOn'))
          : element('a.secondary', { href: '#/' }, say('trouble.stories')),
        session.found.size > 0 && element('button.secondary', { type: 'button', onclick: openCard }, icon('share'), say('card.make'))),
      story.credits && element('section.plate.credits', {}, element('h2', {}, say('ending.credits')), authored(story.credits, session.own(story, 'credits'))),
      session.media.manifest.credits?.length > 0 && element('a.secondary', { href: link(id, 'credits') }, icon('info'), say('credits.title')),
    ].filter(Boolean));
  }
  update();
  session.addEventListener('change', update, { signal });
  const cover = picture(session.media, story.cover, { first: true });
  const body = element('div.page', {},
    topBar({ title: story.name, language: session.own(story, 'name').lang, back: link(id) }),
    cover && element('div.hero', {}, cover), place);
  return { title: say('ending.title', { name: story.name }), body };
}

/** Returns the figures of a journey, as far as there are any: `[symbol, label, value, note?]`. */
function journey(session) {
  const { contents, story } = session;
  const chapters = story.chapters;
  const questions = [...session.events.values()].flatMap(event => event.content.questions ?? []);
  const most = questions.reduce((sum, question) => sum + question.points, 0);
  const lockboxes = chapters.flatMap(chapter => chapter.lockboxes);
  const opened = lockboxes.filter(lockbox => session.opened.has(lockbox.id)).length;
  // The finds of this version of the story, the earliest first.
  const finds = [...session.found].filter(([event]) => session.events.has(event)).map(([, find]) => find)
    .sort((a, b) => parseTime(a.timestamp) - parseTime(b.timestamp));
  const times = [...finds.map(find => find.timestamp), ...session.opened.values()].map(parseTime).sort((a, b) => a - b);
  const places = finds.map(find => find.position).filter(Boolean);
  const way = places.slice(1).reduce((sum, place, index) => sum + geodesic(places[index], place).distance, 0);
  const captures = contents.captures.size;
  return [
    ['diamond', say('ending.found'), say('ending.of', { count: finds.length, total: session.events.size })],
    most > 0 && ['quiz', say('ending.points'), say('ending.of', { count: contents.points, total: most })],
    lockboxes.length > 0 && ['open', say('ending.lockboxes'), say('ending.of', { count: opened, total: lockboxes.length })],
    times.length > 1 && ['clock', say('ending.time'), duration(times.at(-1) - times[0]), date(times[0])],
    places.length > 1 && ['walk', say('ending.way'), distance(way), say('ending.straight')],
    captures > 0 && ['camera', say('ending.captures'), number(captures)],
  ].filter(Boolean);
}

function figures(rows) {
  return element('dl.figures', {}, rows.map(([symbol, label, value, note]) => element('div', {},
    element('dt', {}, icon(symbol), label), element('dd', {}, value, note && element('small', {}, note)))));
}
