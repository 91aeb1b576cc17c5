// What does not move in a strip chart: the lanes with their names, and their scales; and the times.

import { laneTicks } from './lane-scale.js';
import { clockText, secondsText, ticks } from './ticks.js';

export const font = '11px system-ui, sans-serif';
export const boldFont = '600 12px system-ui, sans-serif';
const textHeight = 12;

/** Returns what the names of all lanes begin with, up to a dot: `ecg.`. */
function commonStart(lanes) {
  const start = lanes[0]?.name.split('.')[0];
  return lanes.length > 1 && lanes.every(({ name }) => name.startsWith(`${start}.`)) ? `${start}.` : '';
}

/** Returns the width of names and values at the left. */
export function gutterWidth(context, lanes, width) {
  context.font = boldFont;
  const start = commonStart(lanes);
  const longest = Math.max(0, ...lanes.map(({ name, label }) => context.measureText(label ?? name.slice(start.length)).width));
  const [least, room] = isNarrow(width) ? [46, 10] : [72, 46];
  return Math.round(Math.min(Math.max(longest + room, least), Math.max(least, width * 0.22), 150));
}

/** Whether low lanes have no room for their values beside their names. */
const isNarrow = width => width < 560;

/** Returns the longest beginning of a text that fits a width, with `…` and `end` after it if it is not all of it. */
function fitted(context, text, width, end = '') {
  const whole = text + end;
  if (context.measureText(whole).width <= width) return whole;
  for (let kept = text.length - 1; kept > 0; kept -= 1) {
    const shorter = `${text.slice(0, kept)}…${end}`;
    if (context.measureText(shorter).width <= width) return shorter;
  }
  return end === '' ? text.slice(0, 1) : fitted(context, end.slice(1), width);
}

/** Returns a name that is shortened to a width: of `acceleration.x`, the component is kept. */
function fittedName(context, name, width) {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? fitted(context, name, width) : fitted(context, name.slice(0, dot), width, name.slice(dot));
}

export function drawAxes(context, chart, colors) {
  const { area, size } = chart;
  context.clearRect(0, 0, size.width, size.height);
  const start = commonStart(chart.lanes);
  drawRest(context, chart, colors);
  drawTimeUnit(context, chart, colors);
  chart.shown.forEach((lane, number) => drawLane(context, chart, colors, lane, number, lane.label ?? lane.name.slice(start.length)));
  if (!chart.isSweeping) return;
  const { step, values } = ticks(0, chart.span, timeTicks(area), 'time');
  context.font = font;
  context.textBaseline = 'alphabetic';
  for (const time of values) {
    const x = Math.round(area.x + time / chart.span * area.width);
    context.fillStyle = colors.grid;
    context.fillRect(x, area.y, 1, chart.lanesBottom - area.y);
    context.fillStyle = colors.text;
    const text = `${secondsText(time, step, chart.span)}${time === values.at(-1) ? ' s' : ''}`;
    context.textAlign = x + context.measureText(text).width / 2 > size.width - 2 ? 'right' : 'center';
    context.fillText(text, context.textAlign === 'right' ? size.width - 2 : x, size.height - 7);
  }
}

/** Says at the left of the times what they are. */
function drawTimeUnit(context, chart, colors) {
  const [from, to] = chart.visible;
  const parts = timeText(chart, to, ticks(0, to - from, timeTicks(chart.area), 'time').step, Math.max(Math.abs(to), to - from)).split(':').length;
  const text = chart.clock.notation === 'clock' ? 'UTC' : chart.isSweeping ? '' : ['s', 'min:s', 'h:min:s'][parts - 1];
  context.font = font;
  context.textAlign = 'right';
  context.textBaseline = 'alphabetic';
  context.fillStyle = colors.text;
  context.fillText(text, chart.area.x - 14, chart.size.height - 7);
}

/** Says how many lanes there are above and below. */
function drawRest(context, { lanes, shown, size }, colors) {
  if (shown.length === lanes.length) return;
  const above = lanes.indexOf(shown[0]);
  const below = lanes.length - above - shown.length;
  context.font = boldFont;
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  context.fillStyle = colors.strong;
  context.fillText([above > 0 && `↑ ${above}`, below > 0 && `↓ ${below}`].filter(Boolean).join('  '), 4, size.height - 7);
}

function drawLane(context, chart, colors, lane, number, name) {
  const { area } = chart;
  const [top, height] = [chart.laneTop(number), chart.laneHeight];
  context.fillStyle = colors.lane;
  context.fillRect(area.x, top, area.width, height);
  const room = area.x - 10;
  // The name is at the left of its lane, where it hides nothing: with its unit below if there is room, otherwise beside it.
  context.textAlign = 'left';
  context.textBaseline = 'top';
  context.font = boldFont;
  const isHigh = height >= 44;
  const hasValues = isHigh || !isNarrow(chart.size.width);
  const shownName = fittedName(context, name, hasValues && !isHigh ? room - 32 : room);
  const nameTop = isHigh ? top : top + height / 2 - textHeight / 2;
  context.fillStyle = colors.names[lane.color % colors.names.length];
  context.fillText(shownName, 4, nameTop);
  const nameWidth = context.measureText(shownName).width;
  context.font = font;
  context.fillStyle = colors.text;
  const taken = [{ left: 4, right: 4 + nameWidth, top: nameTop, bottom: nameTop + textHeight }];
  const unitWidth = context.measureText(lane.unit).width;
  if (lane.unit && isHigh) {
    context.fillText(lane.unit, 4, top + textHeight + 3);
    taken.push({ left: 4, right: 4 + unitWidth, top: top + textHeight + 3, bottom: top + 2 * textHeight + 3 });
  } else if (lane.unit && !hasValues && nameWidth + unitWidth + 12 < room) {
    context.fillText(lane.unit, 8 + nameWidth, nameTop + 1);
    taken[0].right += 4 + unitWidth;
  }
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const { value, share, text } of laneTicks(lane, Math.max(3, Math.floor(height / 22)))) {
    const y = Math.round(top + (1 - share) * height);
    context.fillStyle = value === 0 ? colors.axis : colors.grid;
    context.fillRect(area.x, Math.min(y, top + height - 1), area.width, 1);
    if (!hasValues) continue;
    // Within the lane, so that the labels of two lanes don't touch, and not above the name.
    const middle = Math.min(Math.max(y, top + 6), top + height - 6);
    const box = { left: area.x - 6 - context.measureText(text).width, top: middle - 6, bottom: middle + 6 };
    if (box.left < 0 || taken.some(other => box.left < other.right + 4 && box.top < other.bottom && box.bottom > other.top)) continue;
    taken.push({ ...box, right: area.x });
    context.fillStyle = colors.text;
    context.fillText(text, area.x - 6, middle);
  }
}

const timeTicks = ({ width }) => Math.max(2, Math.floor(width / 90));

/** Draws the lines and labels of times on a canvas from `from` to `to`. `whole`: the length whose ticks they are. */
export function drawTimes(context, chart, colors, from, to, whole) {
  const { area, size } = chart;
  const { step } = ticks(0, whole, timeTicks(area), 'time');
  const scale = area.width / (to - from);
  context.font = font;
  context.textBaseline = 'alphabetic';
  context.textAlign = 'center';
  const least = Math.min(0, Number.isFinite(chart.start) ? chart.start : 0);
  // Labels reach beyond their page.
  for (let number = Math.ceil((from - whole * 0.1) / step); number * step <= to + whole * 0.1; number += 1) {
    const time = number * step;
    if (time < least) continue;
    const x = Math.round((time - from) * scale);
    context.fillStyle = colors.grid;
    context.fillRect(x, area.y, 1, chart.lanesBottom - area.y);
    context.fillStyle = colors.text;
    context.fillText(timeText(chart, time, step, Math.max(Math.abs(to), whole)), x, size.height - 7);
  }
}

/** Returns a time as the axis of a chart shows it, with the decimals of a step. */
export function timeText({ clock }, time, step, largest) {
  return clock.notation === 'clock' ? clockText(time, step, clock.origin) : secondsText(time, step, largest);
}

/** Likewise to a hundredth of the distance of its ticks. */
export function exactTimeText(chart, time) {
  const [from, to] = chart.visible;
  return timeText(chart, time, Math.min(ticks(from, to, 5, 'time').step / 100, 0.1), Math.abs(to));
}
