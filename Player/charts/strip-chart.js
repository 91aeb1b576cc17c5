// A strip chart of live channels: lanes over one axis of time, which scrolls to the left, or is swept from left to right
// over the old trace.
//
// What is drawn stays drawn. A scrolling chart is a film of two canvases that move with the time, each as wide as the chart;
// every sample is drawn once, on the canvas of its time. What is drawn anew is drawn from the samples in memory, by the
// first, lowest, highest and last of each column of pixels, so that no peak is lost.

import { clockText, secondsText, tickText, ticks, widened } from './ticks.js';
import { SignalRing } from './signal-ring.js';

/** The width of the labels of values, and the height of those of times, in pixels of the page. */
const margins = { left: 62, right: 12, top: 6, bottom: 22 };
const laneGap = 8;
/** The time between two redrawings for a new range of values, and after which a range that is too wide is made narrower, in ms. */
const rescaleTime = { wider: 200, narrower: 3000 };
/** Samples of all channels in memory: 12 bytes each. */
const memorySamples = 6_000_000;
const fewestSamples = 1 << 14;
const mostSamples = 1 << 20;

export class StripChart {
  /** Seconds from the left to the right. */
  span = 10;
  /** 'scroll' or 'sweep'. */
  movement = 'scroll';
  /** Whether all lanes of the same unit have one scale. */
  hasOneScale = false;
  /** 'seconds', or 'clock' for the time of day; the origin is the Unix time of second 0. */
  clock = { notation: 'seconds', origin: 0 };
  channels = [];
  lanes = [];
  marks = [];
  /** The time range that is shown while it is paused; undefined for a live chart. */
  paused = undefined;
  /** The time under the cursor; undefined for none. */
  cursor = undefined;
  /** Redrawings of everything, and frames in which something was drawn. */
  counts = { whole: 0, frames: 0, samples: 0 };

  #pages = [0, 1].map(() => ({ index: undefined, ...layer('page') }));
  #grid = layer('grid');
  #overlay = layer('overlay');
  #size = { width: 0, height: 0, ratio: 1 };
  #colors;
  #isStale = true;
  #lead;
  #rescaled = 0;
  #checked = 0;

  constructor() {
    this.film = document.createElement('div');
    this.film.className = 'film';
    this.film.append(...this.#pages.map(({ canvas }) => canvas));
    this.node = document.createElement('div');
    this.node.className = 'strip-chart';
    this.node.append(this.#grid.canvas, this.film, this.#overlay.canvas);
    this.resized = new ResizeObserver(() => this.invalidate());
    this.resized.observe(this.node);
    this.scheme = matchMedia('(prefers-color-scheme: dark)');
    this.changed = () => {
      this.#colors = undefined;
      this.invalidate();
    };
    this.scheme.addEventListener('change', this.changed);
  }

  close() {
    this.resized.disconnect();
    this.scheme.removeEventListener('change', this.changed);
  }

  // MARK: Data

  /** Sets the channels: `{ name, unit, rate, of, isHidden }`; those that were there keep their samples. `of`: the index of the channel that it is filtered from. */
  setChannels(channels) {
    const known = new Map(this.channels.map(channel => [channel.key, channel]));
    const capacity = Math.min(mostSamples, Math.max(fewestSamples, memorySamples / Math.max(channels.length, 1)));
    this.channels = channels.map((channel, index) => {
      const key = `${channel.name} ${channel.filter ?? ''}`;
      return {
        ...channel, key, index, ring: known.get(key)?.ring ?? new SignalRing(capacity), drawn: 0, color: 0,
        isHidden: channel.isHidden ?? known.get(key)?.isHidden ?? false,
      };
    });
    this.arrange();
  }

  /** Puts the channels into lanes: one for each, and filtered ones with what they are filtered from. */
  arrange() {
    const ranges = new Map(this.lanes.map(lane => [lane.name, lane.range]));
    this.lanes = [];
    const shown = this.channels.filter(channel => !channel.isHidden);
    for (const channel of shown.filter(({ of }) => of === undefined || of === null)) {
      const others = shown.filter(({ of }) => of === channel.index);
      this.lanes.push({
        name: channel.name, unit: channel.unit ?? '', channels: [channel, ...others], range: ranges.get(channel.name), fixed: channel.range,
      });
    }
    for (const [number, lane] of this.lanes.entries()) {
      for (const channel of lane.channels) channel.color = number;
    }
    this.invalidate();
  }

  /** Adds `count` values at `start` + i × `interval`, or at `start` + `offsets`[i] seconds. */
  add(index, start, interval, offsets, values, count = values.length) {
    this.channels[index]?.ring.add(start, interval, offsets, values, count);
  }

  clear() {
    for (const channel of this.channels) {
      channel.ring.clear();
      channel.drawn = 0;
    }
    this.#lead = undefined;
    this.invalidate();
  }

  /** The time of the newest sample; −Infinity if there is none. */
  get end() { return this.channels.reduce((end, { ring }) => Math.max(end, ring.end), -Infinity); }
  get start() { return this.channels.reduce((start, { ring }) => Math.min(start, ring.start), Infinity); }

  /** The time range that is visible, as `[from, to]`. */
  get visible() {
    if (this.paused) return this.paused;
    const end = Number.isFinite(this.end) ? this.#edge : this.span;
    return [end - this.span, end];
  }

  #edge = 0;

  /** The next frame draws everything. */
  invalidate() { this.#isStale = true; }

  // MARK: Time

  /** Stops the chart; samples are still added. */
  pause() {
    if (this.paused) return;
    this.paused = this.visible;
    this.invalidate();
  }

  /** Shows what is new. */
  resume() {
    if (this.paused) this.span = Math.min(Math.max(this.paused[1] - this.paused[0], 0.1), 3600);
    this.paused = undefined;
    this.#lead = undefined;
    this.invalidate();
  }

  /** Moves a paused chart by seconds. */
  pan(seconds) {
    this.pause();
    const [from, to] = this.paused;
    const limited = Math.min(Math.max(seconds, this.start - to + (to - from) / 2), this.end - from - (to - from) / 2);
    if (!Number.isFinite(limited)) return;
    this.paused = [from + limited, to + limited];
    this.invalidate();
  }

  /** Shows `factor` × as much time, around `share` of the width, 0 to 1. A live chart stays live. */
  zoom(factor, share = 0.5) {
    const [from, to] = this.visible;
    const span = Math.min(Math.max((to - from) * factor, 0.05), 86400);
    if (!this.paused) this.span = span;
    else {
      const fixed = from + (to - from) * share;
      this.paused = [fixed - span * share, fixed + span * (1 - share)];
    }
    this.invalidate();
  }

  /** The area of the lanes, in pixels of the node. */
  get area() {
    const { width, height } = this.#size;
    return {
      x: margins.left, y: margins.top, width: Math.max(1, width - margins.left - margins.right),
      height: Math.max(1, height - margins.top - margins.bottom),
    };
  }

  /** Returns the time at a horizontal position of the node. */
  timeAt(x) {
    const [from, to] = this.visible;
    const share = (x - this.area.x) / this.area.width;
    if (!this.paused && this.movement === 'sweep') {
      const page = Math.floor(this.#edge / this.span);
      const time = (page + share) * this.span;
      return time > this.#edge ? time - this.span : time;
    }
    return from + (to - from) * share;
  }

  /** Returns the horizontal position of a time in the node. */
  xOf(time) {
    const { x, width } = this.area;
    if (!this.paused && this.movement === 'sweep') return x + (time / this.span - Math.floor(time / this.span)) * width;
    const [from, to] = this.visible;
    return x + (time - from) / (to - from) * width;
  }

  /** Returns the value of each visible channel at a time: `{ channel, time, value }`. */
  valuesAt(time) {
    return this.lanes.flatMap(lane => lane.channels).map(channel => {
      const index = channel.ring.nearest(time);
      const isNear = index >= 0 && Math.abs(channel.ring.time(index) - time) <= Math.max(this.#gap(channel), (this.visible[1] - this.visible[0]) / 200);
      return { channel, time: isNear ? channel.ring.time(index) : undefined, value: isNear ? channel.ring.value(index) : undefined };
    });
  }

  // MARK: Drawing

  /** Draws what is new, at a time of `performance.now()`. Returns whether anything was drawn. */
  frame(now) {
    if (!this.#fit()) return false;
    this.#colors ??= colors(this.node);
    if (!this.paused) this.#advance(now);
    const isRescaled = this.#rescale(now);
    const hadNews = !this.paused && this.channels.some(({ ring, drawn }) => ring.total > drawn);
    if (this.#isStale || isRescaled) this.#drawAll();
    else if (!this.paused) this.#drawNew();
    if (!this.paused && this.movement === 'scroll') this.#moveFilm();
    this.#drawOverlay();
    this.counts.frames += 1;
    return hadNews;
  }

  /** The time at the right: a clock that runs evenly, and never behind the newest sample. */
  #advance(now) {
    const end = this.end;
    if (!Number.isFinite(end)) return;
    const lead = end - now / 1000;
    // After a second without a sample the clock waits for the next one.
    if (this.#lead === undefined || lead > this.#lead || this.#lead - lead > 1) this.#lead = lead;
    else this.#lead -= (this.#lead - lead) * 0.01;
    this.#edge = Math.max(end, this.#lead + now / 1000);
    if (end < this.#edge - 1) this.#edge = end;
  }

  #fit() {
    const [width, height, ratio] = [this.node.clientWidth, this.node.clientHeight, Math.min(devicePixelRatio, 2)];
    if (width <= margins.left + margins.right || height <= margins.top + margins.bottom) return false;
    const size = this.#size;
    if (size.width === width && size.height === height && size.ratio === ratio) return true;
    this.#size = { width, height, ratio };
    const { x, width: w } = this.area;
    Object.assign(this.film.style, { left: `${x}px`, width: `${w}px`, height: `${height}px` });
    for (const { canvas, context } of this.#pages) resize(canvas, context, w, height, ratio);
    for (const { canvas, context } of [this.#grid, this.#overlay]) resize(canvas, context, width, height, ratio);
    this.#isStale = true;
    return true;
  }

  /** Sets the ranges of the lanes by what is visible. Returns whether one has changed. */
  #rescale(now) {
    const isOutside = ({ range, channels }) => !range || channels.some(({ ring, drawn }) => {
      const found = ring.extremes(Math.max(drawn, ring.total - 4096), ring.total);
      return found && (found[0] < range[0] || found[1] > range[1]);
    });
    const isDue = this.#isStale || now - this.#checked > rescaleTime.narrower
      || now - this.#rescaled > rescaleTime.wider && this.lanes.some(lane => !lane.fixed && isOutside(lane));
    if (!isDue) return false;
    this.#checked = now;
    const [from, to] = this.visible;
    const found = this.lanes.map(lane => this.#extremes(lane, from, to));
    if (this.hasOneScale) {
      for (const unit of new Set(this.lanes.map(lane => lane.unit))) {
        const same = this.lanes.map((lane, i) => (lane.unit === unit ? found[i] : undefined)).filter(Boolean);
        const all = same.length ? [Math.min(...same.map(([low]) => low)), Math.max(...same.map(([, high]) => high))] : undefined;
        this.lanes.forEach((lane, i) => { if (lane.unit === unit) found[i] = all; });
      }
    }
    let hasChanged = false;
    this.lanes.forEach((lane, i) => {
      const range = lane.fixed ?? this.#range(lane, found[i]);
      if (lane.range && range[0] === lane.range[0] && range[1] === lane.range[1]) return;
      lane.range = range;
      hasChanged = true;
    });
    if (hasChanged) this.#rescaled = now;
    return hasChanged;
  }

  #extremes(lane, from, to) {
    let all;
    for (const { ring } of lane.channels) {
      const found = ring.extremes(ring.indexAt(from), ring.indexAt(to + 1e-9));
      if (found) all = all ? [Math.min(all[0], found[0]), Math.max(all[1], found[1])] : found;
    }
    return all;
  }

  #range(lane, found) {
    if (!found) return lane.range ?? [0, 1];
    let [low, high] = found;
    const least = Math.max(Math.abs(low), Math.abs(high)) * 1e-6 || 1;
    if (high - low < least) [low, high] = [low - least / 2, high + least / 2];
    const space = (high - low) * 0.06;
    const wanted = widened(low - space, high + space, 12);
    const { range } = lane;
    // A range stays as long as the values fill half of it, so that the trace does not jump.
    const fits = range && low >= range[0] && high <= range[1] && high - low > (range[1] - range[0]) * 0.4;
    return fits && !this.#isStale ? range : wanted;
  }

  get #laneHeight() {
    const count = Math.max(this.lanes.length, 1);
    return Math.max(8, (this.area.height - laneGap * (count - 1)) / count);
  }

  get #valueTicks() { return Math.max(3, Math.floor(this.#laneHeight / 22)); }

  #laneTop(number) { return Math.round(margins.top + number * (this.#laneHeight + laneGap)); }

  /** Returns the seconds without a sample after which the line is interrupted. */
  #gap({ ring, rate }) {
    const usual = rate ? 1 / rate : ring.usualInterval() ?? 1;
    return Math.max(usual * 5, 0.02);
  }

  #drawAll() {
    this.#isStale = false;
    this.counts.whole += 1;
    this.#drawGrid();
    const { area } = this;
    const [from, to] = this.visible;
    for (const page of this.#pages) {
      page.index = undefined;
      page.context.clearRect(0, 0, area.width, this.#size.height);
      page.canvas.style.transform = '';
      page.canvas.hidden = false;
    }
    if (this.paused || this.movement === 'sweep') this.#pages[1].canvas.hidden = true;
    if (this.paused) {
      const { context } = this.#pages[0];
      this.#drawTimes(context, from, to);
      this.#drawTraces(context, from, to, time => (time - from) / (to - from) * area.width);
    } else if (this.movement === 'sweep') {
      const { context } = this.#pages[0];
      const page = Math.floor(this.#edge / this.span);
      const scale = area.width / this.span;
      this.#drawTraces(context, from + this.span * 0.03, page * this.span, time => (time - (page - 1) * this.span) * scale);
      this.#drawTraces(context, page * this.span, to, time => (time - page * this.span) * scale);
    } else {
      for (const index of [Math.floor(from / this.span), Math.floor(from / this.span) + 1]) this.#drawPage(index);
    }
    for (const channel of this.channels) channel.drawn = channel.ring.total;
  }

  /** Draws the page of the film that begins at `index` × span. */
  #drawPage(index) {
    const page = this.#pages[index & 1];
    if (page.index === index) return page;
    const isNew = page.index !== undefined;
    page.index = index;
    const { context } = page;
    const { width } = this.area;
    if (isNew) context.clearRect(0, 0, width, this.#size.height);
    const start = index * this.span;
    this.#drawTimes(context, start, start + this.span, this.span);
    const scale = width / this.span;
    this.#drawTraces(context, start, start + this.span, time => (time - start) * scale);
    return page;
  }

  #moveFilm() {
    const [from] = this.visible;
    const first = Math.floor(from / this.span);
    const { width } = this.area;
    const { ratio } = this.#size;
    for (const index of [first, first + 1]) {
      const { canvas } = this.#drawPage(index);
      const x = Math.round((index * this.span - from) / this.span * width * ratio) / ratio;
      canvas.style.transform = `translateX(${x}px)`;
    }
  }

  /** Draws the samples since the last frame. */
  #drawNew() {
    const { width } = this.area;
    const scale = width / this.span;
    const [from] = this.visible;
    const isSweep = this.movement === 'sweep';
    const first = Math.floor((isSweep ? this.#edge : from) / this.span);
    if (isSweep) this.#wipe(scale);
    else for (const index of [first, first + 1]) this.#drawPage(index);
    this.lanes.forEach((lane, number) => {
      for (const channel of lane.channels) {
        const { ring } = channel;
        const begin = Math.max(channel.drawn, ring.first);
        if (begin >= ring.total) continue;
        this.counts.samples += ring.total - begin;
        // From the last sample that is drawn, so that the line is continuous.
        const last = Math.max(begin - 1, ring.first);
        const [start, end] = [ring.time(last), ring.end];
        for (const index of isSweep ? [first - 1, first] : [first, first + 1]) {
          if (end < index * this.span || start > (index + 1) * this.span) continue;
          const { context } = this.#pages[isSweep ? 0 : index & 1];
          this.#trace(context, lane, number, channel, last, ring.total, time => (time - index * this.span) * scale, width);
        }
        channel.drawn = ring.total;
      }
    });
  }

  #wiped = 0;

  /** Clears what is ahead of the sweep. */
  #wipe(scale) {
    const { context } = this.#pages[0];
    const { height } = this.#size;
    const gap = this.span * 0.03;
    const from = Math.max(this.#wiped, this.#edge - this.span * 0.5);
    const to = this.#edge + gap;
    for (const page of new Set([Math.floor(from / this.span), Math.floor(to / this.span)])) {
      const [left, right] = [Math.max(from, page * this.span), Math.min(to, (page + 1) * this.span)];
      if (right > left) context.clearRect(Math.floor((left - page * this.span) * scale), 0, Math.ceil((right - left) * scale) + 1, height);
    }
    this.#wiped = to;
  }

  #drawTraces(context, from, to, xOf) {
    if (!(to > from)) return;
    this.lanes.forEach((lane, number) => {
      for (const channel of lane.channels) {
        const { ring } = channel;
        const [begin, end] = [Math.max(ring.indexAt(from) - 1, ring.first), Math.min(ring.indexAt(to) + 1, ring.total)];
        if (begin < end) this.#trace(context, lane, number, channel, begin, end, xOf, this.area.width);
      }
    });
  }

  /** Draws samples `begin` to before `end` as a line, at most four points for each column of pixels. */
  #trace(context, lane, number, channel, begin, end, xOf, width) {
    const { ring } = channel;
    const { times, values, mask } = ring;
    const [low, high] = lane.range ?? [0, 1];
    const [top, height] = [this.#laneTop(number), this.#laneHeight];
    const scale = height / (high - low);
    const yOf = value => Math.min(Math.max(top + (high - value) * scale, top), top + height);
    const gap = this.#gap(channel);
    const column = 1 / this.#size.ratio;
    const hasFiltered = channel === lane.channels[0] && lane.channels.length > 1;
    context.beginPath();
    let isDown = false;
    let lastTime = -Infinity;
    let [bin, lowest, highest, lastX, lastY, count] = [-1, 0, 0, 0, 0, 0];
    const finish = () => {
      if (count < 2) return;
      context.lineTo(lastX, lowest);
      context.lineTo(lastX, highest);
      context.lineTo(lastX, lastY);
    };
    for (let i = begin; i < end; i += 1) {
      const [time, value] = [times[i & mask], values[i & mask]];
      if (value !== value) {
        finish();
        [isDown, bin, count] = [false, -1, 0];
        continue;
      }
      const [x, y] = [xOf(time), yOf(value)];
      if (isDown && time - lastTime > gap) {
        finish();
        [isDown, bin, count] = [false, -1, 0];
      }
      lastTime = time;
      const at = Math.floor(x / column);
      if (at === bin) {
        if (y > lowest) lowest = y;
        if (y < highest) highest = y;
        [lastX, lastY] = [x, y];
        count += 1;
        continue;
      }
      finish();
      if (isDown) context.lineTo(x, y);
      else {
        context.moveTo(x, y);
        // A single sample is a dot.
        context.lineTo(x + 0.01, y);
        isDown = true;
      }
      [bin, lowest, highest, lastX, lastY, count] = [at, y, y, x, y, 1];
      if (x > width + 4) break;
    }
    finish();
    const color = this.#colors.series[channel.color % this.#colors.series.length];
    context.strokeStyle = color;
    context.globalAlpha = hasFiltered ? 0.35 : 1;
    context.lineWidth = channel.of === undefined || channel.of === null ? 1.5 : 1.75;
    context.lineJoin = 'round';
    context.lineCap = 'round';
    context.stroke();
    context.globalAlpha = 1;
  }

  #timeText(time, step, largest) {
    return this.clock.notation === 'clock'
      ? clockText(time, step, this.clock.origin) : secondsText(time, step, largest);
  }

  get #timeTicks() { return Math.max(2, Math.floor(this.area.width / 90)); }

  /** Draws the lines and labels of times. `whole`: the length whose ticks they are. */
  #drawTimes(context, from, to, whole = to - from) {
    const { width } = this.area;
    const { step } = ticks(0, whole, this.#timeTicks, 'time');
    const scale = width / (to - from);
    context.font = font;
    context.textBaseline = 'alphabetic';
    context.textAlign = 'center';
    const bottom = this.#laneTop(this.lanes.length) - laneGap;
    // Labels reach beyond their page.
    for (let number = Math.ceil((from - whole * 0.1) / step); number * step <= to + whole * 0.1; number += 1) {
      const time = number * step;
      if (time < Math.min(0, this.start)) continue;
      const x = Math.round((time - from) * scale);
      context.fillStyle = this.#colors.grid;
      context.fillRect(x, margins.top, 1, bottom - margins.top);
      context.fillStyle = this.#colors.text;
      context.fillText(this.#timeText(time, step, Math.max(to, whole)), x, this.#size.height - 6);
    }
  }

  /** Draws what does not move: the lanes with their names, and the scales of values. */
  #drawGrid() {
    const { context } = this.#grid;
    const { area } = this;
    const { width, height } = this.#size;
    context.clearRect(0, 0, width, height);
    context.font = font;
    context.textBaseline = 'middle';
    this.lanes.forEach((lane, number) => {
      const [low, high] = lane.range ?? [0, 1];
      const [top, laneHeight] = [this.#laneTop(number), this.#laneHeight];
      context.fillStyle = this.#colors.lane;
      context.fillRect(area.x, top, area.width, laneHeight);
      const { step, values } = ticks(low, high, this.#valueTicks);
      context.textAlign = 'right';
      for (const value of values) {
        const y = Math.round(top + (high - value) / (high - low) * laneHeight);
        context.fillStyle = value === 0 ? this.#colors.axis : this.#colors.grid;
        context.fillRect(area.x, Math.min(y, top + laneHeight - 1), area.width, 1);
        context.fillStyle = this.#colors.text;
        // Within the lane, so that the labels of two lanes don't touch.
        context.fillText(tickText(value, step), area.x - 8, Math.min(Math.max(y, top + 6), top + laneHeight - 6));
      }
    });
    if (this.movement !== 'sweep' || this.paused) return;
    const { step, values } = ticks(0, this.span, this.#timeTicks, 'time');
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    for (const time of values) {
      const x = Math.round(area.x + time / this.span * area.width);
      context.fillStyle = this.#colors.grid;
      context.fillRect(x, margins.top, 1, this.#laneTop(this.lanes.length) - laneGap - margins.top);
      context.fillStyle = this.#colors.text;
      context.fillText(`${secondsText(time, step, this.span)}${time === values.at(-1) ? ' s' : ''}`, Math.min(x, width - 14), height - 6);
    }
  }

  #overlayIsEmpty = true;

  /** Draws names of lanes, marks and the cursor above the traces. */
  #drawOverlay() {
    const { context } = this.#overlay;
    const { area } = this;
    const { width, height } = this.#size;
    const [from, to] = this.visible;
    const marks = this.marks.filter(({ time, seconds }) => time + (seconds ?? 0) >= from && time <= to);
    const signature = JSON.stringify([this.lanes.map(({ name, unit, range }) => [name, unit, range]), this.paused, this.#size, this.cursor]);
    if (marks.length === 0 && this.cursor === undefined && signature === this.#overlayIsEmpty) return;
    this.#overlayIsEmpty = marks.length === 0 && this.cursor === undefined ? signature : undefined;
    context.clearRect(0, 0, width, height);
    context.textAlign = 'left';
    context.textBaseline = 'top';
    context.font = boldFont;
    this.lanes.forEach((lane, number) => {
      const text = lane.unit ? `${lane.name}  ${lane.unit}` : lane.name;
      this.#label(context, text, area.x + 8, this.#laneTop(number) + 4, this.#colors.series[number % this.#colors.series.length]);
    });
    context.font = font;
    for (const mark of marks) this.#drawMark(context, mark);
    if (this.cursor !== undefined && this.cursor >= from && this.cursor <= to) this.#drawCursor(context);
  }

  #label(context, text, x, y, color) {
    context.lineJoin = 'round';
    context.lineWidth = 4;
    context.strokeStyle = this.#colors.halo;
    context.strokeText(text, x, y);
    context.fillStyle = color;
    context.fillText(text, x, y);
  }

  #drawMark(context, { time, seconds, text, channel }) {
    const number = channel ? this.lanes.findIndex(lane => lane.channels.some(({ name }) => name === channel)) : -1;
    const top = number < 0 ? margins.top : this.#laneTop(number);
    const bottom = number < 0 ? this.#laneTop(this.lanes.length) - laneGap : top + this.#laneHeight;
    const x = Math.round(Math.max(this.xOf(time), this.area.x));
    context.fillStyle = this.#colors.mark;
    if (seconds > 0 && this.movement === 'scroll' | !!this.paused) {
      context.globalAlpha = 0.12;
      context.fillRect(x, top, Math.min(this.xOf(time + seconds), this.area.x + this.area.width) - x, bottom - top);
      context.globalAlpha = 1;
    }
    context.fillRect(x, top, 1.5, bottom - top);
    this.#label(context, text, x + 5, bottom - 16, this.#colors.mark);
  }

  #drawCursor(context) {
    const x = Math.round(this.xOf(this.cursor));
    const { area } = this;
    context.fillStyle = this.#colors.strong;
    context.fillRect(x, margins.top, 1, area.height);
    const isRight = x > area.x + area.width / 2;
    context.textAlign = isRight ? 'right' : 'left';
    const found = this.valuesAt(this.cursor);
    this.lanes.forEach((lane, number) => {
      const own = found.filter(({ channel }) => lane.channels.includes(channel));
      const texts = own.map(({ value }) => (value === undefined ? '–' : this.valueText(lane, value)));
      this.#label(context, texts.join(' → '), isRight ? x - 8 : x + 8, this.#laneTop(number) + this.#laneHeight / 2 - 7, this.#colors.strong);
      for (const { value, time } of own) {
        if (value === undefined) continue;
        const [low, high] = lane.range ?? [0, 1];
        context.beginPath();
        context.arc(this.xOf(time), this.#laneTop(number) + (high - value) / (high - low) * this.#laneHeight, 3, 0, 7);
        context.fillStyle = this.#colors.strong;
        context.fill();
      }
    });
    context.textAlign = 'left';
  }

  /** Returns a value of a lane with its unit, with a hundredth of what a tick means. */
  valueText({ range, unit }, value) {
    const [low, high] = range ?? [0, 1];
    return `${tickText(value, ticks(low, high, 5).step / 100)}${unit ? ` ${unit}` : ''}`;
  }

  /** Returns a time as the axis shows it, to a hundredth of a tick. */
  timeText(time) {
    const [from, to] = this.visible;
    return this.#timeText(time, Math.min(ticks(from, to, 5, 'time').step / 100, 0.1), Math.abs(to));
  }
}

const font = '11px system-ui, sans-serif';
const boldFont = '600 12px system-ui, sans-serif';

function layer(name) {
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

/** Reads the colours from the style of a node, so that light and dark are the page's. */
function colors(node) {
  const style = getComputedStyle(node);
  const color = name => style.getPropertyValue(name).trim();
  return {
    text: color('--chart-text'), strong: color('--chart-strong'), grid: color('--chart-grid'), axis: color('--chart-axis'),
    lane: color('--chart-lane'), halo: color('--chart-halo'), mark: color('--chart-mark'),
    series: Array.from({ length: 16 }, (_, i) => color(`--series-${i + 1}`)).filter(Boolean),
  };
}
