// The range of values that a lane shows: it widens soon, and narrows late, so that a trace does not jump.

import { decades, ticks, tickText, widened, widenedDecades } from './ticks.js';

/** The time between two redrawings for a new range of values, and after which a range that is too wide is made narrower, in ms. */
const rescaleTime = { wider: 200, narrower: 3000 };
/** The highest value of a logarithmic scale over the lowest, at most: a zero that is crossed has no end below. */
const mostRatio = 1e6;

export class LaneScales {
  #rescaled = 0;
  #checked = 0;

  /**
   * Sets the ranges of lanes by what is visible, `[from, to]` in seconds. `isForced`: also those that are wide enough. Returns
   * whether one has changed.
   */
  update(lanes, [from, to], { now, isForced, hasOneScale, isLogarithmic }) {
    const isDue = isForced || now - this.#checked > rescaleTime.narrower
      || now - this.#rescaled > rescaleTime.wider && lanes.some(hasLeftRange);
    if (!isDue) return false;
    this.#checked = now;
    for (const lane of lanes) lane.isLogarithmic = isLogarithmic && !lane.fixed && isPositive(lane, from, to);
    const found = lanes.map(lane => extremes(lane, from, to));
    if (hasOneScale) shareRanges(lanes, found);
    let hasChanged = false;
    lanes.forEach((lane, i) => {
      const range = lane.fixed ?? chosenRange(lane, found[i], isForced);
      if (lane.range && range[0] === lane.range[0] && range[1] === lane.range[1]) return;
      lane.range = range;
      hasChanged = true;
    });
    if (hasChanged) this.#rescaled = now;
    return hasChanged;
  }
}

/** Whether a new sample lies beyond the range. */
function hasLeftRange({ range, fixed, channels, isLogarithmic }) {
  return !range || !fixed && channels.some(({ ring, drawn }) => {
    const found = ring.extremes(Math.max(drawn, ring.total - 4096), ring.total, isLogarithmic);
    return found && (found[0] < range[0] && !isLogarithmic || found[1] > range[1]);
  });
}

const bounds = (ring, from, to) => [ring.indexAt(from), ring.indexAt(to + 1e-9)];

function isPositive({ channels }, from, to) {
  return channels.some(({ ring }) => ring.extremes(...bounds(ring, from, to), true) !== undefined);
}

function extremes({ channels, isLogarithmic }, from, to) {
  return channels.map(({ ring }) => ring.extremes(...bounds(ring, from, to), isLogarithmic)).filter(Boolean)
    .reduce((all, [low, high]) => (all ? [Math.min(all[0], low), Math.max(all[1], high)] : [low, high]), undefined);
}

/** Lanes of the same unit get the same range. */
function shareRanges(lanes, found) {
  const kindOf = ({ unit, isLogarithmic }) => `${unit} ${isLogarithmic}`;
  for (const kind of new Set(lanes.map(kindOf))) {
    const same = found.filter((range, i) => range && kindOf(lanes[i]) === kind);
    if (same.length === 0) continue;
    const all = [Math.min(...same.map(([low]) => low)), Math.max(...same.map(([, high]) => high))];
    lanes.forEach((lane, i) => { if (kindOf(lane) === kind) found[i] = all; });
  }
}

function chosenRange({ range, isLogarithmic }, found, isForced) {
  if (!found) return range && (!isLogarithmic || range[0] > 0) ? range : isLogarithmic ? [1, 10] : [0, 1];
  let [low, high] = found;
  if (isLogarithmic) return widenedDecades(Math.max(low, high / mostRatio), high);
  const largest = Math.max(Math.abs(low), Math.abs(high));
  // What differs by the rounding of its values only does not differ.
  if (high - low <= largest * 1e-6) {
    const around = largest * 0.01 || 0.5;
    [low, high] = [low - around, high + around];
  }
  const space = (high - low) * 0.06;
  // A range stays as long as the values fill a good part of it.
  const fits = range && low >= range[0] && high <= range[1] && high - low > (range[1] - range[0]) * 0.4;
  return fits && !isForced ? range : widened(low - space, high + space, 12);
}

/** Returns how a value of a lane is placed: its share of the height from the bottom is (`of`(value) − low) / (high − low). */
export function placement({ range, isLogarithmic }) {
  const [low, high] = range ?? [0, 1];
  return isLogarithmic
    ? { of: value => (value > 0 ? Math.log10(value) : NaN), low: Math.log10(low), high: Math.log10(high) }
    : { of: undefined, low, high };
}

/** Returns the marks of a lane's axis, at most `most`: `[{ value, share, text }]`. */
export function laneTicks(lane, most) {
  const { of = value => value, low, high } = placement(lane);
  const [from, to] = lane.range ?? [0, 1];
  const { step, values } = lane.isLogarithmic ? { step: undefined, values: decades(from, to, most) } : ticks(from, to, most);
  return values.map(value => ({ value, share: (of(value) - low) / (high - low), text: step ? tickText(value, step) : powerText(value) }));
}

/** Returns a tick of a logarithmic scale: `200`, `0.05` or `1e−6`. */
function powerText(value) {
  const text = value < 1e-3 || value >= 1e5 ? value.toExponential(0).replace('e+', 'e') : String(Number(value.toPrecision(1)));
  return text.replace('-', '−');
}

/** Returns a value of a lane with its unit, with a hundredth of what a tick means. */
export function valueText({ range, unit, isLogarithmic }, value) {
  const [low, high] = range ?? [0, 1];
  const step = isLogarithmic ? Math.abs(value) || 1 : ticks(low, high, 5).step;
  return `${tickText(value, step / 100)}${unit ? ` ${unit}` : ''}`;
}
