// What hands do with a strip chart: a wheel, a mouse, fingers and keys move its time, and its cursor.

import { clamp } from './charts/strip-chart.js';

/** Pixels that a finger may move while it taps. */
const tapSlop = 8;
const wheelZoom = 1.0015;

/**
 * Lets hands move a chart. `changed` is called after each change: of the time, `{ isCursor: false }`, or of the cursor by a tap or a
 * key. `mayZoomByWheel()`: whether a wheel without a key zooms; otherwise the page, or the lanes, scroll.
 */
export function listenToHands(chart, { changed = () => {}, mayZoomByWheel = () => true } = {}) {
  const { stage } = chart;
  const pointers = new Map();
  let start;
  let pinch;

  const place = event => {
    const { left } = stage.getBoundingClientRect();
    return event.clientX - left;
  };
  const secondsOf = pixels => {
    const [from, to] = chart.visible;
    return pixels / chart.area.width * (to - from);
  };
  const shareOf = x => clamp((x - chart.area.x) / chart.area.width, 0, 1);

  stage.addEventListener('wheel', event => {
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 200 : 1;
    const isZoom = event.ctrlKey || event.metaKey;
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (!isZoom && Math.abs(sideways) > Math.abs(event.deltaY) * (event.shiftKey ? 0.5 : 1)) {
      event.preventDefault();
      chart.pan(secondsOf(sideways * unit));
      return changed({ isCursor: false });
    }
    if (!isZoom && !mayZoomByWheel()) return;
    event.preventDefault();
    // A pinch on a trackpad comes as a wheel with Control, in small steps.
    chart.zoom(wheelZoom ** (event.deltaY * unit * (isZoom ? 4 : 1)), shareOf(place(event)));
    changed({ isCursor: false });
  }, { passive: false });

  stage.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, { x: place(event) });
    if (pointers.size === 1) {
      start = { x: place(event), hasMoved: false, isRange: event.shiftKey };
      chart.anchor = undefined;
    }
    if (pointers.size === 2) {
      pinch = distance();
      start.hasMoved = true;
    }
    stage.setPointerCapture?.(event.pointerId);
  });

  const distance = () => {
    const [a, b] = [...pointers.values()];
    return Math.max(Math.abs(a.x - b.x), 24);
  };

  stage.addEventListener('pointermove', event => {
    const pointer = pointers.get(event.pointerId);
    const x = place(event);
    if (!pointer) {
      if (event.pointerType === 'mouse') setPointer(x);
      return;
    }
    const before = pointer.x;
    if (pointers.size === 2) {
      pointer.x = x;
      const now = distance();
      const [a, b] = [...pointers.values()];
      chart.zoom(pinch / now, shareOf((a.x + b.x) / 2));
      if (chart.paused) chart.pan(secondsOf((before - x) / 2));
      pinch = now;
      return changed({ isCursor: false });
    }
    if (!start.hasMoved && Math.abs(x - start.x) < tapSlop) return;
    if (!start.hasMoved) chart.pointer = undefined;
    // A range is chosen where the chart stands still.
    if (!start.hasMoved && start.isRange) chart.pause();
    start.hasMoved = true;
    pointer.x = x;
    if (start.isRange) {
      chart.anchor = chart.timeAt(Math.max(start.x, chart.area.x));
      chart.cursor = chart.timeAt(Math.max(x, chart.area.x));
      chart.touch();
      changed({ isCursor: true });
      return changed({ isCursor: false });
    }
    stage.classList.add('grabbed');
    chart.pan(secondsOf(before - x));
    changed({ isCursor: false });
  });

  const end = event => {
    if (!pointers.delete(event.pointerId)) return;
    stage.classList.remove('grabbed');
    if (pointers.size > 0 || start.hasMoved || event.type === 'pointercancel') return;
    const x = place(event);
    if (x < chart.area.x) return;
    chart.pointer = undefined;
    chart.cursor = chart.timeAt(x);
    chart.touch();
    changed({ isCursor: true });
  };
  stage.addEventListener('pointerup', end);
  stage.addEventListener('pointercancel', end);
  stage.addEventListener('pointerleave', () => { if (chart.pointer) setPointer(undefined); });

  /** A mouse that hovers shows values, and takes them away again; a cursor that was placed stays. */
  let placed;
  const setPointer = x => {
    // A range that is chosen stays.
    if (chart.anchor !== undefined) return;
    if (x !== undefined && !chart.pointer) placed = chart.cursor;
    chart.pointer = x === undefined ? undefined : { x };
    if (x === undefined) chart.cursor = placed;
    chart.touch();
  };
}

/** Moves the cursor of a chart by a number of 200ths of its width; it begins in the middle of a paused chart, or at the newest sample. */
export function moveCursor(chart, steps) {
  const [from, to] = chart.visible;
  const isVisible = chart.cursor !== undefined && chart.cursor >= from && chart.cursor <= to;
  const begin = clamp(chart.paused ? (from + to) / 2 : to, chart.start, chart.end);
  const start = isVisible ? chart.cursor : Number.isFinite(begin) ? begin : from;
  const time = isVisible ? start + steps * (to - from) / 200 : start;
  chart.pointer = undefined;
  chart.cursor = time;
  if (time < from || time > to) chart.pan(time < from ? time - from - (to - from) / 4 : time - to + (to - from) / 4);
  chart.touch();
}
