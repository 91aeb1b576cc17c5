// A section of a collection: its items, and a search in them.

import { authored, element } from '../components/element.js';
import { offlineNote } from '../components/offline-note.js';
import { link } from '../components/router.js';
import { topBar } from '../components/top-bar.js';
import { say } from '../components/words.js';
import { collectionOf } from './collection.js';
import { itemList } from './item-list.js';
import { searchField } from './search-field.js';

export async function show({ story: id, section: sectionID }, app, signal) {
  const session = await app.session(id);
  const collection = collectionOf(session);
  const section = collection.sections.find(({ id }) => id === sectionID);
  if (!section) throw new Error(say('section.unknown'));
  const content = element('div.content');
  let count;

  function update() {
    const entries = collection.of(section);
    const found = entries.filter(entry => collection.foundAt(entry)).length;
    // Hidden items appear when they are found, and only then the list is another one.
    if (count === `${entries.length} ${found}`) return;
    count = `${entries.length} ${found}`;
    content.replaceChildren(...[section.description && authored(section.description, session.own(section, 'description')), itemList(collection, entries)].filter(Boolean));
  }
  update();
  session.addEventListener('change', update, { signal });
  const body = element('div.page.collection', {},
    topBar({ title: section.name, language: session.own(section, 'name').lang, back: link(id, 'collection') }),
    offlineNote(session, signal), searchField(session, content, section), content);
  return { title: section.name, body };
}
