/** Which of several languages a reader wants: the lookup of BCP 47 (RFC 4647, section 3.4), as that of the service. */

/** A tag and the more general ones behind it: `de-at-1996`, `de-at`, `de`. */
function* rangesOf(tag) {
  for (let range = tag.toLowerCase(); range; range = range.replace(/(^|(-[^-])?-)[^-]*$/, '')) yield range;
}

/**
 * Returns the one of `tags` that suits best a reader who wants one of `wishes`, the best first; undefined if none does. Where a wish finds
 * none by itself, it takes the first one of the same primary language: `pt` finds `pt-BR`, and `de-CH` finds `de-AT`.
 */
export function bestLanguage(tags, wishes) {
  for (const wish of wishes) {
    let primary;
    for (const range of rangesOf(wish)) {
      const found = tags.find(tag => tag.toLowerCase() === range);
      if (found) return found;
      primary = range;
    }
    const found = tags.find(tag => tag.toLowerCase().startsWith(`${primary}-`));
    if (found) return found;
  }
  return undefined;
}
