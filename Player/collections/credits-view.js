// Who made what a story shows, by licence.

import { authored, element, elsewhere, webAddress } from '../components/element.js';
import { icon } from '../components/icon.js';
import { offlineNote } from '../components/offline-note.js';
import { link } from '../components/router.js';
import { topBar } from '../components/top-bar.js';
import { language, say } from '../components/words.js';
import { collectionOf } from './collection.js';
import { licenseOf } from './credit-line.js';

export async function show({ story: id }, app, signal) {
  const session = await app.session(id);
  const { story, media } = session;
  const title = say('credits.title');
  const credits = media.manifest.credits ?? [];
  const groups = new Map();
  for (const credit of credits) {
    const license = credit.license ? licenseOf(credit.license) : { name: '' };
    if (!groups.has(license.name)) groups.set(license.name, { license, credits: [] });
    const group = groups.get(license.name);
    group.license.address ??= license.address;
    group.credits.push(credit);
  }
  // Files without a licence come last.
  const sorted = [...groups.values()].sort((a, b) => (a.license.name === '') - (b.license.name === ''));
  const names = namesOf(session);
  const body = element('div.page.attributions', {},
    topBar({ title, back: link(id, ...story.about ? ['about'] : []) }), offlineNote(session, signal),
    story.credits && element('section.plate.credits', {}, authored(story.credits, session.own(story, 'credits'))),
    sorted.map(group => element('section.plate', {}, heading(group.license),
      element('ul', { role: 'list' }, group.credits.map(credit => row(credit, names))))),
    !story.credits && credits.length === 0 && element('p.plate', {}, say('credits.none')));
  return { title, body };
}

function heading({ name, address }) {
  if (!name) return element('h2', {}, say('credits.noLicense'));
  return element('h2', {}, address ? element('a', { href: address, ...elsewhere, lang: 'en' }, name, icon('outside')) : element('bdi', {}, name));
}

function row({ sources, author, origin }, names) {
  const address = webAddress(origin);
  const places = new Map(sources.map(source => names.get(source) ?? [source.split('/').at(-1), {}]));
  const own = places.values();
  const listed = new Intl.ListFormat(language).formatToParts(places.keys());
  return element('li', {},
    element('strong', {}, author ? element('bdi', {}, author) : say('credits.unknown')),
    element('span', {}, listed.map(({ type, value }) => type === 'element' ? element('bdi', own.next().value, value) : value)),
    address && element('a', { href: address.href, ...elsewhere }, icon('outside'), say('credits.origin', { host: address.host })));
}

/** Returns the names of what shows each file with the attributes of their languages, by its source. What the player has not found is not named. */
function namesOf(session) {
  const { story } = session;
  const names = new Map();
  const add = (whole, field, ...parts) => {
    for (const source of parts.flatMap(sourcesIn)) if (!names.has(source)) names.set(source, [whole[field], session.own(whole, field)]);
  };
  add(story, 'name', story.cover, story.face, story.map);
  const collection = collectionOf(session);
  for (const section of collection.sections) {
    for (const { item } of collection.of(section)) add(item, 'name', item);
    add(section, 'name', section.image);
  }
  for (const entry of story.news ?? []) add(entry, 'title', entry.image);
  for (const chapter of story.chapters) {
    for (const event of chapter.events) add(session.isFound(event.id) ? event : chapter, 'name', event.content, event.journal);
    add(chapter, 'name', chapter.image, chapter.map);
  }
  return names;
}

/** Returns all files that a part of the story names. */
function sourcesIn(part) {
  if (!part || typeof part !== 'object') return [];
  return [...typeof part.source === 'string' ? [part.source] : [], ...Object.values(part).flatMap(sourcesIn)];
}
