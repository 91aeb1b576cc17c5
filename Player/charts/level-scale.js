// The scale of levels, which the strip, the bars and the needles of the radio share: dBFS, with the ticks of other charts.

import { tickText, ticks } from './ticks.js';

/** The levels in dBFS at the ends of the scale. */
export const lowest = -48;
export const highest = 0;

/** Returns where a level is: 0 at the lowest, 1 at the highest; below 0 or above 1 if it is outside of the scale. */
export function shareOf(level) { return (level - lowest) / (highest - lowest); }

/** Returns at most `most` ticks, the lowest first: `{ level, share, text }`. */
export function levelTicks(most) {
  const { step, values } = ticks(lowest, highest, most, 'decibels');
  return values.map(level => ({ level, share: shareOf(level), text: tickText(level, step) }));
}
