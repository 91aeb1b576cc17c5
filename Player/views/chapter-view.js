// A chapter before it is played: picture, distance, description, map, start.

import { prepareSounds } from '../components/arrival.js';
import { authored, element } from '../components/element.js';
import { icon } from '../components/icon.js';
import { offlineNote } from '../components/offline-note.js';
import { link } from '../components/router.js';
import { picture } from '../components/picture.js';
import { positionPrompt } from '../components/position-prompt.js';
import { topBar } from '../components/top-bar.js';
import { whereLine } from '../components/where.js';
import { say } from '../components/words.js';
import { geodesic } from '../engine/geodesic.js';
import { lockedBy, stateOf } from './chapters-view.js';
import { overviewMap } from './overview-map.js';

export async function show({ story: id, chapter: chapterID }, app, signal) {
  const session = await app.outdoorSession(id);
  const chapter = session.chapter(chapterID);
  // The tap that starts the walk also permits its sounds.
  prepareSounds(session, chapter);
  const where = whereLine();
  const map = overviewMap(session, chapter, signal);
  const isTour = chapter.order === 'sequence';
  const state = stateOf(session, chapter);

  function update() {
    const place = chapter.location ?? chapter.events[0]?.position;
    where.show(app.position.last && place && geodesic(app.position.last, place), app.orientation.top);
    map.draw();
  }
  session.addEventListener('fix', update, { signal });

  const body = element('div.page.chapter', {},
    topBar({ title: chapter.name, language: session.own(chapter, 'name').lang, back: link(id) }),
    offlineNote(session, signal),
    element('div.hero', {}, picture(session.media, chapter.image, { first: true })),
    element('p.facts', {},
      where.node,
      element('span.fact', {}, icon(isTour ? 'steps' : 'diamond'),
        say(isTour ? 'chapter.stops' : 'chapter.events', { count: chapter.events.length })),
      chapter.lockboxes.length > 0 && element('span.fact', {}, icon('lock'), say('chapter.lockboxes', { count: chapter.lockboxes.length }))),
    authored(chapter.description, session.own(chapter, 'description')),
    map.node,
    positionPrompt(app, signal),
    element('footer.dock', {},
      state === 'locked' && element('p.soft', {}, lockedBy(session, chapter) ?? say('chapter.locked'), `. ${say('chapter.lockedHint')}`),
      element('a.primary', { href: link(id, isTour ? 'tour' : 'map', chapter.id) },
        icon('walk'), say(state === 'done' ? 'chapter.again' : isTour ? 'chapter.startTour' : 'chapter.start'))));
  return { title: chapter.name, body, opened: update };
}
