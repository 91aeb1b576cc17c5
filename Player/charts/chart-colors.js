// The colours of a strip chart, from the style of its node, so that light and dark are the page's.

/** Returns the colours of a chart, by their names in charts.css: `line(channel)` of its line, and legible ones of series for their names. */
export function chartColors(node) {
  const style = getComputedStyle(node);
  const color = name => style.getPropertyValue(name).trim();
  const series = Array.from({ length: 16 }, (_, i) => color(`--series-${i + 1}`)).filter(Boolean);
  const [lane, faint] = [color('--chart-lane'), color('--chart-faint')];
  return {
    text: color('--chart-text'), strong: color('--chart-strong'), grid: color('--chart-grid'), axis: color('--chart-axis'), lane,
    mark: color('--chart-mark'), gap: color('--chart-gap'), missed: color('--chart-missed'), series,
    names: series.map(one => legible(one, lane, color('--chart-strong'))),
    line: ({ color: place, isBehind }) => (isBehind ? faint : series[place % series.length]),
  };
}

/** Mixes two colours `#rrggbb`: `share` of the first. */
function mixed(one, other, share) {
  const [a, b] = [channels(one), channels(other)];
  return `#${a.map((value, i) => Math.round(value * share + b[i] * (1 - share)).toString(16).padStart(2, '0')).join('')}`;
}

const channels = text => [1, 3, 5].map(at => parseInt(text.slice(at, at + 2), 16));

/** The relative luminance of a colour (WCAG 2.2). */
function luminance(text) {
  const [r, g, b] = channels(text).map(value => value / 255).map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns a colour that is legible as text on another one, with a contrast of 4.5: mixed with a third as far as needed. */
function legible(one, ground, strong) {
  for (let share = 1; share > 0; share -= 0.1) {
    const found = mixed(one, strong, share);
    const [low, high] = [luminance(found), luminance(ground)].sort((a, b) => a - b);
    if ((high + 0.05) / (low + 0.05) >= 4.5) return found;
  }
  return strong;
}
