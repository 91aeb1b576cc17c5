// What visitors want to know about the house: a text, the address, how far it is, and when it is open.

import { authored, element, elsewhere } from '../components/element.js';
import { icon } from '../components/icon.js';
import { offlineNote } from '../components/offline-note.js';
import { link } from '../components/router.js';
import { topBar } from '../components/top-bar.js';
import { whereLine } from '../components/where.js';
import { say } from '../components/words.js';
import { geodesic } from '../engine/geodesic.js';

export async function show({ story: id }, app, signal) {
  const session = await app.outdoorSession(id);
  const { about = {}, credits, face, name } = session.story;
  const title = say('about.title');
  const hasCredits = credits || session.media.manifest.credits?.length > 0;
  const body = element('div.page.house', {},
    topBar({ title, back: link(id) }), offlineNote(session, signal),
    element('p.label', {}, face?.name ? element('span', session.own(face, 'name'), face.name) : element('span', session.own(session.story, 'name'), name)),
    about.text && authored(about.text, session.own(about, 'text')),
    about.hours && element('section.plate', {}, element('h2', {}, icon('clock'), say('about.hours')), authored(about.hours, session.own(about, 'hours'))),
    (about.address || about.position) && place(session, about, signal),
    hasCredits && element('a.secondary', { href: link(id, 'credits') }, icon('info'), say('credits.title')));
  return { title, body };
}

function place(session, about, signal) {
  const { address, position } = about;
  const { app } = session;
  const where = whereLine();
  const update = () => {
    where.node.hidden = !app.position.last;
    where.show(app.position.last && geodesic(app.position.last, position), app.orientation.top);
  };
  if (position) {
    update();
    session.addEventListener('fix', update, { signal });
  }
  return element('section.plate', {}, element('h2', {}, icon('place'), say('about.address')),
    address && element('address.author', session.own(about, 'address'), address.split('\n').map(line => element('p', {}, line))),
    position && [where.node, element('div.choices', {}, maps(position))]);
}

/** Links to maps: of this device, and of a host, which is named. */
function maps({ latitude, longitude }) {
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
  return [
    element('a.small', { href: `geo:${latitude},${longitude}` }, icon('map'), say('about.mapApp')),
    element('a.small', { href: map, ...elsewhere }, icon('outside'), say('about.mapPage', { host: 'openstreetmap.org' })),
  ];
}
