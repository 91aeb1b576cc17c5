// Draws the ground beside the page's thread: unpacks tiles, keeps the last ones, and answers each `draw` with a picture. ground-layer.js
// says what is sent.

import { MapProjection } from '../views/map-projection.js';
import { coverOf, margin, zoomAt } from './cover.js';
import { GroundPainter } from './ground-painter.js';
import { Labels } from './labels.js';
import { unpacked } from './mvt.js';
import { replay } from './recorder.js';
import { paletteOf, Style } from './style.js';
import { Tile } from './tile.js';

/** The most bytes of tiles, by estimation, and their most number. */
const [mostBytes, mostTiles] = [48_000_000, 300];

/** The tiles by their keys, `{ground}/{zoom}/{column}/{row}`, those first that were not drawn for the longest time. */
const tiles = new Map();
let bytes = 0;

let style;
let takeStyle;
const styled = new Promise(resolve => { takeStyle = resolve; });

/** The painter and the labels of each view. */
const views = new Map();

const handlers = {
  style({ table }) {
    style = new Style(table);
    takeStyle();
  },

  async tile({ key, buffer, languages }) {
    const [bytes] = await Promise.all([buffer ? unpacked(buffer) : new Uint8Array(), styled]);
    keep(key, new Tile(bytes, style, languages));
    postMessage({ type: 'ready', key });
  },

  draw(task) {
    const { view } = task;
    if (!views.has(view)) views.set(view, { painter: new GroundPainter(style), labels: new Labels(style) });
    const { bitmap, names, isWhole } = picture(task, views.get(view));
    postMessage({ type: 'picture', view, bitmap, names, isWhole }, [bitmap]);
  },

  close({ view }) { views.delete(view); },
};

addEventListener('message', async ({ data }) => {
  try {
    await handlers[data.type](data);
  } catch (error) {
    postMessage({ type: 'failed', view: data.view, key: data.key, reason: String(error) });
  }
});

function keep(key, tile) {
  bytes += tile.size - (tiles.get(key)?.size ?? 0);
  tiles.delete(key);
  tiles.set(key, tile);
  const dropped = [];
  for (const [old, { size }] of tiles) {
    if (bytes <= mostBytes && tiles.size <= mostTiles || old === key) break;
    tiles.delete(old);
    bytes -= size;
    dropped.push(old);
  }
  if (dropped.length > 0) postMessage({ type: 'dropped', keys: dropped });
}

/** Returns a tile, which then is the last one to be dropped. */
function take(key) {
  const tile = tiles.get(key);
  if (tile) {
    tiles.delete(key);
    tiles.set(key, tile);
  }
  return tile;
}

/** Returns what there is to draw of a tile's area: the tile, else a part of one of a smaller zoom, else those of the next larger one. */
function available(ground, { minZoom, maxZoom }, zoom, column, row) {
  const own = take(`${ground}/${zoom}/${column}/${row}`);
  if (own) return [{ tile: own, zoom, column, row }];
  for (let up = 1; zoom - up >= minZoom; up++) {
    const above = { zoom: zoom - up, column: column >> up, row: row >> up };
    const tile = take(`${ground}/${above.zoom}/${above.column}/${above.row}`);
    if (tile) return [{ tile, ...above, within: { zoom, column, row } }];
  }
  if (zoom >= maxZoom) return [];
  return [0, 1, 2, 3].flatMap(part => {
    const below = { zoom: zoom + 1, column: column * 2 + part % 2, row: row * 2 + (part >> 1) };
    const tile = take(`${ground}/${below.zoom}/${below.column}/${below.row}`);
    return tile ? [{ tile, ...below, within: below }] : [];
  });
}

/** Draws what a camera sees, with a margin. */
function picture({ ground, zooms, camera, width, height, ratio, scheme, house, obstacles, marks }, { painter, labels }) {
  const [wide, high] = [width + 2 * margin, height + 2 * margin];
  const seen = new MapProjection({ ...camera, x: camera.x + margin, y: camera.y + margin });
  const cover = coverOf(seen, wide, high, zooms).map(part => ({
    ...part, placed: part.tiles.flatMap(([column, row]) => available(ground, zooms, part.zoom, column, row)),
  }));
  const look = { palette: paletteFor(scheme, house), ratio, zoom: zoomAt(seen.centre.latitude, seen.scale) };
  const c = new OffscreenCanvas(Math.round(wide * ratio), Math.round(high * ratio)).getContext('2d', { alpha: false });
  c.save();
  const [first] = cover;
  if (!first) {
    c.fillStyle = look.palette.ground;
    c.fillRect(0, 0, c.canvas.width, c.canvas.height);
  } else if (first.plane.share === undefined) {
    painter.rest();
    painter.draw(c, first.plane, first.placed, look);
  } else {
    painter.tilt(c, seen, cover.map(({ plane }) => plane), {
      ...look, draw: (sheet, plane) => painter.draw(sheet, plane, cover.find(part => part.plane === plane).placed, { ...look, share: plane.share }),
    });
  }
  const moved = (box, by) => box.map(value => value + by);
  // Names are those of one zoom, which the others repeat.
  const named = cover.flatMap(({ placed }) => placed).filter(({ zoom, within }) => zoom === first.zoom && !within);
  const names = named.length === 0 ? [] : labels.draw(c, {
    ...look, camera: seen, plane: first.plane, tiles: [...new Map(named.map(place => [place.tile, place])).values()],
    area: [margin + 4, margin + 4, wide - margin - 4, high - margin - 4], obstacles: obstacles.map(box => moved(box, margin)),
  });
  c.restore();
  c.setTransform(ratio, 0, 0, ratio, margin * ratio, margin * ratio);
  replay(c, marks);
  return {
    bitmap: c.canvas.transferToImageBitmap(), names: names.map(name => ({ ...name, boxes: name.boxes.map(box => moved(box, -margin)) })),
    isWhole: cover.every(({ placed, tiles: wanted }) => placed.length === wanted.length && placed.every(({ within }) => !within)),
  };
}

const palettes = new Map();

/** The colours of a scheme and a house, which are computed once. */
function paletteFor(scheme, house) {
  const key = `${scheme} ${house}`;
  if (!palettes.has(key)) palettes.set(key, paletteOf(style.table, scheme, house));
  return palettes.get(key);
}
