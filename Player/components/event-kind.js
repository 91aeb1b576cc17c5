// The kinds of events, which are the types of their contents in the story's JSON.

import { element } from './element.js';
import { icon } from './icon.js';
import { say } from './words.js';

export function kindOf(event) {
  return event.content.type;
}

/** Returns a badge with the kind's symbol and colour. */
export function kindBadge(kind) {
  return element('span.badge', { 'data-kind': kind }, icon(kind));
}

export function kindTag(kind) {
  return element('span.tag', { 'data-kind': kind }, icon(kind), say(`kind.${kind}`));
}
