// An item of a collection: images, text, sound, where it belongs. It is shown at its own address, and by the events that lead to it.

import { authored, element } from '../components/element.js';
import { icon } from '../components/icon.js';
import { link } from '../components/router.js';
import { picture } from '../components/picture.js';
import { whereLine } from '../components/where.js';
import { language, phrase, say } from '../components/words.js';
import { geodesic } from '../engine/geodesic.js';
import { showSound } from '../views/radio-view.js';
import { collectionOf } from './collection.js';
import { creditLine } from './credit-line.js';
import { favouriteButton } from './favourites.js';
import { showImages } from './image-viewer.js';

/** Shows the item of an event: `{node, opened, close}`. */
export function show(content, event, session) {
  const entry = collectionOf(session).entry(content.item);
  if (!entry) return { node: element('p.missing', {}, say('item.unknown')) };
  const life = new AbortController();
  const shown = showItem(session, entry, life.signal);
  const { item } = entry;
  const node = element('section.exhibit', {},
    item.name !== event.name && element('h2', session.own(item, 'name'), item.name),
    shown.nodes,
    element('div.choices', {}, favouriteButton(session.id, item.id),
      element('a.small', { href: link(session.id, 'item', item.id) }, icon('collection'), say('item.inCollection'))));
  return {
    node,
    opened: shown.opened,
    close() {
      life.abort();
      shown.close();
    },
  };
}

/** Returns the parts of an item that it has everywhere: `{nodes, opened, close}`. */
export function showItem(session, { item }, signal) {
  const sound = item.audio && showSound(item, session);
  return {
    nodes: [gallery(session, item, signal), item.text && authored(item.text, session.own(item, 'text')), sound?.node],
    opened: () => sound?.opened(),
    close: () => sound?.close(),
  };
}

/** Returns the images, of which each opens on the whole screen; undefined if there are none. */
function gallery(session, item, signal) {
  const images = (item.images ?? []).filter(({ source }) => session.media.image(source));
  if (images.length === 0) return undefined;
  const figures = images.map((asset, index) => element(`figure${index === 0 ? '.first' : ''}`, {},
    element('button.enlarge', { type: 'button', onclick: () => showImages(session, images, index, item.name, signal) },
      picture(session.media, { ...asset, alt: asset.alt ?? say('images.number', { number: index + 1, count: images.length }) },
        { first: index === 0, lang: asset.alt ? undefined : language, ...index > 0 && { sizes: '(min-width: 760px) 240px, 45vw' } }),
      element('span.round', {}, icon('enlarge')), element('span.spoken', {}, say('images.enlarge'))),
    index === 0 && element('figcaption', {}, asset.alt && element('span', { ...session.own(asset, 'alt'), 'aria-hidden': 'true' }, asset.alt), creditLine(asset, session))));
  return element('div.gallery', {}, figures);
}

/** Returns how far an item is, and where on the walk it is found; undefined if it is nowhere. */
export function standing(session, entry, signal) {
  const { item, events } = entry;
  const found = collectionOf(session).foundAt(entry);
  const event = found ?? events[0];
  const place = item.position ?? found?.position;
  if (!event && !place) return undefined;
  const { app } = session;
  const where = whereLine();
  const update = () => {
    where.node.hidden = !app.position.last;
    where.show(app.position.last && geodesic(app.position.last, place), app.orientation.top);
  };
  if (place) {
    update();
    session.addEventListener('fix', update, { signal });
  }
  return element('section.plate.standing', { 'aria-label': say('item.where') }, place && where.node, event && belonging(session, event, found));
}

/** Names the event only if it was found; those of a tour are known before. */
function belonging(session, event, found) {
  const chapter = session.chapterOf(event.id);
  const isTour = chapter.order === 'sequence';
  const named = (part, kind) => element('a', { href: link(session.id, kind, part.id), ...session.own(part, 'name') }, part.name);
  const trip = named(chapter, isTour ? 'tour' : 'chapter');
  const number = chapter.events.indexOf(event) + 1;
  return [
    element('p', {}, icon(found ? 'check' : 'walk'), element('span', {}, isTour ? phrase('item.stop', { number, name: trip }) : phrase('item.walk', { name: trip }))),
    found && element('p', {}, icon('diamond'), element('span', {}, phrase('item.foundAt', { name: named(found, 'event') }))),
    element('a.small', { href: link(session.id, 'map', chapter.id) }, icon('map'), say('item.map')),
  ];
}
