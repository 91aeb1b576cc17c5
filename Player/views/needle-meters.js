// Two needle meters with the ballistics of IEC 60268-17: the needle moves 99 % of the way within 300 ms.

import { colors } from './visualizer-colors.js';

const [lowest, highest] = [-40, 0];
const marks = [-40, -30, -20, -15, -10, -6, -3, 0];
/** The time constant in seconds of that movement. */
const constant = 0.3 / Math.log(100);
const swing = 0.82;

/**
 * The needle's position at each reading of a channel, from 0 to 1. It is computed in advance, so that seeking gives the
 * same positions.
 */
const ways = new WeakMap();

function way(levels, channel) {
  if (!ways.has(channel)) {
    const share = 1 - Math.exp(-1 / levels.rate / constant);
    let value = 0;
    ways.set(channel, Float32Array.from(channel.values, level => {
      const aim = Math.max(0, Math.min(1.06, (level - lowest) / (highest - lowest)));
      value += (aim - value) * share;
      return value;
    }));
  }
  return ways.get(channel);
}

export function drawNeedles(context, levels, seconds, { width, height }) {
  const channels = levels.channels.slice(0, 2);
  const gap = 10;
  const each = (width - gap * (channels.length - 1)) / channels.length;
  channels.forEach((channel, index) => {
    const position = way(levels, channel)[levels.index(seconds)] ?? 0;
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
  for (const mark of marks) {
    const angle = ((mark - lowest) / (highest - lowest) * 2 - 1) * swing;
    const [sine, cosine] = [Math.sin(angle), -Math.cos(angle)];
    context.strokeStyle = context.fillStyle = mark > -6 ? '#b3261e' : colors.faceInk;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(x + sine * radius, y + cosine * radius);
    context.lineTo(x + sine * (radius - 9), y + cosine * (radius - 9));
    context.stroke();
    context.fillText(`${Math.abs(mark)}`, x + sine * (radius + 9), y + cosine * (radius + 9) + 3);
  }
  for (const [from, to, color] of [[-40, -6, colors.faceInk], [-6, 0, '#b3261e']]) {
    const angle = level => ((level - lowest) / (highest - lowest) * 2 - 1) * swing - Math.PI / 2;
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
