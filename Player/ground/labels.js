// Names on the map: along streets and at places, upright, above neither marks nor each other.

import { columnsBetween, extent } from './cover.js';
import { valueAt } from './style.js';

/** Scripts whose characters may be set one by one along a curve; those of others join, or stand in another order. */
const separable = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]+$/u;

const characters = new Intl.Segmenter();

/** Units between the places where a name along a line may stand: it is at the one or the other. */
const interval = extent * 0.28;

/** The most places on one side of a line's middle. */
const mostAnchors = 40;

/** Pixels between two places of the same name. */
const apart = 260;

/** The most names at once, and the most parts of lines that are joined. */
const [mostNames, mostParts] = [60, 4000];

/** The radians by which a name may turn from one character to the next. */
const sharpest = 0.45;

export class Labels {
  #items = [];
  #key;
  /** Where names stood in the last drawing, so that they stay there. */
  #shown = new Map();
  #widths = new Map();

  constructor(style) {
    this.style = style;
  }

  /**
   * Draws the names of `tiles`, which are all of one zoom, on a canvas with `ratio` pixels for one of the page: within `area`, and outside of
   * `obstacles`, both as `[left, top, right, bottom]`. Returns what it has drawn: `[{text, boxes}]`.
   */
  draw(c, { camera, plane, tiles, zoom, palette, ratio, area, obstacles }) {
    this.#collect(tiles);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    c.lineJoin = 'round';
    const taken = obstacles.map(box => [...box]);
    const placed = [];
    const counts = new Map();
    const project = this.#projection(camera, plane);
    const shown = new Map();
    for (const item of this.#sorted()) {
      const { label } = item;
      if (zoom < (label.from ?? 0) || zoom >= (label.to ?? Infinity)) continue;
      if (placed.length >= mostNames || (counts.get(label) ?? 0) >= (label.most ?? Infinity)) continue;
      const size = valueAt(label.size, zoom);
      c.font = `${label.italic ? 'italic ' : ''}${label.weight} ${size}px system-ui, sans-serif`;
      const isFree = boxes => boxes.every(box => isWithin(box, area) && !taken.some(other => overlap(box, other)));
      const isAlone = (x, y) => !placed.some(other => other.text === item.text && Math.hypot(other.x - x, other.y - y) < apart);
      const found = item.line ? this.#along(c, item, size, project, isFree, isAlone) : this.#at(c, item, size, project, isFree, isAlone);
      if (!found) continue;
      taken.push(...found.boxes);
      placed.push({ ...found, text: item.text, label, font: c.font, size });
      counts.set(label, (counts.get(label) ?? 0) + 1);
      shown.set(item, found.anchor);
    }
    this.#shown = shown;
    for (const name of placed) this.#write(c, name, palette);
    return placed.map(({ text, boxes, angles }) => ({ text, boxes, angles }));
  }

  /** The names, those that stood there first, and then those of more importance. */
  #sorted() {
    const isNew = item => this.#shown.has(item) ? 0 : 1;
    return this.#items.sort((a, b) => a.label.index - b.label.index || isNew(a) - isNew(b) || a.rank - b.rank || b.length - a.length
      || (a.text < b.text ? -1 : 1));
  }

  /** Collects the names of tiles, and joins the lines of each, unless the tiles are those of before. */
  #collect(tiles) {
    const key = tiles.map(({ zoom, column, row }) => `${zoom}/${column}/${row}`).sort().join();
    if (key === this.#key) return;
    this.#key = key;
    const [first] = tiles;
    this.base = first;
    const lines = new Map();
    this.#items = [];
    let parts = 0;
    for (const { tile, column, row } of tiles) {
      const [right, down] = [columnsBetween(first.column, column, first.zoom) * extent, (row - first.row) * extent];
      for (const { text, label: index, rank, line, place } of tile.names) {
        const label = this.style.labels[index];
        if (place) {
          this.#items.push({ text, label, rank, length: 0, place: [place[0] + right, place[1] + down] });
        } else if (parts++ < mostParts) {
          const id = `${index} ${text}`;
          if (!lines.has(id)) lines.set(id, { text, label, rank, parts: [] });
          lines.get(id).parts.push(line.map((value, at) => value + (at % 2 ? down : right)));
        }
      }
    }
    for (const { parts, ...name } of lines.values()) {
      for (const line of joined(parts)) this.#items.push({ ...name, line, ...measured(line) });
    }
    this.#shown = new Map([...this.#shown].flatMap(([old, anchor]) => {
      const same = this.#items.find(item => item.text === old.text && item.label === old.label && item.length === old.length);
      return same ? [[same, anchor]] : [];
    }));
  }

  /** Returns a function from units of the first tile to pixels. */
  #projection(camera, plane) {
    if (!this.base) return undefined;
    const { zoom, column, row } = this.base;
    // The tile at the centre of the map says how long a unit is: there it has to be right.
    const [across, down] = plane.offset(zoom, column, row).map(Math.floor);
    const [east, north, eastward, northward] = plane.metres(zoom, column + across, row + down);
    return (x, y) => camera.at(east + (x - across * extent) * eastward, north + (y - down * extent) * northward);
  }

  #along(c, item, size, project, isFree, isAlone) {
    const { line, anchors } = item;
    const { first, points } = longestSeen(line, project);
    if (points.length < 2) return undefined;
    const lengths = [0];
    for (let at = 1; at < points.length; at++) {
      lengths.push(lengths[at - 1] + Math.hypot(points[at].x - points[at - 1].x, points[at].y - points[at - 1].y));
    }
    const path = { points, lengths, length: lengths.at(-1) };
    const { text } = item;
    const width = this.#width(c, text);
    if (width + 6 > path.length) return undefined;
    const before = this.#shown.get(item);
    for (const anchor of before === undefined ? anchors.keys() : [before, ...anchors.keys()]) {
      const [segment, share] = [anchors[anchor][0] - first, anchors[anchor][1]];
      if (segment < 0 || segment > lengths.length - 2) continue;
      const at = lengths[segment] + (lengths[segment + 1] - lengths[segment]) * share;
      const [x, y] = pointAt(path, at);
      if (!isAlone(x, y)) continue;
      const name = this.#lineUp(c, text, path, at, width, size);
      if (name && isFree(name.boxes)) return { ...name, x, y, anchor };
    }
    return undefined;
  }

  /** Returns how a text stands along a path about a length of it: in one piece where the path is straight, else character by character. */
  #lineUp(c, text, path, at, width, size) {
    const [start, end] = [at - width / 2, at + width / 2];
    if (start < 0 || end > path.length) return undefined;
    const [a, b] = [pointAt(path, start), pointAt(path, end)];
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const chord = Math.hypot(dx, dy);
    if (chord < width * 0.75) return undefined;
    const isBackward = dx < 0;
    // How far the path is on one side of the straight line, and on the other.
    let [most, least] = [0, 0];
    for (let index = 0; index < path.points.length; index++) {
      if (path.lengths[index] <= start || path.lengths[index] >= end) continue;
      const { x, y } = path.points[index];
      const side = ((x - a[0]) * dy - (y - a[1]) * dx) / chord;
      [most, least] = [Math.max(most, side), Math.min(least, side)];
    }
    if (most - least < size * 0.45) {
      const aside = (most + least) / 2;
      const middle = [(a[0] + b[0]) / 2 + dy / chord * aside, (a[1] + b[1]) / 2 - dx / chord * aside];
      const angle = Math.atan2(dy, dx) + (isBackward ? Math.PI : 0);
      return { pieces: [{ text, x: middle[0], y: middle[1], angle }], boxes: boxesAlong(middle, angle, width, size), angles: [angle] };
    }
    if (!separable.test(text)) return undefined;
    const pieces = [];
    const boxes = [];
    let [done, last] = [0, undefined];
    for (const { segment } of characters.segment(text)) {
      const wide = this.#width(c, segment);
      const middle = isBackward ? end - done - wide / 2 : start + done + wide / 2;
      const [x, y] = pointAt(path, middle);
      const [before, behind] = [pointAt(path, middle - size * 0.6), pointAt(path, middle + size * 0.6)];
      const angle = Math.atan2(behind[1] - before[1], behind[0] - before[0]) + (isBackward ? Math.PI : 0);
      if (last !== undefined && Math.abs(Math.atan2(Math.sin(angle - last), Math.cos(angle - last))) > sharpest) return undefined;
      if (Math.cos(angle) < 0) return undefined;
      last = angle;
      pieces.push({ text: segment, x, y, angle });
      boxes.push(squareAt(x, y, Math.max(wide, size) * 0.62));
      done += wide;
    }
    return { pieces, boxes, angles: pieces.map(({ angle }) => angle) };
  }

  /** Returns how a text stands at a place: on it, or below its dot. */
  #at(c, item, size, project, isFree, isAlone) {
    const point = project(...item.place);
    if (!point || !isAlone(point.x, point.y)) return undefined;
    const text = item.label.capitals ? item.text.toLocaleUpperCase() : item.text;
    const lines = wrapped(text, size * 9, part => this.#width(c, part));
    const step = size * 1.15;
    const top = item.label.dot ? point.y + size * 0.95 : point.y - (lines.length - 1) * step / 2;
    const pieces = lines.map((line, index) => ({ text: line, x: point.x, y: top + index * step, angle: 0 }));
    const half = Math.max(...lines.map(line => this.#width(c, line))) / 2 + 2;
    const boxes = [[point.x - half, top - size * 0.65, point.x + half, top + (lines.length - 1) * step + size * 0.65]];
    if (item.label.dot) boxes.push(squareAt(point.x, point.y, 4));
    if (!isFree(boxes)) return undefined;
    return { pieces, boxes, angles: [0], x: point.x, y: point.y, anchor: 0, dot: item.label.dot && point };
  }

  #width(c, text) {
    const key = `${c.font} ${text}`;
    if (this.#widths.size > 5000) this.#widths.clear();
    if (!this.#widths.has(key)) this.#widths.set(key, c.measureText(text).width);
    return this.#widths.get(key);
  }

  #write(c, { pieces, label, font, size, dot }, palette) {
    const { a: ratio } = c.getTransform();
    c.font = font;
    c.lineWidth = size * 0.28;
    [c.strokeStyle, c.fillStyle] = [palette.halo, palette[label.color]];
    const each = write => {
      for (const { text, x, y, angle } of pieces) {
        const [cosine, sine] = [Math.cos(angle) * ratio, Math.sin(angle) * ratio];
        c.setTransform(cosine, sine, -sine, cosine, x * ratio, y * ratio);
        write(text);
      }
      c.setTransform(ratio, 0, 0, ratio, 0, 0);
    };
    // All rims are below all characters.
    each(text => c.strokeText(text, 0, 0));
    each(text => c.fillText(text, 0, 0));
    if (!dot) return;
    c.beginPath();
    c.arc(dot.x, dot.y, 3, 0, Math.PI * 2);
    c.lineWidth = 3;
    c.stroke();
    c.fill();
  }
}

const isWithin = (box, area) => box[0] >= area[0] && box[1] >= area[1] && box[2] <= area[2] && box[3] <= area[3];
const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
const squareAt = (x, y, half) => [x - half, y - half, x + half, y + half];

/** Squares that cover a text of a width and size that is turned about its middle. */
function boxesAlong([x, y], angle, width, size) {
  const count = Math.max(1, Math.ceil(width / size));
  return Array.from({ length: count }, (_, index) => {
    const aside = ((index + 0.5) / count - 0.5) * width;
    return squareAt(x + Math.cos(angle) * aside, y + Math.sin(angle) * aside, size * 0.65);
  });
}

/** Returns the part of a line that is before the camera, its longest one, and the index of its first point. */
function longestSeen(line, project) {
  let [best, part] = [{ first: 0, points: [] }, { first: 0, points: [] }];
  for (let at = 0; at < line.length; at += 2) {
    const point = project(line[at], line[at + 1]);
    if (point) part.points.push(point);
    else part = { first: at / 2 + 1, points: [] };
    if (part.points.length > best.points.length) best = part;
  }
  return best;
}

/** The place at a length of a path, which goes on straight at its ends. */
function pointAt({ points, lengths }, at) {
  let index = 1;
  while (index < lengths.length - 1 && lengths[index] < at) index += 1;
  const [a, b] = [points[index - 1], points[index]];
  const share = (at - lengths[index - 1]) / (lengths[index] - lengths[index - 1] || 1);
  return [a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share];
}

/** Returns the lines of a text whose words are below each other. */
function wrapped(text, width, measure) {
  const lines = [];
  for (const word of text.split(' ')) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && (measure(longer) <= width || lines.length === 3)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Joins lines that go on where another one ends, without a sharp turn. */
function joined(parts) {
  const ends = new Map();
  const key = (x, y) => `${Math.round(x / 4)} ${Math.round(y / 4)}`;
  const [left, done] = [new Set(parts), []];
  for (const part of parts) {
    for (const end of [key(part[0], part[1]), key(part.at(-2), part.at(-1))]) ends.set(end, [...ends.get(end) ?? [], part]);
  }
  const reversed = line => {
    const result = [];
    for (let at = line.length - 2; at >= 0; at -= 2) result.push(line[at], line[at + 1]);
    return result;
  };
  /** Returns a line with all that goes on at its end. */
  const continued = line => {
    let whole = line;
    for (;;) {
      const [x, y] = whole.slice(-2);
      const toward = Math.atan2(y - whole.at(-3), x - whole.at(-4));
      const next = (ends.get(key(x, y)) ?? []).filter(part => left.has(part))
        .flatMap(part => [part, reversed(part)].map(turned => ({ part, turned })))
        .find(({ turned }) => key(turned[0], turned[1]) === key(x, y)
          && Math.cos(Math.atan2(turned[3] - turned[1], turned[2] - turned[0]) - toward) > 0.5);
      if (!next) return whole;
      left.delete(next.part);
      whole = [...whole, ...next.turned.slice(2)];
    }
  };
  for (const part of parts) {
    if (!left.delete(part)) continue;
    done.push(reversed(continued(reversed(continued(part)))));
  }
  return done;
}

/** Returns the length of a line and where its name may stand: `[segment, share of it]`, its middle first. */
function measured(line) {
  const lengths = [0];
  for (let at = 2; at < line.length; at += 2) {
    lengths.push(lengths.at(-1) + Math.hypot(line[at] - line[at - 2], line[at + 1] - line[at - 1]));
  }
  const length = lengths.at(-1);
  const anchors = [];
  for (let step = 0; step * interval < length / 2 && step < mostAnchors; step++) {
    for (const at of step === 0 ? [length / 2] : [length / 2 - step * interval, length / 2 + step * interval]) {
      let segment = 0;
      while (segment < lengths.length - 2 && lengths[segment + 1] < at) segment += 1;
      anchors.push([segment, (at - lengths[segment]) / (lengths[segment + 1] - lengths[segment] || 1)]);
    }
  }
  return { length, anchors };
}
