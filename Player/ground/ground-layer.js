// The base map below a map's marks. A worker draws it; this shows its last picture as the map's camera sees it now, until the next one is
// there. So the ground follows each turn at once, however long a drawing takes.

import { element } from '../components/element.js';
import { coverOf, margin } from './cover.js';

export { Recorder } from './recorder.js';

/** Pixels of a picture for one of the page: a higher resolution would cost more time without a visible difference. */
const finest = 2;

/** Milliseconds until a tile is asked for again that could not be loaded. */
const patience = 5000;

/** Milliseconds for which the first picture waits for its last tiles. */
const haste = 150;

let worker;
let count = 0;

/** The open layers by their numbers. */
const layers = new Map();

/** What the worker has of each ground: 'loading' or 'there' by the tiles' keys. */
const states = new Map();

/** Starts the worker once, and sends it the table of styles. */
async function startWorker() {
  if (worker) return;
  worker = new Worker(new URL('./ground-worker.js', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }) => answers[data.type](data));
  worker.addEventListener('error', () => giveUp('the worker has ended'));
  try {
    const table = await (await fetch(new URL('./style.json', import.meta.url))).json();
    worker.postMessage({ type: 'style', table });
    worker.isReady = true;
    layers.forEach(layer => layer.refresh());
  } catch (error) {
    giveUp(error);
  }
}

/** Ends the worker; another view may have more luck. */
function giveUp(reason) {
  worker?.terminate();
  worker = undefined;
  states.clear();
  layers.forEach(layer => layer.fail(reason));
}

const answers = {
  picture(data) {
    const layer = layers.get(data.view);
    if (layer) layer.took(data);
    else data.bitmap.close();
  },
  ready({ key }) {
    states.set(key, 'there');
    layers.forEach(layer => layer.refresh());
  },
  dropped({ keys }) { for (const key of keys) states.delete(key); },
  failed({ view, key, reason }) {
    if (key !== undefined) states.set(key, 'there');
    layers.get(view)?.fail(reason);
  },
};

/** A row of a matrix times a matrix of three columns. */
const product = (a, b) => a.map(row => [0, 1, 2].map(column => row[0] * b[0][column] + row[1] * b[1][column] + row[2] * b[2][column]));

/** The matrix from metres east and north of a projection's centre to its pixels, in homogeneous coordinates. */
function matrixOf({ sine, cosine, level, down, lens, reach, x, y }) {
  const depth = [sine * level, cosine * level, reach];
  return [
    [x * depth[0] + cosine * lens, x * depth[1] - sine * lens, x * depth[2]],
    [y * depth[0] - sine * down * lens, y * depth[1] - cosine * down * lens, y * depth[2]],
    depth,
  ];
}

function inverse([[a, b, c], [d, e, f], [g, h, i]]) {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  return [
    [e * i - f * h, c * h - b * i, b * f - c * e], [f * g - d * i, a * i - c * g, c * d - a * f], [d * h - e * g, b * g - a * h, a * e - b * d],
  ].map(row => row.map(value => value / determinant));
}

/** The CSS transform of a picture that one projection has made, with its margin, as another one sees it. */
export function transformBetween(drawn, now) {
  const [east, north] = now.metres(drawn.centre);
  const moved = [[now.east / drawn.east, 0, east], [0, 1, north], [0, 0, 1]];
  const whole = product(product(matrixOf(now), moved), product(inverse(matrixOf(drawn)), [[1, 0, -margin], [0, 1, -margin], [0, 0, 1]]));
  const [[a, b, c], [d, e, f], [g, h, i]] = whole.map(row => row.map(value => value / whole[2][2]));
  return `matrix3d(${[a, d, 0, g, b, e, 0, h, 0, 0, 1, 0, c, f, 0, i].join()})`;
}

/** The part of a projection that makes it again. */
const cameraOf = ({ centre: { latitude, longitude }, heading, pitch, scale, x, y, lens }) =>
  ({ centre: { latitude, longitude }, heading, pitch, scale, x, y, lens });

/**
 * The ground of a view. Events: `shown` when there is a picture for the first time, or no longer, and `idle` when the last picture is not of
 * where the map is by now. `names` are those of the last picture, with their boxes on the page.
 */
export class GroundLayer extends EventTarget {
  names = [];
  isShown = false;
  /** Whether a picture is being drawn: until it is there, the last one only follows. */
  isBusy = false;
  /** What the last picture shows: `{projection, width, height}`. */
  drawn = undefined;
  #number = ++count;
  #wanted;
  /** Where the map is by now, and whether that is not what was asked for last. */
  #now;
  #isBehind = false;
  #hasAll = false;
  #key;
  #marks;
  /** What the worker draws. */
  #asked;
  /** The tiles that are there, and a number that each change of them raises. */
  #there = '';
  #version = 0;
  #mayBegin = false;
  #timer;
  /** Whether it asks for no more pictures. */
  #isClosed = false;

  /**
   * `source.load(zoom, column, row)` resolves to the bytes of a tile, also in gzip, or to null where there is none, and rejects if it could
   * not be loaded; `source.id` is the same for the same tiles. `zooms` are `{minZoom, maxZoom}`; places have their names in one of
   * `languages`, if the tiles have those.
   */
  constructor(source, zooms, languages) {
    super();
    Object.assign(this, { source, zooms, languages });
    this.canvas = element('canvas', { 'aria-hidden': 'true' });
    this.context = this.canvas.getContext('bitmaprenderer');
    this.node = element('div.ground-layer', {}, this.canvas);
    this.canvas.ground = this;
    layers.set(this.#number, this);
    startWorker();
  }

  /** Whether the last picture has all tiles, and shows what is to be shown. */
  get isWhole() { return this.#hasAll && !this.#isBehind && !this.isBusy; }

  /** Moves the last picture to what a projection sees, until `show` draws it. */
  follow(projection) {
    this.#now = projection;
    this.#isBehind = projection !== this.#wanted?.projection;
    if (this.drawn) this.canvas.style.setProperty('transform', transformBetween(this.drawn.projection, projection));
  }

  /**
   * Shows what a projection sees in `width` × `height` pixels, with marks above it, the commands of a `Recorder`. Names are outside of
   * `obstacles`, `[left, top, right, bottom]` in pixels.
   */
  show(projection, { width, height, obstacles, marks }) {
    this.#wanted = { projection, width, height, obstacles, marks };
    this.follow(projection);
    this.refresh();
  }

  /** Asks for a picture if the last one is not what is to be shown. */
  refresh() {
    if (!this.#wanted || this.#isClosed || this.isBusy) return;
    const { projection, width, height, obstacles, marks } = this.#wanted;
    // A view that is not laid out has no size.
    if (!(width > 0 && height > 0)) return;
    this.#load(coverOf({
      ...cameraOf(projection), level: projection.level, down: projection.down, x: projection.x + margin, y: projection.y + margin,
    }, width + 2 * margin, height + 2 * margin, this.zooms));
    if (!worker?.isReady || !this.drawn && !this.#mayBegin) return;
    const task = {
      ground: this.source.id, zooms: this.zooms, camera: cameraOf(projection), width, height, ratio: Math.min(devicePixelRatio, finest),
      obstacles, ...lookOf(),
    };
    const key = `${this.#version} ${JSON.stringify(task)}`;
    if (key === this.#key && isSame(marks, this.#marks)) return;
    this.#key = key;
    this.#marks = marks;
    this.isBusy = true;
    this.#asked = { projection, width, height };
    worker.postMessage({ type: 'draw', view: this.#number, marks, ...task });
  }

  /** Loads tiles that the worker does not have, those of the middle first. */
  #load(cover) {
    const keys = new Set();
    for (const { plane, zoom, tiles } of cover) {
      const [across, down] = plane.offset(zoom, 0, 0);
      const distance = ([column, row]) => Math.hypot(column + 0.5 - across, row + 0.5 - down);
      for (const [column, row] of [...tiles].sort((a, b) => distance(a) - distance(b))) {
        const key = `${this.source.id}/${zoom}/${column}/${row}`;
        keys.add(key);
        if (!states.has(key)) this.#ask(key, zoom, column, row);
      }
    }
    const there = [...keys].filter(key => states.get(key) === 'there').sort();
    if (there.join() !== this.#there) this.#version += 1;
    this.#there = there.join();
    if (there.length === keys.size) this.#mayBegin = true;
    else if (there.length > 0) this.#beginSoon();
  }

  /** The first picture has all tiles, unless some take long: it would only flash. */
  #beginSoon() {
    this.#timer ??= setTimeout(() => {
      this.#mayBegin = true;
      this.refresh();
    }, haste);
  }

  async #ask(key, zoom, column, row) {
    states.set(key, 'loading');
    try {
      const buffer = await this.source.load(zoom, column, row);
      worker?.postMessage({ type: 'tile', key, buffer, languages: this.languages }, buffer ? [buffer] : []);
    } catch {
      setTimeout(() => {
        states.delete(key);
        layers.forEach(layer => layer.refresh());
      }, patience);
    }
  }

  /** Takes the picture of a worker. */
  took({ bitmap, names, isWhole }) {
    this.drawn = this.#asked;
    const { width, height } = this.drawn;
    this.canvas.style.setProperty('inline-size', `${width + 2 * margin}px`);
    this.canvas.style.setProperty('block-size', `${height + 2 * margin}px`);
    this.context.transferFromImageBitmap(bitmap);
    this.names = names;
    this.follow(this.#now);
    this.#hasAll = isWhole;
    // What follows is work for the next frame.
    requestAnimationFrame(() => this.#goOn());
    if (isWhole && performance.getEntriesByName('wayreel-ground').length === 0) performance.mark('wayreel-ground');
    if (!this.isShown) this.#turnOn(true);
  }

  #goOn() {
    this.isBusy = false;
    if (this.#isBehind) this.dispatchEvent(new Event('idle'));
    else this.refresh();
  }

  #turnOn(isShown) {
    this.isShown = isShown;
    this.node.hidden = !isShown;
    this.dispatchEvent(new Event('shown'));
  }

  /** Leaves the map without a ground. */
  fail(reason) {
    console.warn('The ground of the map cannot be drawn.', reason);
    this.#isClosed = true;
    this.isBusy = false;
    if (this.isShown) this.#turnOn(false);
  }

  close() {
    clearTimeout(this.#timer);
    this.#wanted = undefined;
    this.#isClosed = true;
    layers.delete(this.#number);
    worker?.postMessage({ type: 'close', view: this.#number });
    this.node.remove();
  }
}

/** Whether two drawings have the same values; those of paths and gradients are not looked into. */
const isSame = (a, b) => a.length === b.length && a.every((value, index) => typeof value === 'object' || value === b[index]);

/** The page's scheme, and the colour of the house whose story it is. */
function lookOf() {
  const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const root = document.documentElement;
  const color = root.style.getPropertyValue(`--${scheme}-color`).trim();
  return { scheme, house: /^#[0-9a-f]{6}$/.test(color) ? color : undefined };
}
