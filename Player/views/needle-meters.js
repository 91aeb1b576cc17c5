// Two needle meters. Levels of a meter with ballistics are shown as they are, since those contain the movement. Other
// levels move the needle as a VU meter's. Such a meter shows the mean of the rectified signal; here it is the RMS, which is the
// same for a steady sine.

import { levelTicks, shareOf } from '../charts/level-scale.js';
import { colors } from './visualizer-colors.js';
import { vuMovement } from './vu-movement.js';

/** The level from which the scale is red. */
const red = -6;
const swing = 0.82;

/** The needle's positions by channel. They are computed in advance, so that seeking gives the same positions. */
const computed = new WeakMap();

/** Returns the needle's position at each reading of a channel: 0 at the lowest level of the scale, 1 at the highest. */
export function needlePositions(levels, channel) {
  if (!computed.has(channel)) {
    const shown = levels.hasBallistics ? channel.values : vuLevels(channel.rms ?? channel.values, levels.rate);
    computed.set(channel, shown.map(level => Math.max(0, Math.min(1.06, shareOf(level)))));
  }
  return computed.get(channel);
}

/** Returns levels in dBFS as a VU meter's needle follows them. */
function vuLevels(levels, rate) {
  return vuMovement(levels.map(level => 10 ** (level / 20)), rate).map(amplitude => 20 * Math.log10(Math.max(amplitude, 1e-8)));
}

export function drawNeedles(context, levels, seconds, { width, height }) {
  const channels = levels.channels.slice(0, 2);
  const gap = 10;
  const each = (width - gap * (channels.length - 1)) / channels.length;
  channels.forEach((channel, index) => {
    const position = needlePositions(levels, channel)[levels.index(seconds)] ?? 0;
    context.save();
    context.translate(index * (each + gap), 0);
    face(context, each, height);
    needle(context, each, height, position);
    context.restore();
  });
}

/** Returns the pivot, which centres the scale in the face. */
function pivot(width, height) {
  const radius = Math.min(width * 0.54, height * 0.66);
  return { x: width / 2, y: height / 2 + radius * 0.55, radius };
}

function face(context, width, height) {
  const { x, y, radius } = pivot(width, height);
  context.fillStyle = colors.face;
  context.beginPath();
  context.roundRect(0, 10, width, height - 20, 8);
  context.fill();
  context.save();
  context.clip();
  context.font = '700 10px system-ui, sans-serif';
  context.textAlign = 'center';
  for (const { level, share, text } of levelTicks(Math.floor(radius / 9))) {
    const angle = (share * 2 - 1) * swing;
    const [sine, cosine] = [Math.sin(angle), -Math.cos(angle)];
    context.strokeStyle = context.fillStyle = level >= red ? '#b3261e' : colors.faceInk;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(x + sine * radius, y + cosine * radius);
    context.lineTo(x + sine * (radius - 9), y + cosine * (radius - 9));
    context.stroke();
    context.fillText(text.replace('−', ''), x + sine * (radius + 9), y + cosine * (radius + 9) + 3);
  }
  for (const [from, to, color] of [[0, shareOf(red), colors.faceInk], [shareOf(red), 1, '#b3261e']]) {
    const angle = share => (share * 2 - 1) * swing - Math.PI / 2;
    context.strokeStyle = color;
    context.lineWidth = color === colors.faceInk ? 1.5 : 4;
    context.beginPath();
    context.arc(x, y, radius - 1, angle(from), angle(to));
    context.stroke();
  }
  context.restore();
}

function needle(context, width, height, position) {
  const { x, y, radius } = pivot(width, height);
  const angle = (position * 2 - 1) * swing;
  context.save();
  context.beginPath();
  context.roundRect(0, 10, width, height - 20, 8);
  context.clip();
  context.strokeStyle = '#b3261e';
  context.lineWidth = 2.5;
  context.lineCap = 'round';
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + Math.sin(angle) * (radius - 3), y - Math.cos(angle) * (radius - 3));
  context.stroke();
  context.fillStyle = colors.faceInk;
  context.beginPath();
  context.arc(x, y, 11, 0, Math.PI * 2);
  context.fill();
  context.restore();
}
