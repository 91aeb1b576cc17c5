// The player's symbols on a grid of 24 × 24. Events have the same symbols as in `wayreel map`.

import { shape } from './element.js';

const strokes = {
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  journal: 'M6 4h10a2 2 0 0 1 2 2v14H8a2 2 0 0 1-2-2zM6 17a2 2 0 0 1 2-2h10M10 8h4',
  tilt: 'M8 6h8l4 12H4zM6 12h12',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  north: 'M12 3l5 16-5-4-5 4z',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 15v2',
  open: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 6.6-1.6M12 15v2',
  check: 'M5 12.5l4.5 4.5L19 7',
  cross: 'M6 6l12 12M18 6L6 18',
  walk: 'M13 4.5a1 1 0 1 0 .1 0M8 21l3-6 3 2v4M11 15l1-6-4 2-1 3M12 9l3 3 3 .5',
  clock: 'M12 4a8 8 0 1 0 .1 0M12 8v4.5l3 2',
  share: 'M12 15V4M8 7.5L12 3.5l4 4M6 12v8h12v-8',
  bin: 'M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13M10.5 11v5.5M13.5 11v5.5',
  flag: 'M6 21V4M6 5h12l-3 4 3 4H6',
  hint: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9V15h7v-1.1A6 6 0 0 0 12 3z',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  device: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2',
  person: 'M12 4a4 4 0 1 0 .1 0M4.5 20c.8-4 3.8-6 7.5-6s6.7 2 7.5 6',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.5M4 12h.5M4 18h.5',
  steps: 'M4 18h5v-4h5v-4h5V6',
  map: 'M4 6l5-2 6 2 5-2v14l-5 2-6-2-5 2zM9 4v14M15 6v14',
  back10: 'M11 7H7V3M7.5 7a8 8 0 1 1-3 7',
  forward10: 'M13 7h4V3M16.5 7a8 8 0 1 0 3 7',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.5a2.5 2.5 0 1 0 .1 0',
  search: 'M10.5 4a6.5 6.5 0 1 0 .1 0M15.3 15.3l5.2 5.2',
  collection: 'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z',
  heart: 'M12 20.2C7 16.6 3.5 13.3 3.5 9.3A4.6 4.6 0 0 1 12 7a4.6 4.6 0 0 1 8.5 2.3c0 4-3.5 7.3-8.5 10.9z',
  news: 'M4 5h12v12.5a2 2 0 0 0 4 0V9h-4M4 5v12.5a2 2 0 0 0 2 2h12M7.5 9h5M7.5 12.5h5M7.5 16h3',
  info: 'M12 3.5a8.5 8.5 0 1 0 .1 0M12 11v5.5M12 7.4v.2',
  place: 'M12 21c4-4.3 6.5-8 6.5-11.3a6.5 6.5 0 0 0-13 0C5.5 13 8 16.7 12 21zM12 7.3a2.5 2.5 0 1 0 .1 0',
  outside: 'M13.5 4H20v6.5M20 4l-9 9M17 14v6H4V7h6',
  enlarge: 'M14 4h6v6M10 20H4v-6M20 4l-6.5 6.5M4 20l6.5-6.5',
  sound: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15 9a4.2 4.2 0 0 1 0 6M17.5 6.5a7.8 7.8 0 0 1 0 11',
  vibration: 'M8.5 5h7v14h-7zM5 8.5v7M2 10.5v3M19 8.5v7M22 10.5v3',
  captions: 'M3 5.5h18v13H3zM10.5 10.5a2 2 0 1 0 0 3M17 10.5a2 2 0 1 0 0 3',
  language: 'M12 3a9 9 0 1 0 .1 0M3 12h18M12 3c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9S9 6 12 3z',
}

const fills = {
  play: 'M7 4.5v15l13-7.5z',
  pause: 'M6 4.5h4.5v15H6zM13.5 4.5H18v15h-4.5z',
  camera: 'M9.5 5.5h5l1.2 2H18a1.8 1.8 0 0 1 1.8 1.8v7.4A1.8 1.8 0 0 1 18 18.5H6a1.8 1.8 0 0 1-1.8-1.8V9.3A1.8 1.8 0 0 1 6 7.5h2.3zM12 9.3a3.5 3.5 0 1 0 .01 0zM12 11a1.8 1.8 0 1 1-.01 0z',
  radio: 'M7 15a2 2 0 1 0 .01 0zM5.8 8.7v2.5a6 6 0 0 1 7 7h2.5a8.5 8.5 0 0 0-9.5-9.5zM5.8 4v2.5c6.5 0 11.7 5.2 11.7 11.7H20C20 10.3 13.7 4 5.8 4z',
  scrapbook: 'M7.5 4.5h9A1.5 1.5 0 0 1 18 6v12a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 6 18V6a1.5 1.5 0 0 1 1.5-1.5zM8.5 8v1.6h7V8zm0 3.2v1.6h7v-1.6zm0 3.2V16h4.2v-1.6z',
  goggles: 'M7.3 8.5a4.2 4.2 0 0 1 4 2.9h1.4a4.2 4.2 0 1 1 0 2.6h-1.4a4.2 4.2 0 1 1-4-5.5zm0 2.3a1.9 1.9 0 1 0 .01 0zm9.4 0a1.9 1.9 0 1 0 .01 0z',
  quiz: 'M12 4.2c3 0 5 1.9 5 4.5 0 2-1 3.1-2.4 4-1 .7-1.4 1.1-1.4 2.1v.5h-2.6v-.7c0-1.9.8-2.9 2.3-3.9 1-.7 1.5-1.1 1.5-1.9 0-1.2-.9-2-2.4-2s-2.5.9-2.6 2.4H6.7c.1-3 2.2-5 5.3-5zM12 17a1.6 1.6 0 1 1-.01 0z',
  exhibit: 'M12 3.9a4.2 4.2 0 1 0 .01 0zM9.2 13.6h5.6v2.6H9.2zM7.3 16.6h9.4a.8.8 0 0 1 .8.8v1.5a.8.8 0 0 1-.8.8H7.3a.8.8 0 0 1-.8-.8v-1.5a.8.8 0 0 1 .8-.8z',
  diamond: 'M12 2.5L21.5 12 12 21.5 2.5 12z',
  arrow: 'M12 3l7 17-7-4-7 4z',
};

/** The symbols that are mirrored if text runs from right to left. */
const flipping = ['back', 'forward', 'list', 'steps', 'journal'];

/** Returns a decorative symbol, whose meaning is in its button's label or in text beside it. */
export function icon(name) {
  const isFilled = name in fills;
  const flips = flipping.includes(name);
  const attributes = { viewBox: '0 0 24 24', class: isFilled ? 'icon filled' : 'icon', 'data-flips': flips, 'aria-hidden': 'true' };
  return shape('svg', attributes,
    shape('path', { d: fills[name] ?? strokes[name], 'fill-rule': isFilled ? 'evenodd' : null }));
}

/** Returns the path of a symbol of lines for a canvas. */
export function lineSymbol(name) {
  return path(strokes[name]);
}

/** Returns the path of an event's symbol for a canvas. */
export function eventSymbol(kind) {
  return path(fills[kind] ?? fills.diamond);
}

/** A path that says what it is made of. */
const path = text => Object.assign(new Path2D(text), { text });
