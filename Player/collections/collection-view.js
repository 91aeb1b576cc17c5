// A story's collection: a search in all of it, the favourites, and the sections.

import { element } from '../components/element.js';
import { icon } from '../components/icon.js';
import { offlineNote } from '../components/offline-note.js';
import { link } from '../components/router.js';
import { picture } from '../components/picture.js';
import { topBar } from '../components/top-bar.js';
import { say } from '../components/words.js';
import { collectionOf } from './collection.js';
import { favourites } from './favourites.js';
import { itemList } from './item-list.js';
import { searchField } from './search-field.js';

export async function show({ story: id }, app, signal) {
  const session = await app.session(id);
  const collection = collectionOf(session);
  const content = element('div.content');
  let shown;

  function update() {
    const sections = collection.sections.map(section => ({ section, entries: collection.of(section) })).filter(({ entries }) => entries.length > 0);
    const found = collection.all.filter(entry => collection.foundAt(entry)).length;
    // Most of what happens during play changes nothing here.
    if (shown === found) return;
    shown = found;
    const marked = favourites(id).map(item => collection.entry(item)).filter(entry => entry && collection.isSeen(entry));
    content.replaceChildren(
      element('ul.sections', { role: 'list' }, sections.map(({ section, entries }) => card(session, section, entries))),
      ...marked.length > 0 ? [element('section', {}, element('h2', {}, icon('heart'), say('collection.favourites')), itemList(collection, marked))] : []);
  }
  update();
  session.addEventListener('change', update, { signal });
  const body = element('div.page.collection', {},
    topBar({ title: say('collection.title'), back: link(id) }),
    offlineNote(session, signal), searchField(session, content), content);
  return { title: say('collection.title'), body };
}

function card(session, section, entries) {
  const asset = section.image ?? entries.find(({ item }) => item.images?.length > 0)?.item.images[0];
  return element('li', {}, element('a.section', { href: link(session.id, 'section', section.id) },
    element('span.cover', {}, picture(session.media, asset && { ...asset, alt: '' }, { sizes: '(min-width: 760px) 360px, 100vw' }) ?? icon('collection')),
    element('span.words', {}, element('strong', session.own(section, 'name'), section.name),
      element('span.soft', {}, say('collection.items', { count: entries.length })))));
}
