// The kinds of events, which are {camera: {_0: {…}}} in the story's JSON.

import { element } from './element.js';
import { icon } from './icon.js';
import { say } from './words.js';

export function kindOf(event) {
  return Object.keys(event.content)[0];
}

/** Returns the kind and the content of an event or a journal entry. */
export function contentOf(content) {
  const [kind, value] = Object.entries(content)[0];
  return { kind, content: value._0 };
}

/** Returns a badge with the kind's symbol and colour. */
export function kindBadge(kind) {
  return element('span.badge', { 'data-kind': kind }, icon(kind));
}

export function kindTag(kind) {
  return element('span.tag', { 'data-kind': kind }, icon(kind), say(`kind.${kind}`));
}
