/** Which of several languages a reader wants: the lookup of BCP 47 (RFC 4647, section 3.4), as that of the service. */

/** A tag and the more general ones behind it: `de-at-1996`, `de-at`, `de`. */
function* rangesOf(tag) {
  for (let range = tag.toLowerCase(); range; range = range.replace(/(^|(-[^-])?-)[^-]*$/, '')) yield range;
}

/** Returns the one of `tags` for a wish, which is served by a more general one: `pt-BR` by `pt`. Returns undefined if there is none. */
function lookedUp(tags, wish) {
  for (const range of rangesOf(wish)) {
    const found = tags.find(tag => tag.toLowerCase() === range);
    if (found) return found;
  }
  return undefined;
}

/** Returns the first of `tags` of the same primary language: of `pt` `pt-BR`, and of `de-CH` `de-AT`. */
const related = (tags, wish) => tags.find(tag => tag.toLowerCase().split('-')[0] === wish.toLowerCase().split('-')[0]);

/** Returns the one of `tags` that suits best a reader who wants one of `wishes`, the best first; undefined if none does. */
export const lookUp = (tags, wishes) => wishes.map(wish => lookedUp(tags, wish)).find(Boolean);

/** Returns likewise; where a wish finds none by itself, it takes one of the same primary language. */
export const bestLanguage = (tags, wishes) => wishes.map(wish => lookedUp(tags, wish) ?? related(tags, wish)).find(Boolean);
