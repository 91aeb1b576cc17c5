// Draws the map on a canvas from the story only: ground, distance rings, fences, the walked path, events, the player.

import { eventSymbol, lineSymbol } from '../components/icon.js';
import { distance } from '../components/words.js';

/** Returns the colours of the page for the canvas. */
export function mapColors() {
  const style = getComputedStyle(document.documentElement);
  const color = name => style.getPropertyValue(`--${name}`).trim();
  const names = ['ground', 'ground-far', 'grid', 'ink', 'ink-soft', 'paper', 'signal', 'signal-ink'];
  const kinds = ['camera', 'radio', 'scrapbook', 'goggles', 'quiz', 'exhibit'];
  return Object.fromEntries([...names, ...kinds.map(kind => `kind-${kind}`)].map(name => [name, color(name)]));
}

const full = Math.PI * 2;

/** The distance, in times of that to the centre, at which a base map of a tilted view ends. */
const farthest = 4.4;

/** The pixels of the longest name on the map; lists have all of it. */
const longestName = 220;

/** Divides names between characters as readers see them, and not within one. */
const segments = new Intl.Segmenter();

/** Draws on a canvas whose size in screen pixels follows its element. */
export class MapPainter {
  #isAboveGround = false;
  /** Shortened names by width and name. */
  #short = new Map();

  constructor(canvas) {
    this.canvas = canvas;
    this.context = this.own = canvas.getContext('2d', { alpha: false });
    this.colors = mapColors();
  }

  /** Adopts the canvas's size on the page. */
  resize() {
    // A higher resolution would cost more time without a visible difference.
    const ratio = Math.min(devicePixelRatio, 2);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    Object.assign(this, { width, height, ratio });
  }

  /** Draws with a recorder in the place of the canvas, above a base map in the place of the plain ground. */
  above(recorder, draw) {
    this.context = recorder;
    this.#isAboveGround = true;
    draw();
    this.context = this.own;
    this.#isAboveGround = false;
  }

  /** Begins a drawing with a projection; all sizes are those of the page. */
  begin(projection) {
    const { ratio } = this;
    Object.assign(this, { projection, names: [], unwritten: [], distances: [], lengths: [], arrows: [] });
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.globalAlpha = 1;
  }

  ground() {
    const { context: c, projection: p } = this;
    if (!this.#isAboveGround) {
      c.fillStyle = this.colors.ground;
      c.fillRect(0, 0, this.width, this.height);
      this.#crosses();
    }
    if (p.horizon === undefined) return;
    // Distant ground fades into haze below the sky. A base map ends in it, and is larger than its view.
    const [top, end] = this.#isAboveGround ? [p.rowAt(farthest), p.rowAt(farthest / 2)] : [Math.max(0, p.horizon), 0];
    const height = this.height * (this.#isAboveGround ? 0.12 : 0.28);
    this.#haze(top, Math.max(top + height, end), this.#isAboveGround ? this.width : 0);
  }

  /** Draws sky above a row and haze down to another one, `beyond` the sides. */
  #haze(top, bottom, beyond) {
    const { context: c } = this;
    const wide = this.width + 2 * beyond;
    c.fillStyle = this.colors['ground-far'];
    c.fillRect(-beyond, -beyond, wide, top + beyond);
    const haze = c.createLinearGradient(0, top, 0, bottom);
    haze.addColorStop(0, this.colors['ground-far']);
    haze.addColorStop(1, `${this.colors['ground-far']}00`);
    c.fillStyle = haze;
    c.fillRect(-beyond, top, wide, bottom - top);
  }

  /** Draws crosses at intervals of 10, 20, 50, 100, … metres, as a scale for distances. */
  #crosses() {
    const { context: c, projection: p } = this;
    const wanted = 64 / p.scale;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const step = [1, 2, 5, 10].map(factor => factor * power).find(step => step >= wanted);
    const count = Math.min(40, Math.ceil(Math.hypot(this.width, this.height) / p.scale / step));
    c.strokeStyle = this.colors.grid;
    c.lineWidth = 1.5;
    c.beginPath();
    for (let column = -count; column <= count; column++) {
      for (let row = -count; row <= count; row++) {
        const point = p.at(column * step, row * step);
        if (!point || !this.#isInside(point, 8)) continue;
        const arm = 4 * Math.min(1, point.scale / p.scale);
        c.moveTo(point.x - arm, point.y);
        c.lineTo(point.x + arm, point.y);
        c.moveTo(point.x, point.y - arm * p.down);
        c.lineTo(point.x, point.y + arm * p.down);
      }
    }
    c.stroke();
  }

  #isInside({ x, y }, margin) {
    return x > -margin && y > -margin && x < this.width + margin && y < this.height + margin;
  }

  /** Adds a circle on the ground to the path. */
  #circle([east, north], radius) {
    const { context: c, projection: p } = this;
    const center = p.at(east, north), edge = p.at(east + radius, north);
    const pixels = center && edge ? Math.hypot(edge.x - center.x, edge.y - center.y) : 200;
    // A polygon with so many corners stays within a quarter of a pixel of the circle.
    const corners = Math.min(Math.max(Math.ceil(4.5 * Math.sqrt(pixels)), 16), 144);
    c.beginPath();
    for (let corner = 0; corner <= corners; corner++) {
      const angle = corner / corners * full;
      const point = p.at(east + radius * Math.sin(angle), north + radius * Math.cos(angle));
      if (!point) return false;
      c.lineTo(point.x, point.y);
    }
    return true;
  }

  /** Draws rings about the centre; `ringDistances` writes their distances at their upper sides. */
  rings(radii) {
    const { context: c, projection: p } = this;
    for (const radius of radii) {
      if (!this.#circle([0, 0], radius)) continue;
      c.strokeStyle = this.colors.grid;
      c.lineWidth = 1;
      c.stroke();
      const top = p.at(radius * p.sine, radius * p.cosine);
      if (!top || !this.#isInside(top, -30)) continue;
      this.distances.push({ text: distance(radius), x: top.x, y: top.y + 4 });
    }
  }

  /** Draws the distances of the rings that overlap neither a name nor the player. */
  ringDistances() {
    const { context: c } = this;
    c.font = '600 11px system-ui, sans-serif';
    c.textAlign = 'center';
    for (const { text, x, y } of this.distances) {
      if (!this.#isFree(x, y, 20)) continue;
      this.#text(text, x, y, this.colors['ink-soft']);
      this.lengths.push({ x, y, half: 20 });
    }
  }

  /** Whether a text of a half width overlaps no name. */
  #isFree(x, y, half) {
    return !this.names.some(other => Math.abs(other.x - x) < other.half + half && Math.abs(other.y - y) < (other.reach ?? 16));
  }

  /** Returns as much of a name as fits into a width, with an ellipsis if it is not all. */
  #shortened(name, width) {
    const { context: c } = this;
    const key = `${Math.round(width)} ${name}`;
    if (!this.#short.has(key)) {
      const characters = [...segments.segment(name)].map(({ segment }) => segment);
      const isLong = count => c.measureText(`${characters.slice(0, count).join('').trimEnd()}…`).width > width;
      let count = characters.length;
      if (c.measureText(name).width > width) while (count > 1 && isLong(count)) count -= 1;
      this.#short.set(key, count === characters.length ? name : `${characters.slice(0, count).join('').trimEnd()}…`);
    }
    return this.#short.get(key);
  }

  /** Draws text with an outline in the ground's colour. */
  #text(text, x, y, color, rim = this.colors.ground) {
    const { context: c } = this;
    c.lineJoin = 'round';
    c.lineWidth = 4;
    c.strokeStyle = rim;
    c.strokeText(text, x, y);
    c.fillStyle = color;
    c.fillText(text, x, y);
  }

  #line(positions) {
    this.context.beginPath();
    for (const position of positions) {
      const point = this.projection.point(position);
      if (point) this.context.lineTo(point.x, point.y);
    }
  }

  /** Draws the walked path. */
  walk(positions) {
    const { context: c } = this;
    this.#line(positions);
    c.strokeStyle = this.colors['ink-soft'];
    c.globalAlpha = 0.55;
    c.lineWidth = 3;
    c.lineCap = c.lineJoin = 'round';
    c.stroke();
    c.globalAlpha = 1;
  }

  /** Draws the route of a tour. */
  route(positions) {
    const { context: c } = this;
    this.#line(positions);
    c.strokeStyle = this.colors.ink;
    c.lineWidth = 2.5;
    c.setLineDash([1, 7]);
    c.lineCap = 'round';
    c.stroke();
    c.setLineDash([]);
  }

  /** Draws the circle in which an event is found, dashed if it cannot be found now. `opacity` is from 0 to 1. */
  fence(position, radius, color, opacity, isClosed = false) {
    const { context: c, projection: p } = this;
    if (!this.#circle(p.metres(position), radius)) return;
    c.fillStyle = c.strokeStyle = color;
    c.globalAlpha = (isClosed ? 0.06 : 0.16) * opacity;
    c.fill();
    c.globalAlpha = 0.75 * opacity;
    c.lineWidth = 2;
    if (isClosed) c.setLineDash([5, 6]);
    c.stroke();
    c.setLineDash([]);
    c.globalAlpha = 1;
  }

  /**
   * Draws an event: a filled disc with its symbol and name if it is found, otherwise a ring in `opacity` with a question mark, or with
   * the symbol of its `obstacle`. Returns its place on the canvas, for taps.
   */
  event({ position, kind, name, number, isFound, obstacle, opacity = 1, isNext = false }) {
    const { context: c, projection: p } = this;
    const point = p.point(position);
    if (!point || !this.#isInside(point, 30)) return undefined;
    const size = 17 * Math.max(0.62, Math.min(1, point.scale / p.scale));
    const color = isFound || number ? this.colors[`kind-${kind}`] : this.colors.ink;
    c.globalAlpha = opacity;
    c.beginPath();
    c.arc(point.x, point.y, size, 0, full);
    c.fillStyle = isFound ? color : isNext ? this.colors.signal : this.colors.paper;
    c.fill();
    c.lineWidth = 2.5;
    c.strokeStyle = isFound ? this.colors.paper : isNext ? this.colors['signal-ink'] : color;
    c.stroke();
    if (isFound) {
      c.save();
      c.translate(point.x - size * 0.75, point.y - size * 0.75);
      c.scale(size * 1.5 / 24, size * 1.5 / 24);
      c.fillStyle = this.colors.paper;
      c.fill(eventSymbol(kind), 'evenodd');
      c.restore();
    } else if (obstacle && !number) {
      c.save();
      c.translate(point.x - size * 0.66, point.y - size * 0.66);
      c.scale(size * 1.32 / 24, size * 1.32 / 24);
      c.strokeStyle = this.colors.ink;
      c.lineWidth = 2.6;
      c.lineCap = c.lineJoin = 'round';
      c.stroke(lineSymbol(obstacle.symbol));
      c.restore();
    } else {
      c.font = `800 ${Math.round(size)}px system-ui, sans-serif`;
      c.textAlign = 'center';
      c.fillStyle = isNext ? this.colors['signal-ink'] : this.colors.ink;
      c.fillText(number ?? '?', point.x, point.y + size * 0.36);
    }
    c.globalAlpha = 1;
    this.names.push({ x: point.x, y: point.y + 4, half: size, reach: size + 12 });
    if (name) this.unwritten.push({ name, x: point.x, y: point.y, size, opacity });
    return { x: point.x, y: point.y, radius: Math.max(size, 24) };
  }

  /** What is written and drawn on the map, and what covers it, as `[left, top, right, bottom]`: names of a base map must not be there. */
  get taken() {
    // Of texts, whose lines `names` has, the part above the line is higher.
    return [...this.names, ...this.lengths].map(({ x, y, half, reach = 16 }) => [x - half, y - reach + 3, x + half, y + reach - 10]);
  }

  /** Keeps names and distances out of a rectangle. */
  reserve({ x, y, width, height }) {
    this.names.push({ x: x + width / 2, y: y + height / 2 + 4, half: width / 2, reach: height / 2 + 12 });
  }

  /**
   * Writes the names of events within the map, below or above them, or beside elements that cover the map's sides. Names
   * without free space are left out. `inset` are the widths of the covered sides.
   */
  writeNames(inset) {
    const { context: c } = this;
    c.font = '700 13px system-ui, sans-serif';
    c.textAlign = 'center';
    for (const { name: whole, x, y, size, opacity } of this.unwritten) {
      const name = this.#shortened(whole, Math.min(longestName, this.width - 32));
      const half = c.measureText(name).width / 2 + 8;
      const between = (left, right) => Math.max(left + half, Math.min(right - half, x));
      const columns = [between(0, this.width), between(inset.left / 2, this.width - inset.right), between(inset.left, this.width - inset.right / 2)];
      const places = columns.flatMap(column => [[column, y + size + 17], [column, y - size - 8]]);
      const place = places.find(([column, line]) => this.#isFree(column, line, half));
      if (!place) continue;
      this.names.push({ x: place[0], y: place[1], half });
      c.globalAlpha = opacity;
      this.#text(name, ...place, this.colors.ink);
    }
    c.globalAlpha = 1;
  }

  /**
   * Draws an arrow at the edge that points `turn` degrees clockwise from up; `arrowDistances` writes its distance. `inset` are
   * the widths at the sides that are covered by other elements.
   */
  arrow({ turn, metres, opacity, isNext }, inset) {
    const { context: c, projection: p } = this;
    const angle = turn * Math.PI / 180;
    const [dx, dy] = [Math.sin(angle), -Math.cos(angle)];
    const [left, right] = [p.x - inset.left, this.width - inset.right - p.x];
    const [above, below] = [p.y - inset.top, this.height - inset.bottom - p.y];
    const reach = Math.min(dx > 0 ? right / dx : dx < 0 ? left / -dx : Infinity, dy > 0 ? below / dy : dy < 0 ? above / -dy : Infinity);
    const [x, y] = [p.x + dx * reach, p.y + dy * reach];
    c.save();
    c.globalAlpha = opacity;
    c.translate(x, y);
    c.rotate(angle);
    c.beginPath();
    c.moveTo(0, -15);
    c.lineTo(12, 9);
    c.lineTo(0, 3);
    c.lineTo(-12, 9);
    c.closePath();
    c.fillStyle = isNext ? this.colors.signal : this.colors.ink;
    c.strokeStyle = isNext ? this.colors['signal-ink'] : this.colors.paper;
    c.lineWidth = 2;
    c.lineJoin = 'round';
    c.stroke();
    c.fill();
    c.restore();
    c.globalAlpha = 1;
    this.names.push({ x, y: y + 1, half: 15, reach: 20 });
    this.arrows.push({ text: distance(metres), x, y, opacity: Math.max(opacity, 0.75) });
  }

  /** Writes the distances of the arrows, the nearest first: below, above or beside each, or not at all where there is no free space. */
  arrowDistances() {
    const { context: c } = this;
    c.font = '700 12px system-ui, sans-serif';
    c.textAlign = 'center';
    for (const { text, x, y, opacity } of this.arrows.reverse()) {
      const half = c.measureText(text).width / 2 + 3;
      const places = [[x, y + 27], [x, y - 20], [x - half - 18, y + 5], [x + half + 18, y + 5]];
      const place = places.find(([column, line]) =>
        column - half > 0 && column + half < this.width && line > 16 && line < this.height - 6 && this.#isFree(column, line, half));
      if (!place) continue;
      this.names.push({ x: place[0], y: place[1], half });
      c.globalAlpha = opacity;
      this.#text(text, ...place, this.colors.ink);
    }
    c.globalAlpha = 1;
  }

  /**
   * Draws the accuracy circle and a cone in the heading's direction, below everything else. `turn` is in degrees from up;
   * undefined without a compass. Reserves the area of the player's mark, which names must not overlap.
   */
  surroundPlayer(accuracy, turn) {
    const { context: c, projection: p, colors } = this;
    if (accuracy > 8 && this.#circle([0, 0], accuracy)) {
      c.fillStyle = colors.signal;
      c.globalAlpha = 0.18;
      c.fill();
      c.globalAlpha = 1;
    }
    if (turn !== undefined) {
      const angle = (turn - 90) * Math.PI / 180;
      const cone = c.createRadialGradient(p.x, p.y, 8, p.x, p.y, 76);
      cone.addColorStop(0, colors.signal);
      cone.addColorStop(1, `${colors.signal}00`);
      c.globalAlpha = 0.85;
      c.beginPath();
      c.moveTo(p.x, p.y);
      c.ellipse(p.x, p.y, 76, 76 * p.down, 0, angle - 0.5, angle + 0.5);
      c.fillStyle = cone;
      c.fill();
      c.globalAlpha = 1;
    }
    // Texts stand on their line: the mark, 17 pixels about its centre, begins below and ends above it.
    this.names.push({ x: p.x, y: p.y + 4, half: 17, reach: 26 });
  }

  /** Draws the player's mark. */
  player() {
    const { context: c, projection: p, colors } = this;
    c.save();
    c.translate(p.x, p.y);
    c.rotate(Math.PI / 4);
    c.beginPath();
    c.roundRect(-10, -10, 20, 20, 3);
    c.restore();
    c.fillStyle = colors.signal;
    c.fill();
    c.strokeStyle = colors['signal-ink'];
    c.lineWidth = 3.5;
    c.stroke();
  }
}
