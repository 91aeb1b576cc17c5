// Round distances between ticks, the same as in the plots of `wayreel streams plot` (ChartAxis.swift).

/** Steps by what an axis shows, ascending; outside of a table, 1, 2 and 5 times powers of ten of its ends. */
const tables = {
  decimal: [1],
  time: [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400],
  // 6 dB are twice the amplitude.
  decibels: [1, 2, 3, 6, 12, 20, 30, 60],
};

/** Returns the smallest of 1, 2 and 5 times a power of ten that is at least `distance`. */
function decimalStep(distance) {
  const power = 10 ** Math.floor(Math.log10(distance));
  return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= distance * (1 - 1e-9)) ?? 10 * power;
}

function stepOf(table, distance) {
  const [first, last] = [table[0], table.at(-1)];
  if (distance > last) return last * decimalStep(distance / last);
  const below = first * decimalStep(distance / first);
  return below < first ? below : table.find(step => step >= distance * (1 - 1e-9));
}

/** Returns the step of at most `most` ticks from `low` to `high`, and their values. `kind`: 'decimal', 'time' in seconds, or 'decibels'. */
export function ticks(low, high, most, kind = 'decimal') {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return { step: 1, values: [low] };
  const next = distance => stepOf(tables[kind], distance);
  let step = next(span / Math.max(most, 1));
  for (;;) {
    const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
    if (last - first < most) {
      return { step, values: Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step + 0) };
    }
    step = next(step * 1.01);
  }
}

/** Returns the range from the tick below `low` to the tick above `high`. */
export function widened(low, high, most) {
  const count = Math.max(most, 3);
  let step = decimalStep((high - low) / (count - 1));
  for (;;) {
    const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
    if (last - first < count) return [first * step, Math.max(last, first + 1) * step];
    step = decimalStep(step * 1.01);
  }
}

/** Returns powers of ten, or 1, 2 and 5 times those, at most `most` of them, between two positive numbers. */
export function decades(low, high, most) {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const powers = Array.from({ length: Math.max(1, last - first + 1) }, (_, i) => 10 ** (first + i));
  const inside = values => values.filter(value => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9));
  const fine = inside(powers.flatMap(power => [power, 2 * power, 5 * power]));
  if (fine.length <= most) return fine;
  const each = Math.ceil(powers.length / Math.max(most, 1));
  return inside(powers.filter((_, i) => (first + i) % each === 0));
}

/** Returns the range from the power of ten below `low` to the one above `high`. */
export function widenedDecades(low, high) {
  const first = Math.floor(Math.log10(low) + 1e-9);
  return [10 ** first, 10 ** Math.max(Math.ceil(Math.log10(high) - 1e-9), first + 1)];
}

/** Returns a number with the decimals that multiples of `step` need, with a true minus sign. */
export function tickText(value, step) {
  const places = Math.min(9, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
  const large = Math.abs(value) >= 1e7;
  return (large ? value.toExponential(1) : value.toFixed(places)).replace('-', '−');
}

/** Returns seconds as `12.5`, `3:05` or `1:02:30`, by what is the largest of an axis. */
export function secondsText(seconds, step, largest) {
  const places = step < 1 ? Math.min(6, Math.max(1, Math.ceil(-Math.log10(step) - 1e-9))) : 0;
  if (largest < 60 || step < 1 && largest < 600) return tickText(seconds, step);
  const sign = seconds < 0 ? '−' : '';
  const rounded = Math.abs(seconds).toFixed(places);
  const [whole, fraction] = rounded.split('.');
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = largest < 3600 ? parts.slice(1) : parts;
  const text = shown.map((part, i) => (i === 0 ? `${part}` : `${part}`.padStart(2, '0'))).join(':');
  return sign + text + (fraction ? `.${fraction}` : '');
}

/** Returns the time of day of `origin` + `seconds` (Unix time, in UTC) as `17:05:09` or with the decimals of `step`. */
export function clockText(seconds, step, origin) {
  const places = step < 1 ? Math.min(3, Math.ceil(-Math.log10(step) - 1e-9)) : 0;
  const date = new Date(Math.round((origin + seconds) * 1000));
  if (Number.isNaN(date.getTime())) return tickText(seconds, step);
  const text = date.toISOString();
  if (step >= 86400) return text.slice(0, 10);
  return step >= 60 ? text.slice(11, 16) : text.slice(11, 19) + (places > 0 ? text.slice(19, 20 + places) : '');
}
