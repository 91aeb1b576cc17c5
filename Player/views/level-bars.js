// Bars around the current time: past audio at the left, coming audio at the right; the left channel upwards, the right
// one downwards.

import { lowest } from '../charts/level-scale.js';
import { colors } from './visualizer-colors.js';

const pitch = 7;
const perSecond = 10;

export function drawBars(context, levels, seconds, { width, height }) {
  const [left, right = left] = levels.channels;
  const middle = height / 2;
  const now = width * 0.5;
  const first = Math.floor(seconds * perSecond - now / pitch);
  for (let index = first; index <= seconds * perSecond + (width - now) / pitch; index++) {
    const time = index / perSecond;
    if (time < 0 || time > levels.duration) continue;
    const x = now + (time - seconds) * perSecond * pitch;
    const heard = Math.min(1, Math.max(0, (seconds - time) * perSecond + 0.5));
    context.globalAlpha = 0.34 + 0.66 * heard;
    bar(context, x, middle - 1, -loudest(levels, left, time) * (middle - 16), colors.left);
    bar(context, x, middle + 1, loudest(levels, right, time) * (middle - 16), colors.right);
  }
  context.globalAlpha = 1;
  context.fillStyle = '#fff';
  context.fillRect(now - 1, 8, 2, height - 16);
}

/** Returns the loudest reading in the interval of a bar. */
function loudest(levels, channel, time) {
  let share = 0;
  for (let at = time; at < time + 1 / perSecond; at += 1 / levels.rate) share = Math.max(share, levels.share(channel, at, lowest));
  return share;
}

function bar(context, x, from, height, color) {
  context.fillStyle = color;
  context.beginPath();
  const size = Math.max(2, Math.abs(height));
  context.roundRect(x - pitch * 0.3, height < 0 ? from - size : from, pitch * 0.6, size, 2);
  context.fill();
}
