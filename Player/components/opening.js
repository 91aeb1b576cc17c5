// The beginning of an author's text where only words may be: in a heading, or in the label of a field.

import { plainText } from '../engine/plain-text.js';
import { authored, blocks, richNode } from './element.js';

/** Returns the words of a text's first paragraph, and a node of what follows, which is false if nothing does. `language` is as of `authored`. */
export function opening(text, language) {
  const [first, ...rest] = blocks(text);
  return first?.type === 'paragraph'
    ? { words: first.of.map(richNode), rest: rest.length > 0 && authored(rest, language) }
    : { words: plainText(text ?? ''), rest: false };
}
