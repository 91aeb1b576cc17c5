// A strip chart: the levels of the last seconds as two lines that move to the left, the current time at the right.

import { levelTicks, lowest } from '../charts/level-scale.js';
import { colors } from './visualizer-colors.js';

const span = 8;

export function drawStrip(context, levels, seconds, { width, height }) {
  const [top, bottom, right] = [16, height - 16, width - 46];
  const y = share => bottom - (bottom - top) * share;
  context.font = '600 11px system-ui, sans-serif';
  context.textAlign = 'left';
  for (const { share, text } of levelTicks(Math.max(2, Math.floor((bottom - top) / 28)))) {
    const at = y(share);
    context.fillStyle = colors.soft;
    context.fillRect(0, at, right, 1);
    context.fillStyle = colors.text;
    context.fillText(text, right + 14, at + 4);
  }
  const perSecond = right / span;
  // One point for each reading, but not more than two for a pixel.
  const step = Math.max(1 / levels.rate, 0.5 / perSecond);
  levels.channels.slice(0, 2).forEach((channel, index) => {
    const color = index === 0 ? colors.left : colors.right;
    context.beginPath();
    // Points are at the times of readings, so that the line moves without jitter.
    const last = Math.floor(seconds / step) * step;
    context.moveTo(right, y(levels.share(channel, seconds, lowest)));
    for (let time = last; time > Math.max(0, seconds - span); time -= step) {
      context.lineTo(right - (seconds - time) * perSecond, y(levels.share(channel, time, lowest)));
    }
    context.lineWidth = 2.2;
    context.lineJoin = 'round';
    context.strokeStyle = color;
    context.stroke();
    context.beginPath();
    context.arc(right, y(levels.share(channel, seconds, lowest)), 5, 0, Math.PI * 2);
    context.fillStyle = color;
    context.fill();
  });
}
