// Text, images and video, in the author's order.

import { authored, element } from '../components/element.js';
import { picture } from '../components/picture.js';
import { languageName, say } from '../components/words.js';

export function show(content, event, session) {
  const items = content.items.map(item => ({ text, image, video })[item.type](item, session));
  return {
    node: element('div.scrapbook', {}, items),
    close() {
      for (const item of items) item?.querySelector?.('video')?.pause();
    },
  };
}

function text(item, session) {
  return authored(item.text, session);
}

function image(asset, session) {
  const shown = picture(session.media, asset);
  return shown ? element('figure', {}, shown) : missing(asset, session);
}

/**
 * Returns a video with its poster and captions; those of an HLS file itself are shown, too. A description is below for
 * players who cannot see it.
 */
function video(asset, session) {
  const found = session.media.video(asset.source);
  if (!found) return missing(asset, session);
  const { width, height } = found.sources[0];
  const player = element('video', {
    controls: true, playsinline: true, preload: 'none', poster: found.poster?.src, width, height, 'aria-label': asset.alt ?? say('video.label'),
  }, found.sources.map(({ url, type }) => element('source', { src: url, type })),
  (asset.captions ?? []).map(captions => track(captions, session)));
  return element('figure', {}, player, asset.alt && element('figcaption', { lang: session.language, dir: 'auto' }, asset.alt));
}

function track({ source, language, label }, session) {
  const src = session.media.captions(source);
  const srclang = language ?? session.language;
  return src && element('track', { kind: 'captions', src, srclang, label: label ?? languageName(srclang) });
}

function missing(asset, session) {
  return element('p.missing', { lang: session.language, dir: 'auto' }, asset.alt ?? say('media.missing'));
}
