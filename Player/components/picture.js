// Pictures in the size for the screen.

import { element } from './element.js';

/** Where a picture may be as wide as the column of text. */
export const columnWidth = '(min-width: 760px) 720px, 100vw';

/**
 * An image of the story; nothing where the bundle lacks it. `asset`: {source, alt}; `role`: 'image', 'preview' or 'poster', `event`: whose
 * preview; `sizes`: how wide it is shown, as in HTML. One that is above the fold is loaded `first`.
 */
export function picture(media, asset, { role = 'image', event, sizes = columnWidth, first = false } = {}) {
  const image = asset && media.image(asset.source, role, event);
  if (!image) return null;
  return element('img', {
    src: image.src, srcset: image.srcset, sizes, width: image.width, height: image.height, alt: asset.alt ?? '',
    loading: first ? 'eager' : 'lazy', fetchpriority: first ? 'high' : null, decoding: 'async', lang: media.story?.language,
  });
}
