// What is drawn and named of a tile, in units of 1/4096 of its side.

import { extent } from './cover.js';
import { line, point, polygon, readTile } from './mvt.js';

/** The most characters of a name. */
const longestName = 48;

/** The most numbers of a line along which a name may stand: x and y of each point. */
const mostNumbers = 4000;

const characters = new Intl.Segmenter();

/** Returns as much of a name as a map shows. */
function shortened(name) {
  if (name.length <= longestName) return name;
  const parts = [...characters.segment(name.slice(0, longestName * 8))].map(({ segment }) => segment);
  return parts.length <= longestName ? parts.join('') : `${parts.slice(0, longestName - 1).join('').trimEnd()}…`;
}

/** Collects lines or rings. */
class Shapes {
  points = [];
  ends = [];

  add({ points, ends }, factor, isRing) {
    let start = 0;
    for (const end of ends) {
      if (end - start >= (isRing ? 6 : 4)) {
        for (let at = start; at < end; at++) this.points.push(Math.max(-32768, Math.min(32767, Math.round(points[at] * factor))));
        this.ends.push(this.points.length);
      }
      start = end;
    }
  }

  /** The shapes as arrays of numbers, which are smaller. */
  get packed() { return { points: Int16Array.from(this.points), ends: Uint32Array.from(this.ends) }; }
}

const levels = { tunnel: 0, bridge: 2 };

/**
 * A tile that is ready to be drawn. `shapes` has what each layer of the style draws, by its index: below the ground, on it, and on bridges.
 * `names` is what is named: `{text, label, rank, line}` with the label's index and the points of a line, or `{text, label, rank, place}`.
 */
export class Tile {
  #paths = new Map();

  /** Reads the bytes of a tile. `languages` are those in which places are named, if a tile has them; else they have their own names. */
  constructor(bytes, style, languages = []) {
    this.shapes = new Map();
    this.names = [];
    const tags = languages.flatMap(tag => [`name:${tag}`, `name:${tag.split('-')[0]}`]);
    for (const layer of readTile(bytes)) {
      const factor = extent / layer.extent;
      const [isDrawn, isNamed] = [style.layersOf.has(layer.name), style.labelsOf.has(layer.name)];
      for (const feature of isDrawn || isNamed ? layer.features : []) {
        if (isDrawn) this.#draw(feature, style.layerOf(layer.name, feature), factor);
        if (isNamed) this.#name(feature, style.labelOf(layer.name, feature), factor, tags);
      }
    }
    this.size = 1000;
    for (const [index, parts] of this.shapes) {
      const packed = parts.map(shapes => shapes?.packed);
      this.shapes.set(index, packed);
      for (const shapes of packed) this.size += shapes ? shapes.points.length * pointSize : 0;
    }
    for (const { line } of this.names) this.size += 200 + (line?.length ?? 0) * 8;
  }

  #draw(feature, layer, factor) {
    const isRing = layer?.kind === 'fill';
    if (!layer || layer.kind === 'none' || feature.type !== (isRing ? polygon : line)) return;
    if (!this.shapes.has(layer.index)) this.shapes.set(layer.index, []);
    const parts = this.shapes.get(layer.index);
    const shapes = parts[levels[feature.get('brunnel')] ?? 1] ??= new Shapes();
    shapes.add(feature.geometry, factor, isRing);
  }

  #name(feature, label, factor, tags) {
    if (!label) return;
    // What is along a way is named as the signs there are.
    const names = [...label.along ? [] : tags, ...label.text ?? ['name']].map(tag => feature.get(tag));
    const name = names.find(name => typeof name === 'string' && name.split(';')[0].trim() !== '');
    if (!name) return;
    // OpenStreetMap separates several names like this.
    const common = { text: shortened(name.split(';')[0].trim()), label: label.index, rank: Number(feature.get('rank')) || 0 };
    const { points, ends } = feature.geometry;
    if (label.along && feature.type === line) {
      let start = 0;
      for (const end of ends) {
        for (const part of clipped(points.subarray(start, Math.min(end, start + mostNumbers)), factor)) this.names.push({ ...common, line: part });
        start = end;
      }
    } else if (feature.type === point && points.length > 1) {
      const place = [points[0] * factor, points[1] * factor];
      // What is beyond the side belongs to the next tile.
      if (place.every(value => value >= 0 && value < extent)) this.names.push({ ...common, place });
    }
  }

  /** The path of what a layer draws at a level, in the tile's units; undefined if it draws nothing. */
  path(layer, level) {
    const shapes = this.shapes.get(layer.index)?.[level];
    if (!shapes) return undefined;
    const key = layer.index * 3 + level;
    if (!this.#paths.has(key)) this.#paths.set(key, pathOf(shapes, layer.kind === 'fill'));
    return this.#paths.get(key);
  }
}

/** The bytes of a number of a point, with those of its path, as about four times as much. */
const pointSize = 10;

function pathOf({ points, ends }, isRing) {
  const path = new Path2D();
  let start = 0;
  for (const end of ends) {
    path.moveTo(points[start], points[start + 1]);
    for (let at = start + 2; at < end; at += 2) path.lineTo(points[at], points[at + 1]);
    if (isRing) path.closePath();
    start = end;
  }
  return path;
}

/** Returns the parts of a line within its tile, which end at its sides, so that they can be joined with those of other tiles. */
function clipped(points, factor) {
  const parts = [];
  let part = [];
  const end = () => {
    if (part.length > 2) parts.push(part);
    part = [];
  };
  for (let at = 0; at + 3 < points.length; at += 2) {
    const [x, y, dx, dy] = [points[at], points[at + 1], points[at + 2] - points[at], points[at + 3] - points[at + 1]].map(value => value * factor);
    // The share of the segment within the tile (Liang and Barsky 1984).
    let [first, last] = [0, 1];
    for (const [step, room] of [[-dx, x], [dx, extent - x], [-dy, y], [dy, extent - y]]) {
      if (step === 0 && room < 0) last = -1;
      else if (step < 0) first = Math.max(first, room / step);
      else if (step > 0) last = Math.min(last, room / step);
    }
    if (first >= last) {
      end();
      continue;
    }
    if (first > 0 || part.length === 0) {
      end();
      part.push(x + dx * first, y + dy * first);
    }
    part.push(x + dx * last, y + dy * last);
    if (last < 1) end();
  }
  end();
  return parts;
}
