// What is above the traces of a strip chart: marks, what filters have found, what was missed, and the cursor with the values at its time.

import { boldFont, exactTimeText, font } from './charts/chart-axes.js';
import { knownText } from './words.js';

export function drawOverlay(context, chart, colors, { marks, missed, events }) {
  const { size, area } = chart;
  context.clearRect(0, 0, size.width, size.height);
  context.save();
  context.beginPath();
  context.rect(area.x, 0, area.width + 14, size.height);
  context.clip();
  for (const span of missed) drawMissed(context, chart, colors, span);
  if (chart.range) drawRange(context, chart, colors);
  drawEvents(context, chart, colors, events);
  for (const mark of marks) drawMark(context, chart, colors, mark);
  if (chart.cursor !== undefined) drawCursor(context, chart, colors);
  context.restore();
}

/** Writes a text with a rim of the lane's colour, so that it is legible on a trace. */
function write(context, colors, text, x, y, color) {
  context.lineJoin = 'round';
  context.lineWidth = 4;
  context.strokeStyle = colors.lane;
  context.strokeText(text, x, y);
  context.fillStyle = color;
  context.fillText(text, x, y);
}

/** The part of a time range that is visible, in pixels. */
function extent(chart, from, to) {
  const { area } = chart;
  const left = Math.max(chart.xOf(from), area.x);
  if (chart.isSweeping) return { left, width: Math.min((to - from) / chart.span * area.width, area.x + area.width - left) };
  return { left, width: Math.min(chart.xOf(to), area.x + area.width) - left };
}

function drawRange(context, chart, colors) {
  const { left, width } = extent(chart, ...chart.range);
  context.globalAlpha = 0.12;
  context.fillStyle = colors.strong;
  context.fillRect(left, chart.area.y, Math.max(width, 1), chart.lanesBottom - chart.area.y);
  context.globalAlpha = 1;
}

function drawMissed(context, chart, colors, { from, to, samples }) {
  const { area } = chart;
  const { left, width } = extent(chart, from, to);
  context.save();
  context.beginPath();
  context.rect(left, area.y, Math.max(width, 2), chart.lanesBottom - area.y);
  context.clip();
  context.strokeStyle = colors.missed;
  context.lineWidth = 1;
  context.beginPath();
  const height = chart.lanesBottom - area.y;
  for (let x = left - height; x < left + width; x += 8) {
    context.moveTo(x, chart.lanesBottom);
    context.lineTo(x + height, area.y);
  }
  context.stroke();
  context.restore();
  if (width < 60) return;
  context.font = font;
  context.textAlign = 'left';
  context.textBaseline = 'top';
  write(context, colors, `${samples.toLocaleString('en')} missed`, left + 4, area.y + 4, colors.missed);
}

/** Draws beats as rings on their line, and times beyond a threshold as a bar below it: marks that somebody has set are lines with a text. */
function drawEvents(context, chart, colors, events) {
  const numbers = new Map(chart.shown.flatMap((lane, number) => lane.channels.map(({ name }) => [name, number])));
  context.strokeStyle = context.fillStyle = colors.strong;
  context.lineWidth = 1.5;
  for (const { kind, channel, time, value, seconds } of events) {
    const number = numbers.get(channel);
    if (number === undefined) continue;
    if (kind === 'beats') {
      context.beginPath();
      context.arc(chart.xOf(time), chart.yOf(number, value), 5, 0, 7);
      context.stroke();
      continue;
    }
    const { left, width } = extent(chart, time, seconds === undefined ? Math.max(time, chart.end) : time + seconds);
    const [top, height] = [chart.laneTop(number), chart.laneHeight];
    context.globalAlpha = 0.08;
    context.fillRect(left, top, Math.max(width, 1), height);
    context.globalAlpha = 1;
    context.fillRect(left, top + height - 3, Math.max(width, 2), 3);
    context.font = font;
    if (width < context.measureText(kind).width + 8) continue;
    context.textAlign = 'left';
    context.textBaseline = 'bottom';
    write(context, colors, kind, left + 4, top + height - 5, colors.strong);
    context.strokeStyle = context.fillStyle = colors.strong;
    context.lineWidth = 1.5;
  }
}

function drawMark(context, chart, colors, { time, seconds, text, channel }) {
  const { area } = chart;
  const number = channel ? chart.shown.findIndex(lane => lane.channels.some(({ name }) => name === channel)) : -1;
  if (channel && number < 0) return;
  const top = number < 0 ? area.y : chart.laneTop(number);
  const bottom = number < 0 ? chart.lanesBottom : top + chart.laneHeight;
  const { left, width } = extent(chart, time, time + (seconds ?? 0));
  const x = Math.round(left);
  context.fillStyle = colors.mark;
  if (seconds > 0) {
    context.globalAlpha = 0.14;
    context.fillRect(x, top, Math.max(width, 1), bottom - top);
    context.globalAlpha = 1;
  }
  context.fillRect(x, top, 2, bottom - top);
  context.font = boldFont;
  context.textBaseline = 'top';
  const textWidth = context.measureText(text).width;
  const isLeft = x + textWidth + 8 > area.x + area.width && x - textWidth - 8 > area.x;
  context.textAlign = isLeft ? 'right' : 'left';
  write(context, colors, text, isLeft ? x - 5 : x + 7, top + 2, colors.mark);
}

function drawCursor(context, chart, colors) {
  const { area, size, cursor } = chart;
  const x = Math.round(chart.xOf(cursor));
  if (x < area.x || x > area.x + area.width) return;
  context.fillStyle = colors.strong;
  context.fillRect(x, area.y, 1, chart.lanesBottom - area.y);
  const isRight = x > area.x + area.width / 2;
  const found = chart.valuesAt(cursor, chart.shown);
  context.font = boldFont;
  context.textBaseline = 'middle';
  context.textAlign = isRight ? 'right' : 'left';
  chart.shown.forEach((lane, number) => {
    const own = found.filter(({ channel }) => lane.channels.includes(channel));
    const [top, height] = [chart.laneTop(number), chart.laneHeight];
    let lowest = top + height / 2;
    for (const { value, time, channel } of own) {
      if (value === undefined || Number.isNaN(value)) continue;
      const y = chart.yOf(number, value);
      lowest = y;
      context.beginPath();
      context.arc(chart.xOf(time), y, 3.5, 0, 7);
      context.fillStyle = colors.line(channel);
      context.fill();
      context.lineWidth = 1.5;
      context.strokeStyle = colors.lane;
      context.stroke();
    }
    const text = own.map(({ value }) => knownText(lane, value)).join(' → ');
    // Above or below the point, where there is more room.
    const y = lowest > top + height / 2 ? Math.max(top + 8, lowest - 13) : Math.min(top + height - 8, lowest + 13);
    write(context, colors, text, isRight ? x - 8 : x + 8, y, colors.strong);
  });
  const text = exactTimeText(chart, cursor);
  const width = context.measureText(text).width + 10;
  const left = Math.min(Math.max(x - width / 2, area.x), size.width - width - 2);
  context.fillStyle = colors.strong;
  context.beginPath();
  context.roundRect(left, size.height - 21, width, 18, 4);
  context.fill();
  context.fillStyle = colors.lane;
  context.textAlign = 'center';
  context.fillText(text, left + width / 2, size.height - 11.5);
}
