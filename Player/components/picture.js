// Images in the size for the screen.

import { own } from '../story/text-languages.js';
import { element } from './element.js';

/** The `sizes` of an image as wide as the text column. */
export const columnWidth = '(min-width: 760px) 720px, 100vw';

/**
 * Returns an image of the story; null if the bundle lacks it. `asset` is {source, alt}, `role` is 'image', 'preview' or
 * 'poster', `event` is that of a preview, `sizes` are those of HTML. `first` loads an image above the fold early. `lang` is the language of an
 * `alt` that is not the author's.
 */
export function picture(media, asset, { role = 'image', event, sizes = columnWidth, first = false, lang } = {}) {
  const image = asset && media.image(asset.source, role, event);
  if (!image) return null;
  return element('img', {
    src: image.src, srcset: image.srcset, sizes, width: image.width, height: image.height, alt: asset.alt ?? '',
    // One that only decorates is not missed.
    onerror: ({ target }) => target.alt === '' && target.remove(),
    loading: first ? 'eager' : 'lazy', fetchpriority: first ? 'high' : null, decoding: 'async', lang: lang ?? own(asset, 'alt', media.story ?? {}).lang,
  });
}
