// Draws tiles on a canvas: seen from above as they are, and tilted row by row, of strips that are seen from above.

import { extent } from './cover.js';
import { valueAt } from './style.js';

/** From this width on a street has edges; below, it is a line. */
const edgedWidth = 3;

const levels = [0, 1, 2];

export class GroundPainter {
  #sheets = [];

  constructor(style) {
    // Layers that are drawn together: first the edges of all, then what is between them.
    this.groups = [];
    for (const layer of style.layers) {
      const last = this.groups.at(-1);
      if (last && layer.group !== undefined && last[0].group === layer.group) last.push(layer);
      else this.groups.push([layer]);
    }
  }

  /**
   * Draws a plane with its tiles, `[{tile, zoom, column, row, within?}]`; `within` is the tile that another one stands for, as `{zoom,
   * column, row}`. `zoom` is that of widths, which are divided by `share`; a pixel of the plane has `ratio` of the canvas.
   */
  draw(c, plane, tiles, { palette, ratio, zoom = plane.zoom, share = 1 }) {
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.fillStyle = palette.ground;
    c.fillRect(0, 0, c.canvas.width, c.canvas.height);
    const placed = tiles.map(({ within, ...place }) => {
      const transform = at => plane.transform(at.zoom, at.column, at.row).map(value => value * ratio);
      const own = transform(place);
      // A pixel of the page, in units of the tile, where the plane is not foreshortened.
      const pixel = ratio / (plane.metres(place.zoom, place.column, place.row)[2] * plane.scale * ratio);
      return { tile: place.tile, transform: own, pixel, within: within && transform(within) };
    });
    for (const group of this.groups) {
      const layers = group.filter(({ kind, from = 0, to = Infinity }) => kind !== 'none' && zoom >= from && zoom < to);
      for (const level of levels) {
        for (const layer of layers) this.#edges(c, layer, level, placed, palette, zoom, share);
        for (const layer of layers) this.#inside(c, layer, level, placed, palette, zoom, share);
      }
    }
    c.setTransform(1, 0, 0, 1, 0, 0);
  }

  #edges(c, layer, level, placed, palette, zoom, share) {
    if (!layer.edge) return;
    c.strokeStyle = palette[layer.edge];
    if (layer.kind === 'fill') {
      this.#each(c, layer, level, placed, (path, pixel) => this.#stroke(c, path, pixel, 1.6 / share, undefined));
    } else {
      const width = valueAt(layer.width, zoom);
      if (width < edgedWidth) return;
      const edge = Math.min(1.5, Math.max(1, width / 9));
      // What is below the ground has broken edges.
      this.#each(c, layer, level, placed, (path, pixel) =>
        this.#stroke(c, path, pixel, (width + 2 * edge) / share, level === 0 ? [4 / share, 3 / share] : undefined));
    }
  }

  #inside(c, layer, level, placed, palette, zoom, share) {
    if (layer.kind === 'fill') {
      c.fillStyle = palette[layer.color];
      this.#each(c, layer, level, placed, path => c.fill(path));
      return;
    }
    const width = valueAt(layer.width, zoom);
    const isLine = layer.edge && width < edgedWidth;
    c.strokeStyle = palette[isLine ? layer.line : layer.color];
    const isDashed = layer.dash && zoom >= (layer['dash-from'] ?? 0);
    const dash = isDashed ? layer.dash.map(part => part * width / share) : isLine && level === 0 ? [3 / share, 2 / share] : undefined;
    this.#each(c, layer, level, placed, (path, pixel) => this.#stroke(c, path, pixel, Math.max(width, isLine ? 0.8 : 0) / share, dash));
    // Far away they would be a grey area.
    if (!layer.ties || zoom < layer.ties[0][0] || share > 1.5) return;
    const [tie, gap] = [Math.max(1, width * 0.8) / share, 3.5 * width / share];
    this.#each(c, layer, level, placed, (path, pixel) => this.#stroke(c, path, pixel, valueAt(layer.ties, zoom) / share, [tie, gap]));
  }

  /** Calls `draw(path, pixel)` in the units of each tile that has something of a layer. */
  #each(c, layer, level, placed, draw) {
    for (const { tile, transform, pixel, within } of placed) {
      const path = tile.path(layer, level);
      if (!path) continue;
      if (within) {
        c.save();
        c.setTransform(...within);
        c.beginPath();
        c.rect(0, 0, extent, extent);
        c.clip();
      }
      c.setTransform(...transform);
      draw(path, pixel);
      if (within) c.restore();
    }
  }

  /** Strokes with a width and dashes in pixels. */
  #stroke(c, path, pixel, width, dash) {
    c.lineWidth = width * pixel;
    c.lineCap = 'butt';
    c.lineJoin = width > 2 ? 'round' : 'bevel';
    if (dash) c.setLineDash(dash.map(part => part * pixel));
    c.stroke(path);
    if (dash) c.setLineDash([]);
  }

  /**
   * Draws a tilted map of the planes of `planesOf`, which `draw(context, plane)` draws each. Above the farthest of them there is only the
   * ground's colour.
   */
  tilt(c, camera, planes, { palette, ratio, draw }) {
    const { x, y, lens, level, down } = camera;
    const reach = lens / camera.scale;
    const { width, height } = c.canvas;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.fillStyle = palette.ground;
    c.fillRect(0, 0, width, height);
    const rowOf = distance => Math.round(camera.rowAt(distance) * ratio);
    for (const [index, plane] of planes.entries()) {
      const sheet = this.#sheet(index, Math.ceil(plane.width * ratio), Math.ceil(plane.height * ratio));
      draw(sheet, plane);
      const last = index === 0 ? height : Math.min(height, rowOf(plane.from));
      for (let row = Math.max(0, rowOf(plane.to)); row < last; row++) {
        // As MapProjection has it: how much farther than the centre is what is seen in this row?
        const distance = down * lens / (down * lens - (y - (row + 0.5) / ratio) * level);
        const across = distance / plane.share;
        const ahead = (distance - 1) * reach / level;
        const from = (plane.y - ahead * plane.scale * plane.flat) * ratio;
        const rows = Math.max(1, distance * distance * plane.flat / (down * plane.share));
        const left = (plane.x - x * across) * ratio;
        c.drawImage(sheet.canvas, left, Math.max(0, from - rows / 2), width * across, rows, 0, row, width, 1);
      }
    }
  }

  /** A canvas that is kept for the next drawing, as large as it has to be. */
  #sheet(index, width, height) {
    this.#sheets[index] ??= new OffscreenCanvas(width, height).getContext('2d', { alpha: false });
    const sheet = this.#sheets[index];
    if (sheet.canvas.width < width || sheet.canvas.height < height || sheet.canvas.width > width * 2) {
      Object.assign(sheet.canvas, { width, height });
    }
    return sheet;
  }

  /** Forgets the canvases of tilted maps. */
  rest() { this.#sheets = []; }
}
