// The line of a channel on a canvas: of each column of pixels the first, lowest, highest and last sample, so that no peak is lost.

import { blockSize } from './signal-ring.js';

/**
 * Draws samples `begin` to before `end` of a ring.
 *
 * `time`: `{ origin, scale }`, pixels = (time − origin) × scale. `value`: `{ of, low, high, top, height }`, see `placement`, and
 * the step `halfTurn` over which an angle begins again, where the line is broken.
 * `gap`: the seconds without a sample after which the line is interrupted. `column`: the width of a column. `limit`: where the
 * canvas ends. `style`: `{ color, width, gapColor }`.
 */
export function drawTrace(context, ring, begin, end, { time: { origin, scale }, value, gap, column, limit, style }) {
  const { times, values, lows, highs, mask } = ring;
  const { of, low, high, top, height, halfTurn } = value;
  const slope = height / (high - low);
  const bottom = top + height;
  const yOf = given => {
    const y = top + (high - (of ? of(given) : given)) * slope;
    return y < top ? top : y > bottom ? bottom : y;
  };
  context.beginPath();
  let [isDown, lastTime, lastX, lastValue] = [false, NaN, 0, NaN];
  let [bin, lowest, highest, lastY, count] = [-1, 0, 0, 0, 0];
  const finish = () => {
    if (count < 2) return;
    context.lineTo(lastX, lowest);
    context.lineTo(lastX, highest);
    context.lineTo(lastX, lastY);
  };
  const lift = () => {
    finish();
    [isDown, bin, count] = [false, -1, 0];
  };
  const gaps = [];
  for (let i = begin; i < end; i += 1) {
    const at = i & mask;
    const turns = Math.abs(values[at] - lastValue) > halfTurn;
    // A block within the column.
    if (at % blockSize === 0 && isDown && !turns && i + blockSize < end) {
      const block = at / blockSize | 0;
      const last = at + blockSize - 1;
      const [from, to] = [lows[block], highs[block]];
      if (from === from && !(of && from <= 0) && !(to - from > halfTurn) && Math.floor((times[last] - origin) * scale / column) === bin) {
        const [y0, y1, y] = [yOf(from), yOf(to), yOf(values[last])];
        if (y0 > lowest) lowest = y0;
        if (y1 < highest) highest = y1;
        lastX = (times[last] - origin) * scale;
        [lastY, lastTime, lastValue] = [y, times[last], values[last]];
        count += blockSize;
        i += blockSize - 1;
        continue;
      }
    }
    const time = times[at];
    const y = yOf(values[at]);
    if (y !== y) {
      lift();
      // A value that a logarithmic scale has no place for is no gap.
      if (values[at] === values[at]) lastTime = NaN;
      continue;
    }
    const x = (time - origin) * scale;
    if (time - lastTime > gap) lift();
    if (!isDown && lastTime === lastTime && x - lastX > 2) gaps.push([lastX, x]);
    if (turns) lift();
    [lastTime, lastValue] = [time, values[at]];
    const place = Math.floor(x / column);
    if (place === bin) {
      if (y > lowest) lowest = y;
      if (y < highest) highest = y;
      [lastX, lastY] = [x, y];
      count += 1;
      continue;
    }
    finish();
    if (isDown) context.lineTo(x, y);
    else {
      context.moveTo(x, y);
      // A single sample is a dot.
      context.lineTo(x + 0.01, y);
      isDown = true;
    }
    [bin, lowest, highest, lastX, lastY, count] = [place, y, y, x, y, 1];
    if (x > limit + 4) break;
  }
  finish();
  context.fillStyle = style.gapColor;
  for (const [from, to] of gaps) context.fillRect(from + 1, top, to - from - 2, height);
  context.strokeStyle = style.color;
  context.lineWidth = style.width;
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.stroke();
}
