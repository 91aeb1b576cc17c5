// The page of an item of a collection.

import { element } from '../components/element.js';
import { icon } from '../components/icon.js';
import { offlineNote } from '../components/offline-note.js';
import { link } from '../components/router.js';
import { topBar } from '../components/top-bar.js';
import { say } from '../components/words.js';
import { plansOf } from '../story/ground-tiles.js';
import { collectionOf } from './collection.js';
import { showItem, standing } from './exhibit.js';
import { favouriteButton } from './favourites.js';
import { addressOfResults } from './search-field.js';

export async function show({ story: id, item: itemID }, app, signal) {
  const session = await app.outdoorSession(id);
  const collection = collectionOf(session);
  const entry = collection.entry(itemID);
  if (!entry) throw new Error(say('item.unknown'));
  const { item, section } = entry;
  const back = addressOfResults(itemID) ?? link(id, 'section', section.id);
  if (!collection.isSeen(entry)) {
    session.addEventListener('change', () => collection.isSeen(entry) && app.router.show(), { signal });
    const title = say('event.hidden');
    return { title, body: element('div.page', {}, topBar({ title, back: link(id, 'section', section.id) }),
      element('div.plate', {}, element('p', {}, say('event.hiddenText')), element('a.primary', { href: link(id) }, icon('walk'), say('journal.start')))) };
  }
  const shown = showItem(session, entry, signal);
  plansOf(session.media)?.then(plans => {
    const figure = !signal.aborted && plans?.whereItStands(session, item, item.anchor, signal);
    if (figure) body.lastChild.before(figure);
  });
  const body = element('article.page.exhibit', {},
    topBar({ title: item.name, language: session.own(item, 'name').lang, back, actions: [favouriteButton(id, itemID, true)] }),
    offlineNote(session, signal),
    element('p.label', {}, icon('collection'), element('a', { href: link(id, 'section', section.id), ...session.own(section, 'name') }, section.name),
      collection.foundAt(entry) && element('span.tag', { 'data-kind': 'exhibit' }, icon('check'), say('item.found'))),
    shown.nodes, standing(session, entry, signal), neighbours(collection, entry));
  return { title: item.name, body, opened: shown.opened, close: shown.close };
}

/** Returns links to the items before and after one in its section. */
function neighbours(collection, entry) {
  const { session } = collection;
  const entries = collection.of(entry.section);
  const number = entries.indexOf(entry);
  const to = (other, label, symbol, isAfter) => other
    ? element('a.secondary', { href: link(session.id, 'item', other.item.id), rel: isAfter ? 'next' : 'prev' },
      !isAfter && icon(symbol), label, element('bdi.spoken', session.own(other.item, 'name'), other.item.name), isAfter && icon(symbol))
    : element('div');
  return entries.length > 1 && element('nav.pages', { 'aria-label': say('item.neighbours') },
    to(entries[number - 1], say('tour.previous'), 'back'),
    element('span', {}, say('item.number', { number: number + 1, count: entries.length })),
    to(entries[number + 1], say('tour.next'), 'forward', true));
}
