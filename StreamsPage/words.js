// What the page says in words: values at a time, with the marks there and what filters have found.
import { exactTimeText } from './charts/chart-axes.js';
import { valueText } from './charts/lane-scale.js';
import { spanText } from './controls.js';

/** The most marks, and the most of what filters have found, that are said at once. */
const mostSaid = 8;

/** A value of a lane with its unit; `unknown` where there is none. */
export const knownText = (lane, value, unknown = '–') => (value === undefined || Number.isNaN(value) ? unknown : valueText(lane, value));

/** What a filter has found: `beat in ecg.ii`, `above in ecg.i, for 750 ms`. `time`: words of when. */
export function foundText({ kind, channel, seconds }, time = '') {
  if (kind === 'beats') return `beat in ${channel}${time && ` at ${time}`}`;
  return `${kind} in ${channel}${time && ` from ${time}`}, ${seconds === undefined ? 'goes on' : `for ${spanText(seconds)}`}`;
}

function timeWords(chart, time) {
  const at = exactTimeText(chart, time);
  return chart.clock.notation === 'clock' || at.includes(':') ? at : `${at} seconds`;
}

/** The values of the channels that are shown at a time, and what is there: at the cursor, or the newest. */
export function valuesInWords(chart, time, isNewest = false) {
  const values = chart.valuesAt(time).map(({ lane, channel, value }) => (
    `${channel.isFiltered ? `${channel.name} filtered` : channel.name} ${knownText(lane, value, 'unknown')}`));
  return [`${timeWords(chart, time)}: ${values.join(', ')}`, ...marksInWords(chart, time, isNewest)].join('; ');
}

/** What is at a time: marks, and of each kind and channel the latest that filters have found. Of the newest time also the last beat. */
function marksInWords(chart, time, isNewest) {
  const [from, to] = chart.visible;
  const nearby = (to - from) / 200;
  const names = new Set(chart.lanes.flatMap(({ channels }) => channels.map(({ name }) => name)));
  const isThere = ({ channel, kind, time: begin, seconds = Infinity }) => (!channel || names.has(channel)) && begin <= time + nearby
    && (begin + seconds >= time - nearby || isNewest && kind === 'beats' && begin >= from);
  const marks = chart.marks.filter(mark => isThere({ ...mark, seconds: mark.seconds ?? 0 }));
  const found = new Map(chart.events.filter(isThere).map(event => [`${event.kind} ${event.channel}`, event]));
  return [
    ...marks.slice(-mostSaid).map(mark => `mark “${mark.text}” at ${timeWords(chart, mark.time)}`),
    ...[...found.values()].slice(-mostSaid).map(event => foundText(event, timeWords(chart, event.time))),
  ];
}
