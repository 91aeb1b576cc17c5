// Text, images and video, in the author's order.

import { authored, element } from '../components/element.js';
import { goOn } from '../components/listening.js';
import { picture } from '../components/picture.js';
import { languageName, say } from '../components/words.js';

/** Where videos were when the reader changed the language, by their place: `{seconds, length, isPlaying}`. */
const left = new Map();

export function show(content, event, session) {
  const { language } = session;
  const items = content.items.map(item => ({ text, image, video })[item.type](item, session));
  const videos = items.map((item, index) => [`${event.id} ${content === event.content} ${index}`, item.querySelector('video')]).filter(([, video]) => video);
  return {
    node: element('div.scrapbook', {}, items),
    opened() {
      for (const [place, video] of videos) {
        if (left.has(place)) follow(video, left.get(place));
        left.delete(place);
      }
    },
    close() {
      for (const [place, video] of videos) {
        const { currentTime: seconds, duration: length, paused } = video;
        if (session.language !== language && seconds > 0) left.set(place, { seconds, length, isPlaying: !paused });
        video.pause();
      }
    },
  };
}

/** Goes on with a video in another language. */
function follow(video, { seconds, length, isPlaying }) {
  video.preload = 'metadata';
  goOn(video, seconds, length);
  // A browser that wants a tap first leaves it paused.
  if (isPlaying) video.play().catch(() => {});
}

function text(item, session) {
  return authored(item.text, session.own(item, 'text'));
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
    lang: asset.alt ? session.own(asset, 'alt').lang : null,
  }, found.sources.map(({ url, type }) => element('source', { src: url, type })),
  (asset.captions ?? []).map(captions => track(captions, session)));
  return element('figure', {}, player, asset.alt && element('figcaption', session.own(asset, 'alt'), asset.alt));
}

function track({ source, language, label }, session) {
  const src = session.media.captions(source);
  const srclang = language ?? session.language;
  return src && element('track', { kind: 'captions', src, srclang, label: label ?? languageName(srclang) });
}

function missing(asset, session) {
  return asset.alt ? element('p.missing', session.own(asset, 'alt'), asset.alt) : element('p.missing', {}, say('media.missing'));
}
