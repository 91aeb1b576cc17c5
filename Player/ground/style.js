/**
 * The look of the ground, of the table style.json: colours by day and by night, also with those of a house, and what is drawn of a tile.
 * Documentation/player.md describes the table, which has all figures; this reads it.
 */

const channels = color => [1, 3, 5].map(at => parseInt(color.slice(at, at + 2), 16) / 255);
const linear = value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const encoded = value => value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
const hex = rgb => `#${rgb.map(value => Math.round(Math.min(1, Math.max(0, value)) * 255).toString(16).padStart(2, '0')).join('')}`;

/** The relative luminance of WCAG 2. */
export function luminance(color) {
  const [r, g, b] = channels(color).map(linear);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of WCAG 2, from 1 to 21. */
export function contrast(a, b) {
  const [dark, light] = [luminance(a), luminance(b)].sort((first, second) => first - second);
  return (light + 0.05) / (dark + 0.05);
}

/** Lightness, and the two axes of colour, of Oklab (Ottosson 2020). */
function oklab(color) {
  const [r, g, b] = channels(color).map(linear);
  const [l, m, s] = [
    0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b, 0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
    0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b,
  ].map(Math.cbrt);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab([lightness, a, b]) {
  const [l, m, s] = [
    lightness + 0.3963377774 * a + 0.2158037573 * b, lightness - 0.1055613458 * a - 0.0638541728 * b,
    lightness - 0.0894841775 * a - 1.291485548 * b,
  ].map(value => value ** 3);
  return hex([
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map(value => encoded(Math.max(0, value))));
}

/** Returns a colour with the hue of another one, at the strength `chroma`. */
function tinted(color, toward, chroma) {
  const [lightness] = oklab(color);
  const [, a, b] = oklab(toward);
  const strength = Math.hypot(a, b);
  const share = Math.min(chroma, strength) / (strength || 1);
  return fromOklab([lightness, a * share, b * share]);
}

/** Returns a colour that is as much darker or lighter as it takes to have a contrast to all of `others`. */
function readable(color, others, least) {
  const isEnough = wanted => others.every(other => contrast(wanted, other) >= least);
  if (isEnough(color)) return color;
  const [lightness, a, b] = oklab(color);
  const mean = others.reduce((sum, other) => sum + luminance(other), 0) / others.length;
  const direction = luminance(color) < mean ? -1 : 1;
  for (let step = 1; step <= 100; step++) {
    const next = fromOklab([Math.min(1, Math.max(0, lightness + direction * step / 100)), a, b]);
    if (isEnough(next)) return next;
  }
  return color;
}

/**
 * Returns the colours of a scheme, 'light' or 'dark', by their names in the table; with the hue of a house's colour, if it has one. What
 * the table wants to be readable is readable in any case.
 */
export function paletteOf(table, scheme, house) {
  const palette = { ...table.colors[scheme] };
  if (house) {
    for (const [name, chroma] of Object.entries(table.tint[scheme])) palette[name] = tinted(palette[name], house, chroma);
  }
  for (const { of, against, least } of table.contrast) {
    for (const name of of) palette[name] = readable(palette[name], against.map(other => palette[other]), least);
  }
  return palette;
}

/** Returns a number, or that of a zoom between `[zoom, number]`, in straight lines; before and behind them it stays. */
export function valueAt(stops, zoom) {
  if (typeof stops === 'number') return stops;
  const next = stops.findIndex(([at]) => at >= zoom);
  if (next === 0) return stops[0][1];
  if (next < 0) return stops.at(-1)[1];
  const [[from, start], [to, end]] = stops.slice(next - 1, next + 1);
  return start + (end - start) * (zoom - from) / (to - from);
}

const types = ['', 'point', 'line', 'polygon'];

/** Whether a feature has one of the values of each attribute; `$type` is that of its geometry. */
const isMatch = (feature, match) => Object.entries(match).every(([name, values]) =>
  values.includes(name === '$type' ? types[feature.type] : feature.get(name)));

/** What is drawn of tiles: the layers and labels of the table, by the layers of tiles that they take. */
export class Style {
  constructor(table) {
    this.table = table;
    this.layers = table.layers.map((layer, index) => ({ ...layer, index }));
    this.labels = table.labels.map((label, index) => ({ ...label, index }));
    const by = rows => rows.reduce((map, row) => map.set(row.source, [...map.get(row.source) ?? [], row]), new Map());
    [this.layersOf, this.labelsOf] = [by(this.layers), by(this.labels)];
  }

  /** The first layer that takes a feature of a tile's layer; undefined if it is not drawn. */
  layerOf(source, feature) { return this.#first(this.layersOf.get(source), feature); }

  /** The first label that takes a feature of a tile's layer; undefined if it is not named. */
  labelOf(source, feature) { return this.#first(this.labelsOf.get(source), feature); }

  #first(rows, feature) {
    return rows?.find(({ match, not }) => (!match || isMatch(feature, match)) && !(not && isMatch(feature, not)));
  }
}
