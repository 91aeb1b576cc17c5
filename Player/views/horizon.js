// Sky, ground and a scale of compass points, for a view of pins without a camera. Over a camera's picture, only the scale
// is drawn.

import { compassPoint } from '../components/words.js';

const radians = Math.PI / 180;

export function drawHorizon(canvas, { heading, pitch, fieldOfView, width, height, isClear }) {
  const ratio = Math.min(devicePixelRatio, 2);
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const focal = width / 2 / Math.tan(fieldOfView / 2 * radians);
  const horizon = height / 2 + focal * Math.tan(pitch * radians);
  if (!isClear) {
    const sky = context.createLinearGradient(0, 0, 0, Math.max(1, horizon));
    sky.addColorStop(0, '#4f86ad');
    sky.addColorStop(1, '#dcebee');
    context.fillStyle = sky;
    context.fillRect(0, 0, width, height);
    const ground = context.createLinearGradient(0, horizon, 0, height);
    ground.addColorStop(0, '#8c9a80');
    ground.addColorStop(1, '#4d5a48');
    context.fillStyle = ground;
    context.fillRect(0, horizon, width, height - horizon);
  }
  context.textAlign = 'center';
  for (let bearing = 0; bearing < 360; bearing += 15) {
    const turn = ((bearing - heading + 540) % 360) - 180;
    if (Math.abs(turn) > fieldOfView / 2 + 5) continue;
    const x = width / 2 + focal * Math.tan(turn * radians);
    const isMain = bearing % 45 === 0;
    context.fillStyle = 'rgb(12 20 24 / 0.82)';
    context.fillRect(x - 1, 0, 2, isMain ? 12 : 7);
    if (!isMain) continue;
    context.font = '800 13px system-ui, sans-serif';
    const text = compassPoint(bearing);
    const size = context.measureText(text).width + 14;
    context.beginPath();
    context.roundRect(x - size / 2, 14, size, 22, 4);
    context.fill();
    context.fillStyle = '#fff';
    context.fillText(text, x, 30);
  }
}
