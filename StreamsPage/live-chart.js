// A strip chart that one moves through: it is stopped, moved and zoomed, and has a cursor, marks and what filters have found above
// its lanes.

import { placement } from './charts/lane-scale.js';
import { clamp, layer, StripChart, sweepGap } from './charts/strip-chart.js';
import { drawOverlay } from './chart-overlay.js';

const mostEvents = 2000;
export const spans = { least: 0.05, most: 86400 };

export class LiveChart extends StripChart {
  marks = [];
  /** What filters have found, the newest 2,000: `{ kind, channel, time, value, seconds }`; `seconds` is undefined until it ends. */
  events = [];
  /** What did not arrive: `{ from, to, samples }`. */
  missed = [];
  /** The time under the cursor; undefined for none. A pointer is above a place: `{ x }` in pixels. */
  cursor = undefined;
  pointer = undefined;
  /** Where a range begins that reaches until the cursor; undefined for none. */
  anchor = undefined;

  #above = layer('overlay');
  #isTouched = true;
  #wasEmpty = false;
  #drawn = 0;

  constructor() {
    super();
    this.layers.push(this.#above);
    this.stage.append(this.#above.canvas);
  }

  // MARK: Data

  clear() {
    super.clear();
    this.missed = [];
    this.events = [];
  }

  /** Drops what is at a time and after it: it will come anew. */
  dropFrom(time) {
    for (const { ring } of this.channels) ring.dropFrom(time);
    this.missed = this.missed.filter(({ from }) => from < time);
    this.events = this.events.filter(event => event.time < time).map(event => ({ ...event, seconds: event.seconds ?? time - event.time }));
    this.delay = 0;
    this.begin();
  }

  /** Samples up to the newest ones will come once more. */
  expectRepeats() {
    for (const { ring } of this.channels) ring.expectRepeats();
  }

  /** Remembers what did not arrive. */
  addMissed(missed) {
    this.missed = [...this.missed, missed].slice(-100);
    this.touch();
  }

  /** Adds what filters have found: `{ kind, channel, time, value, seconds, phase }`, of which the phase is moment, begin or end. */
  addEvents(events) {
    for (const { phase, ...event } of events) {
      const open = phase === 'end' && this.events.findLast(one => one.seconds === undefined && one.kind === event.kind && one.channel === event.channel);
      if (open) open.seconds = event.time - open.time;
      else if (phase === 'end') this.events.push({ ...event, time: event.time - event.seconds });
      else this.events.push(phase === 'begin' ? { ...event, seconds: undefined } : event);
    }
    this.events = this.events.slice(-mostEvents);
    this.touch();
  }

  /** Other filters have found nothing yet. */
  clearEvents() {
    this.events = [];
    this.touch();
  }

  setMarks(marks) {
    this.marks = marks;
    this.touch();
  }

  /** The number of samples that came later than those after them, and are left out. */
  get late() { return this.channels.reduce((sum, { ring }) => sum + ring.late, 0); }

  /** The range that is chosen, as `[from, to]`; undefined for none. */
  get range() {
    const { anchor, cursor } = this;
    return anchor === undefined || cursor === undefined || anchor === cursor ? undefined : [Math.min(anchor, cursor), Math.max(anchor, cursor)];
  }

  // MARK: Time

  /** Stops the chart; samples are still added. */
  pause() {
    if (this.paused) return;
    this.paused = this.visible;
    this.invalidate();
  }

  /** Moves again: from what is shown if `fromHere`, otherwise from now. */
  resume({ fromHere = false } = {}) {
    if (this.paused) {
      this.span = clamp(this.paused[1] - this.paused[0], spans.least, spans.most);
      this.delay = Math.max(0, this.now - this.paused[1]);
    }
    if (!fromHere) this.delay = 0;
    this.paused = undefined;
    this.edge = this.now - this.delay;
    this.invalidate();
  }

  /** Moves the chart by seconds, which pauses it. */
  pan(seconds) {
    this.pause();
    const [from, to] = this.paused;
    const half = (to - from) / 2;
    const limited = Math.min(Math.max(seconds, this.start - to + half), this.end - from - half);
    if (Number.isFinite(limited)) this.show(from + limited, to + limited);
  }

  /** Shows a time in the middle, which pauses the chart. */
  goTo(time) {
    const [from, to] = this.visible;
    this.show(time - (to - from) / 2, time + (to - from) / 2);
  }

  /** Shows a time range, which pauses the chart. */
  show(from, to) {
    this.paused = [from, to];
    this.invalidate();
  }

  /** Shows `factor` × as much time, around `share` of the width, 0 to 1. A chart that moves goes on. */
  zoom(factor, share = 0.5) {
    const [from, to] = this.visible;
    const span = clamp((to - from) * factor, spans.least, spans.most);
    if (!this.paused) this.span = span;
    else {
      const fixed = from + (to - from) * share;
      this.paused = [fixed - span * share, fixed + span * (1 - share)];
    }
    this.invalidate();
  }

  // MARK: Geometry

  /** Returns the time at a horizontal position of the node. */
  timeAt(x) {
    const [from, to] = this.visible;
    const share = (x - this.area.x) / this.area.width;
    if (!this.isSweeping) return from + (to - from) * share;
    const time = (Math.floor(this.edge / this.span) + share) * this.span;
    return time > this.edge ? time - this.span : time;
  }

  /** Returns the horizontal position of a time in the node. */
  xOf(time) {
    const { x, width } = this.area;
    if (this.isSweeping) return x + (time / this.span - Math.floor(time / this.span)) * width;
    const [from, to] = this.visible;
    return x + (time - from) / (to - from) * width;
  }

  /** Returns the vertical position of a value in the lane `number` of those that have room. */
  yOf(number, value) {
    const { of, low, high } = placement(this.shown[number]);
    const share = ((of ? of(value) : value) - low) / (high - low);
    return this.laneTop(number) + (1 - clamp(share, 0, 1)) * this.laneHeight;
  }

  // MARK: Drawing

  /** The next frame draws what is above the traces. */
  touch() { this.#isTouched = true; }

  frame(now) {
    super.frame(now);
    if (this.counts.frames > 0) this.#drawAbove();
  }

  /** Draws marks, the cursor, what filters have found, and what was missed, as far as they are visible. */
  #drawAbove() {
    const { area, pointer } = this;
    if (pointer) this.cursor = pointer.x >= area.x && pointer.x <= area.x + area.width ? this.timeAt(pointer.x) : undefined;
    const [from, to] = this.visible;
    // Ahead of a sweep there is no trace, and nothing that belongs to one.
    const first = this.isSweeping ? from + this.span * sweepGap : from;
    const isWithin = (start, end) => end >= first && start <= to;
    const marks = this.marks.filter(({ time, seconds }) => isWithin(time, time + (seconds ?? 0)));
    const missed = this.missed.filter(span => isWithin(span.from, span.to));
    const events = this.events.filter(({ time, seconds = Infinity }) => isWithin(time, time + seconds));
    const isEmpty = this.cursor === undefined && marks.length === 0 && missed.length === 0 && events.length === 0;
    // What is drawn as a whole may have another size.
    const isStale = this.#isTouched || this.#drawn !== this.counts.whole;
    if (!isStale && (this.paused || isEmpty && this.#wasEmpty)) return;
    [this.#isTouched, this.#wasEmpty, this.#drawn] = [false, isEmpty, this.counts.whole];
    drawOverlay(this.#above.context, this, this.colors, { marks, missed, events });
  }
}
