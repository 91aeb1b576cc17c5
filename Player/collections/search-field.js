// A field that finds items while it is written in, and what it finds.

import { element, setText } from '../components/element.js';
import { icon } from '../components/icon.js';
import { link } from '../components/router.js';
import { say } from '../components/words.js';
import { collectionOf } from './collection.js';
import { itemList, textsOf } from './item-list.js';
import { ItemIndex, wordsOf } from './item-index.js';

/** The indexes of collections. */
const indexes = new WeakMap();
/** Milliseconds without a change until a screen reader is told what was found. */
const pause = 400;

/** What was looked for when an item of the results was opened, and where: it is there again when the player comes back. */
let last = {};

/** Returns the index of all items of a collection, and their entries in its order. */
function indexOf(collection) {
  if (!indexes.has(collection)) {
    const entries = collection.all;
    const index = ItemIndex.of(entries.map(entry => ({ name: entry.item.name, texts: textsOf(entry) })));
    indexes.set(collection, index.then(index => ({ index, entries })));
  }
  return indexes.get(collection);
}

/** Returns the address of the results from which an item was opened; undefined if it was not. */
export const addressOfResults = id => last.items?.includes(id) ? last.address : undefined;

/**
 * Returns a field for all items of a session, or those of a section. While it is empty, `content` is shown in the place of the results.
 */
export function searchField(session, content, section) {
  const collection = collectionOf(session);
  const label = section ? say('search.section') : say('search.label');
  const field = element('input', {
    type: 'search', id: 'search', placeholder: label, 'aria-label': label, autocomplete: 'off', spellcheck: 'false', enterkeyhint: 'search', maxlength: 100, dir: 'auto',
    oninput: () => find(), onfocus: () => indexOf(collection),
  });
  const state = element('p.soft', { role: 'status' });
  const results = element('div.results', { hidden: true });
  let timer;
  let shown = '';

  function tell(text, isLate = true) {
    clearTimeout(timer);
    timer = setTimeout(() => setText(state, text), isLate ? pause : 0);
  }

  async function find() {
    const text = field.value;
    const words = wordsOf(text);
    content.hidden = words.length > 0;
    results.hidden = words.length === 0;
    if (words.length === 0) {
      shown = '';
      return tell('', false);
    }
    const { index, entries } = await indexOf(collection);
    if (field.value !== text || shown === text) return undefined;
    shown = text;
    const all = index.search(words).map(number => entries[number]).filter(entry => collection.isSeen(entry));
    const own = section ? all.filter(entry => entry.section === section) : all;
    const ids = own.map(({ item }) => item.id);
    const address = location.hash;
    const onfollow = () => { last = { address, text, items: ids }; };
    const everywhere = link(session.id, 'collection');
    results.replaceChildren(...[
      own.length > 0 && itemList(collection, own, { words, onfollow, label: say('search.results') }),
      all.length > own.length && element('a.secondary', { href: everywhere, onclick: () => { last = { address: everywhere, text }; } },
        icon('search'), say('search.everywhere', { count: all.length })),
    ].filter(Boolean));
    return tell(own.length > 0 ? say('search.found', { count: own.length }) : say('search.none', { text: text.trim() }));
  }

  if (last.address === location.hash) {
    field.value = last.text;
    find();
  }
  last = {};
  return element('form.search', { role: 'search', onsubmit: event => event.preventDefault() },
    element('span.field', {}, icon('search'), field), state, results);
}
