// Items as a grid, which grows by a button if there are many.

import { element } from '../components/element.js';
import { icon } from '../components/icon.js';
import { link } from '../components/router.js';
import { picture } from '../components/picture.js';
import { say } from '../components/words.js';
import { plainText } from './collection.js';
import { favourites } from './favourites.js';
import { hitsIn } from './item-index.js';

/** The number of items that are shown at once. */
const most = 48;
/** The characters of a text before and after its first hit. */
const [before, after] = [30, 110];

/**
 * Returns entries of a collection as a grid. `words` are those that were looked for, which are marked; `onfollow` is called before an item is
 * opened.
 */
export function itemList(collection, entries, { words = [], onfollow, label } = {}) {
  const list = element('ul.items', { role: 'list', 'aria-label': label });
  const more = element('button.secondary', { type: 'button', onclick: () => grow(true) });
  const marked = favourites(collection.session.id);
  function grow(takesFocus) {
    const shown = list.children.length;
    const rows = entries.slice(shown, shown + most).map(entry => row(collection, entry, words, marked, onfollow));
    list.append(...rows);
    const left = entries.length - shown - rows.length;
    more.hidden = left <= 0;
    more.textContent = say('collection.more', { count: Math.min(left, most) });
    if (takesFocus) rows[0].querySelector('a').focus();
  }
  grow(false);
  return element('div.item-list', {}, list, more);
}

function row(collection, entry, words, favourites, onfollow) {
  const { session } = collection;
  const { item } = entry;
  const image = picture(session.media, item.images?.[0] && { ...item.images[0], alt: '' }, { sizes: '(min-width: 760px) 220px, 45vw' });
  const isNamed = words.every(word => hitsIn(item.name, [word], 1).length > 0);
  const excerpt = !isNamed && excerptOf(session, textsIn(entry), words);
  return element('li', {}, element('a.item', { href: link(session.id, 'item', item.id), onclick: onfollow },
    element('span.frame', {}, image ?? icon('exhibit')),
    element('span.words', {},
      element('strong', session.own(item, 'name'), marked(item.name, words)),
      excerpt,
      collection.foundAt(entry) && element('span.tag', { 'data-kind': 'exhibit' }, icon('check'), say('item.found')),
      favourites.includes(item.id) && element('span.tag', {}, icon('heart'), say('item.favourite')))));
}

/** The texts of an item beside its name, in which it is looked for. */
export const textsOf = entry => textsIn(entry).map(([text]) => text);

/** The same, each with the part that has it, and its name there. */
const textsIn = ({ item }) => [[item, 'text'], ...(item.images ?? []).map(image => [image, 'alt']), [item.audio, 'transcript']]
  .map(([part, name]) => [plainText(part?.[name]), part, name]).filter(([text]) => text);

function marked(text, words) {
  const parts = [];
  let end = 0;
  for (const hit of hitsIn(text, words)) {
    parts.push(text.slice(end, hit.start), element('mark', {}, text.slice(hit.start, hit.end)));
    end = hit.end;
  }
  return [...parts, text.slice(end)];
}

/** Returns a part of the first text with a hit, which is marked. */
function excerptOf(session, texts, words) {
  for (const [text, part, name] of texts) {
    const [hit] = hitsIn(text, words, 1);
    if (!hit) continue;
    // Words are not cut.
    const start = hit.start <= before ? 0 : Math.max(0, text.lastIndexOf(' ', hit.start - before) + 1, hit.start - 2 * before);
    const cut = hit.end + after >= text.length ? text.length : text.indexOf(' ', hit.end + after);
    const end = cut < 0 ? text.length : Math.min(cut, hit.end + 2 * after);
    return element('span.excerpt', session.own(part, name),
      start > 0 && '… ', marked(text.slice(start, end).replace(/\s+/g, ' '), words), end < text.length && ' …');
  }
  return undefined;
}
