// A strip chart of live channels: lanes over one axis of time, which scrolls to the left, or is swept from left to right
// over the old trace.
//
// What is drawn stays drawn. A scrolling chart is a film of two canvases that move with the time, each as wide as the chart;
// every sample is drawn once, on the canvas of its time. What is drawn anew is drawn from the samples in memory. Lanes that
// have no room are scrolled to, and those beyond the edge are not drawn.

import { drawAxes, drawTimes, gutterWidth } from './chart-axes.js';
import { arrangedLanes, gapOf, halfTurnOf, keptChannels } from './chart-channels.js';
import { chartColors } from './chart-colors.js';
import { LaneScales, placement } from './lane-scale.js';
import { drawTrace } from './trace.js';

/** Pixels of the page. Lanes are not lower than `leastLane`, and scroll instead. */
const margins = { right: 14, top: 8, bottom: 24 };
const leastLane = 26;
/** The part of the width ahead of a sweep that is empty. */
export const sweepGap = 0.03;

export class StripChart {
  /** Seconds from the left to the right of a chart that moves. */
  span = 10;
  /** 'scroll' or 'sweep'. */
  movement = 'scroll';
  /** Whether all lanes of the same unit have one scale. */
  hasOneScale = false;
  /** Whether lanes with values above zero have a logarithmic scale, which leaves out the others. */
  isLogarithmic = false;
  /** 'seconds', or 'clock' for the time of day; the origin is the Unix time of second 0. */
  clock = { notation: 'seconds', origin: 0 };
  /** Seconds of the chart's time that pass in a second; Infinity as soon as they come. */
  speed = 1;
  channels = [];
  byIndex = new Map();
  /** All lanes, and those that have room. */
  lanes = [];
  shown = [];
  /** The time range that is shown while it is paused; undefined for a chart that moves. */
  paused = undefined;
  /** How many seconds a chart that moves is behind the newest sample. */
  delay = 0;
  /** Redrawings of everything, frames, and samples that were drawn. */
  counts = { whole: 0, frames: 0, samples: 0 };

  size = { width: 0, height: 0, ratio: 1 };
  /** The time of the clock, and that at the right edge, which is `delay` before it. */
  now = 0;
  edge = 0;

  #pages = [0, 1].map(() => ({ index: undefined, ...layer('page') }));
  #axes = layer('axes');
  /** The canvases that are as large as the node. */
  layers = [this.#axes];
  #scales = new LaneScales();
  #layout = { left: 60, laneHeight: 60, laneGap: 8 };
  #colors;
  #isStale = true;
  #lead;
  #lastEnd = -Infinity;
  #wiped = -Infinity;

  constructor() {
    this.film = document.createElement('div');
    this.film.className = 'film';
    this.film.append(...this.#pages.map(({ canvas }) => canvas));
    this.stage = document.createElement('div');
    this.stage.className = 'stage';
    this.stage.append(this.#axes.canvas, this.film);
    this.rest = document.createElement('div');
    this.node = document.createElement('div');
    this.node.className = 'strip-chart';
    this.node.append(this.stage, this.rest);
    this.node.addEventListener('scroll', () => this.invalidate(), { passive: true });
    this.resized = new ResizeObserver(() => this.invalidate());
    this.resized.observe(this.node);
    this.schemes = [matchMedia('(prefers-color-scheme: dark)'), matchMedia('(prefers-contrast: more)')];
    this.changed = () => {
      this.#colors = undefined;
      this.invalidate();
    };
    for (const scheme of this.schemes) scheme.addEventListener('change', this.changed);
  }

  close() {
    this.resized.disconnect();
    for (const scheme of this.schemes) scheme.removeEventListener('change', this.changed);
  }

  // MARK: Data

  /**
   * Sets the channels: `{ index, name, unit, rate, of, filter, isHidden, range }`; those that were there keep their samples.
   * `index`: the number by which samples name the channel; its place if there is none. `of`: that of the channel that it is
   * filtered from. `range`: fixed limits of its lane. `label`: a shorter name at its lane.
   */
  setChannels(channels) {
    this.channels = keptChannels(channels, this.channels);
    this.byIndex = new Map(this.channels.map(channel => [channel.index, channel]));
    this.arrange();
  }

  /** Puts the channels into lanes: one for each, and filtered ones with what they are filtered from. */
  arrange() {
    this.lanes = arrangedLanes(this.channels, this.lanes);
    this.invalidate();
  }

  /** Adds `count` values at `start` + i × `interval`, or at `start` + `offsets`[i] seconds. */
  add(index, start, interval, offsets, values, count = values.length) {
    const channel = this.byIndex.get(index);
    if (!channel) return;
    const { restarts } = channel.ring;
    channel.ring.add(start, interval, offsets, values, count);
    if (channel.ring.restarts !== restarts) this.begin();
  }

  /** Drops all samples. */
  clear() {
    for (const { ring } of this.channels) ring.clear();
    this.paused = undefined;
    this.delay = 0;
    this.begin();
  }

  /** The samples are other ones: their time begins anew. */
  begin() {
    for (const channel of this.channels) channel.drawn = 0;
    this.#lead = undefined;
    this.#lastEnd = -Infinity;
    this.invalidate();
  }

  /** The time of the newest sample; −Infinity if there is none. */
  get end() { return this.channels.reduce((end, { ring }) => Math.max(end, ring.end), -Infinity); }
  get start() { return this.channels.reduce((start, { ring }) => Math.min(start, ring.start), Infinity); }

  /** The time range that is visible, as `[from, to]`. */
  get visible() {
    if (this.paused) return this.paused;
    const end = Number.isFinite(this.#lastEnd) ? this.edge : this.span;
    return [end - this.span, end];
  }

  /** The next frame draws everything. */
  invalidate() { this.#isStale = true; }

  // MARK: Time

  /** The clock at the right edge: it runs evenly, and never behind the newest sample. */
  #advance(now) {
    const { end } = this;
    if (!Number.isFinite(end)) return;
    const elapsed = Number.isFinite(this.speed) ? now / 1000 * this.speed : 0;
    const lead = end - elapsed;
    const isNews = end !== this.#lastEnd;
    this.#lastEnd = end;
    if (this.#lead === undefined || lead > this.#lead || isNews && this.#lead - lead > 1 || !Number.isFinite(this.speed)) this.#lead = lead;
    // After a second without a sample the clock waits for the next one.
    if (this.#lead - lead > 1) this.now = Math.min(this.now, end + 1);
    else {
      this.#lead -= (this.#lead - lead) * 0.01;
      this.now = Math.max(end, this.#lead + elapsed);
    }
    // What is overwritten cannot be shown.
    if (this.delay > 0) this.delay = clamp(this.delay, 0, Math.max(0, this.now - this.start - this.span));
    this.edge = this.now - this.delay;
  }

  // MARK: Geometry

  /** The area of the lanes, in pixels of the node. */
  get area() {
    const { width, height } = this.size;
    const { left } = this.#layout;
    return { x: left, y: margins.top, width: Math.max(1, width - left - margins.right), height: Math.max(1, height - margins.top - margins.bottom) };
  }

  get colors() { return this.#colors ??= chartColors(this.node); }

  /** The colour of a channel's line, as a property of CSS. */
  colorOf({ color, isBehind }) { return isBehind ? 'var(--chart-faint)' : `var(--series-${color % this.colors.series.length + 1})`; }

  get laneHeight() { return this.#layout.laneHeight; }

  /** The upper edge of the lane `number` of those that have room. */
  laneTop(number) { return Math.round(margins.top + number * (this.#layout.laneHeight + this.#layout.laneGap)); }

  /** The lower edge of the lanes. */
  get lanesBottom() { return this.shown.length === 0 ? margins.top + this.area.height : this.laneTop(this.shown.length - 1) + this.laneHeight; }

  get isSweeping() { return this.movement === 'sweep' && !this.paused; }

  /** Returns the value of each channel of some lanes at a time: `{ lane, channel, time, value }`. */
  valuesAt(time, lanes = this.lanes) {
    const nearby = (this.visible[1] - this.visible[0]) / 200;
    return lanes.flatMap(lane => lane.channels.map(channel => {
      const { ring } = channel;
      const index = ring.nearest(time);
      const isNear = index >= 0 && Math.abs(ring.time(index) - time) <= Math.max(gapOf(channel), nearby);
      return { lane, channel, time: isNear ? ring.time(index) : undefined, value: isNear ? ring.value(index) : undefined };
    }));
  }

  // MARK: Drawing

  /** Draws what is new, at a time of `performance.now()`. */
  frame(now) {
    if (!this.#fit()) return;
    this.#advance(now);
    if (this.#isStale) this.#arrangeLanes();
    const isRescaled = (!this.paused || this.#isStale) && this.#scales.update(this.shown, this.visible, {
      now, isForced: this.#isStale, hasOneScale: this.hasOneScale, isLogarithmic: this.isLogarithmic,
    });
    if (this.#isStale || isRescaled) this.#drawAll();
    else if (!this.paused) this.#drawNew();
    if (!this.paused && this.movement === 'scroll') this.#moveFilm();
    this.counts.frames += 1;
  }

  #fit() {
    const [width, height, ratio] = [this.node.clientWidth, this.node.clientHeight, Math.min(devicePixelRatio, 2)];
    if (width < 120 || height < 60) return false;
    const size = this.size;
    if (size.width === width && size.height === height && size.ratio === ratio) return true;
    this.size = { width, height, ratio };
    this.stage.style.height = `${height}px`;
    for (const { canvas, context } of this.layers) resize(canvas, context, width, height, ratio);
    this.invalidate();
    return true;
  }

  /** Finds the lanes that have room, and how high they are. */
  #arrangeLanes() {
    const { width, height, ratio } = this.size;
    const room = height - margins.top - margins.bottom;
    const count = Math.max(this.lanes.length, 1);
    const laneGap = room / count > 56 ? 8 : 4;
    const fitting = clamp(Math.floor((room + laneGap) / (leastLane + laneGap)), 1, count);
    const laneHeight = Math.max(8, (room - laneGap * (fitting - 1)) / fitting);
    const left = gutterWidth(this.#axes.context, this.lanes, width);
    const hasMoved = left !== this.#layout.left || this.film.clientWidth === 0;
    this.#layout = { left, laneHeight, laneGap };
    const rest = Math.round((count - fitting) * (laneHeight + laneGap));
    if (this.rest.offsetHeight !== rest) this.rest.style.height = `${rest}px`;
    const first = clamp(Math.round(this.node.scrollTop / (laneHeight + laneGap)), 0, count - fitting);
    this.shown = this.lanes.slice(first, first + fitting);
    const { x, width: filmWidth } = this.area;
    if (!hasMoved && this.#pages[0].size === `${filmWidth} ${height} ${ratio}`) return;
    Object.assign(this.film.style, { left: `${x}px`, width: `${filmWidth}px`, height: `${height}px` });
    for (const page of this.#pages) {
      resize(page.canvas, page.context, filmWidth, height, ratio);
      page.size = `${filmWidth} ${height} ${ratio}`;
    }
  }

  #drawAll() {
    this.#isStale = false;
    this.counts.whole += 1;
    drawAxes(this.#axes.context, this, this.colors);
    const { area } = this;
    const [from, to] = this.visible;
    for (const page of this.#pages) {
      page.index = undefined;
      page.context.clearRect(0, 0, area.width, this.size.height);
      page.canvas.style.transform = '';
    }
    this.#pages[1].canvas.hidden = !!this.paused || this.movement === 'sweep';
    const [{ context }] = this.#pages;
    const scale = area.width / (to - from);
    if (this.paused) {
      drawTimes(context, this, this.colors, from, to, to - from);
      this.#drawTraces(context, from, to, { origin: from, scale });
    } else if (this.movement === 'sweep') {
      const page = Math.floor(this.edge / this.span);
      this.#drawTraces(context, from + this.span * sweepGap, page * this.span, { origin: (page - 1) * this.span, scale });
      this.#drawTraces(context, page * this.span, to, { origin: page * this.span, scale });
      this.#wiped = this.edge + this.span * sweepGap;
    } else {
      for (const index of [0, 1].map(next => Math.floor(from / this.span) + next)) this.#drawPage(index);
    }
    for (const channel of this.channels) channel.drawn = this.isSweeping ? this.#due(channel) : channel.ring.total;
  }

  /** The number of samples until the right edge: a sweep that is delayed does not draw what is beyond. */
  #due({ ring }) { return this.delay > 0 ? ring.indexAt(this.edge) : ring.total; }

  /** Draws the page of the film that begins at `index` × span, unless it is there. */
  #drawPage(index) {
    const page = this.#pages[index & 1];
    if (page.index === index) return page;
    const isUsed = page.index !== undefined;
    page.index = index;
    const { context } = page;
    const { width } = this.area;
    if (isUsed) {
      context.clearRect(0, 0, width, this.size.height);
      // Minutes and hours come into the times.
      drawAxes(this.#axes.context, this, this.colors);
    }
    const start = index * this.span;
    drawTimes(context, this, this.colors, start, start + this.span, this.span);
    this.#drawTraces(context, start, start + this.span, { origin: start, scale: width / this.span });
    return page;
  }

  #moveFilm() {
    const [from] = this.visible;
    const first = Math.floor(from / this.span);
    const { width } = this.area;
    const { ratio } = this.size;
    for (const index of [first, first + 1]) {
      const { canvas } = this.#drawPage(index);
      const x = Math.round((index * this.span - from) / this.span * width * ratio) / ratio;
      canvas.style.transform = `translateX(${x}px)`;
    }
  }

  /** Draws the samples since the last frame. */
  #drawNew() {
    const scale = this.area.width / this.span;
    const [from] = this.visible;
    const isSweep = this.movement === 'sweep';
    const first = Math.floor((isSweep ? this.edge : from) / this.span);
    if (isSweep) this.#wipe(scale);
    else for (const index of [first, first + 1]) this.#drawPage(index);
    this.shown.forEach((lane, number) => {
      for (const channel of lane.channels) {
        const { ring } = channel;
        const due = isSweep ? this.#due(channel) : ring.total;
        const begin = Math.max(channel.drawn, ring.first);
        if (begin >= due) continue;
        this.counts.samples += due - begin;
        // From the last sample that is drawn, so that the line is continuous; before a gap, from the one before that.
        let last = Math.max(begin - 1, ring.first);
        for (let steps = 0; last > ring.first && steps < 1000 && Number.isNaN(ring.value(last)); steps += 1) last -= 1;
        const [start, end] = [ring.time(last), ring.time(due - 1)];
        for (const index of isSweep ? [first - 1, first] : [first, first + 1]) {
          if (end < index * this.span || start > (index + 1) * this.span) continue;
          const { context } = this.#pages[isSweep ? 0 : index & 1];
          this.#trace(context, lane, number, channel, last, due, { origin: index * this.span, scale });
        }
      }
    });
    for (const channel of this.channels) channel.drawn = isSweep ? this.#due(channel) : channel.ring.total;
  }

  /** Clears what is ahead of the sweep. */
  #wipe(scale) {
    const { context } = this.#pages[0];
    const from = Math.max(this.#wiped, this.edge - this.span * 0.5);
    const to = this.edge + this.span * sweepGap;
    for (const page of new Set([Math.floor(from / this.span), Math.floor(to / this.span)])) {
      const [left, right] = [Math.max(from, page * this.span), Math.min(to, (page + 1) * this.span)];
      if (right > left) context.clearRect(Math.floor((left - page * this.span) * scale), 0, Math.ceil((right - left) * scale) + 1, this.size.height);
    }
    this.#wiped = Math.max(this.#wiped, to);
  }

  #drawTraces(context, from, to, time) {
    if (!(to > from)) return;
    this.shown.forEach((lane, number) => {
      for (const channel of lane.channels) {
        const { ring } = channel;
        const [begin, end] = [Math.max(ring.indexAt(from) - 1, ring.first), Math.min(ring.indexAt(to) + 1, ring.total)];
        if (begin < end) this.#trace(context, lane, number, channel, begin, end, time);
      }
    });
  }

  #trace(context, lane, number, channel, begin, end, time) {
    drawTrace(context, channel.ring, begin, end, {
      time, value: { ...placement(lane), top: this.laneTop(number), height: this.laneHeight, halfTurn: halfTurnOf(channel) }, gap: gapOf(channel),
      column: 1 / this.size.ratio, limit: this.area.width,
      style: { color: this.colors.line(channel), width: channel.isFiltered ? 1.75 : 1.5, gapColor: this.colors.gap },
    });
  }
}

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

export function layer(name) {
  const canvas = document.createElement('canvas');
  canvas.className = name;
  canvas.setAttribute('aria-hidden', 'true');
  return { canvas, context: canvas.getContext('2d') };
}

function resize(canvas, context, width, height, ratio) {
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
}
