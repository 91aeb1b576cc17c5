// Which tiles a view of the map needs. Tiles are those of Web Mercator: {zoom}/{x}/{y}, from the north-west.

const metresPerDegree = 6_371_008.8 * Math.PI / 180;
const equator = 360 * metresPerDegree;

/** The units of a side of a tile. */
export const extent = 4096;

/** The pixels of a tile's side at its own zoom. */
const tilePixels = 512;

const latitudeOf = (y, tiles) => Math.atan(Math.sinh(Math.PI * (1 - 2 * y / tiles))) * 180 / Math.PI;
const mercator = latitude => Math.log(Math.tan(Math.PI / 4 + latitude * Math.PI / 360));

/** The pixels around a view that are drawn too, since it moves and turns. */
export const margin = 48;

/** The zoom, with fractions, at which a metre at a latitude has `scale` pixels. */
export const zoomAt = (latitude, scale) => Math.log2(equator * Math.cos(latitude * Math.PI / 180) * scale / tilePixels);

/** The column and row of a position, with fractions. */
export function columnAndRow({ latitude, longitude }, zoom) {
  const tiles = 2 ** zoom;
  return [(longitude / 360 + 0.5) * tiles, (0.5 - mercator(latitude) / (2 * Math.PI)) * tiles];
}

/**
 * The plane of the map within a rectangle, seen from above: `heading` is up, a metre has `scale` pixels, and `x`, `y` are the pixels of
 * `centre`. `flat` is the height of what is seen by its true height: less than 1 for a plane that is tilted.
 */
export class Plane {
  constructor({ centre, heading, scale, flat = 1, x, y, width, height }) {
    Object.assign(this, { centre, scale, flat, x, y, width, height });
    this.east = metresPerDegree * Math.cos(centre.latitude * Math.PI / 180);
    [this.sine, this.cosine] = [Math.sin(heading * Math.PI / 180), Math.cos(heading * Math.PI / 180)];
    this.zoom = zoomAt(centre.latitude, scale);
  }

  /** The metres of a tile's corner that is the north-west one, to the east and north of the centre, and those of a unit of the tile. */
  metres(zoom, column, row) {
    const tiles = 2 ** zoom;
    const degrees = ((column / tiles * 360 - 180 - this.centre.longitude + 540) % 360 + 360) % 360 - 180;
    const [north, south] = [latitudeOf(row, tiles), latitudeOf(row + 1, tiles)];
    return [
      degrees * this.east, (north - this.centre.latitude) * metresPerDegree,
      360 / tiles * this.east / extent, (south - north) * metresPerDegree / extent,
    ];
  }

  /** How many columns and rows the centre is behind a tile's corner that is the north-west one, with fractions. */
  offset(zoom, column, row) {
    const [across, down] = columnAndRow(this.centre, zoom);
    return [columnsBetween(column, across, zoom), down - row];
  }

  /** The transform from a tile's units to pixels, as a canvas has it: `[a, b, c, d, e, f]`. */
  transform(zoom, column, row) {
    const { sine, cosine, scale, flat } = this;
    const [east, north, right, down] = this.metres(zoom, column, row);
    return [
      cosine * right * scale, -sine * right * scale * flat, -sine * down * scale, -cosine * down * scale * flat,
      this.x + (east * cosine - north * sine) * scale, this.y - (east * sine + north * cosine) * scale * flat,
    ];
  }

  /** The tiles of a zoom that are within the rectangle, as `[column, row]`. */
  tiles(zoom) {
    const { width, height } = this;
    const [column, row] = columnAndRow(this.centre, zoom).map(Math.floor);
    const [a, b, c, d, e, f] = this.transform(zoom, column, row);
    // The rectangle's corners in units of the tiles, by the inverse transform.
    const determinant = a * d - b * c;
    const corners = [[0, 0], [width, 0], [0, height], [width, height]].map(([x, y]) => [
      (d * (x - e) - c * (y - f)) / determinant / extent, (a * (y - f) - b * (x - e)) / determinant / extent]);
    const [columns, rows] = [0, 1].map(axis => corners.map(corner => Math.floor(corner[axis])));
    const found = [];
    for (let right = Math.min(...columns); right <= Math.max(...columns); right++) {
      for (let down = Math.min(...rows); down <= Math.max(...rows); down++) {
        // Two rectangles that are turned against each other are apart if they are apart along a side of one of them.
        const sides = [[0, 0], [1, 0], [0, 1], [1, 1]].map(([i, j]) => [
          (a * (right + i) + c * (down + j)) * extent + e, (b * (right + i) + d * (down + j)) * extent + f]);
        const isApart = (axis, most) => sides.every(side => side[axis] < 0) || sides.every(side => side[axis] > most);
        const isOnEarth = row + down >= 0 && row + down < 2 ** zoom;
        if (isOnEarth && !isApart(0, width) && !isApart(1, height)) found.push([wrapped(column + right, zoom), row + down]);
      }
      if (found.length > mostTiles) break;
    }
    return found;
  }
}

/** The most tiles of a view: more than a large screen needs. */
const mostTiles = 120;

/** Beyond this, in times of the distance to the centre, a tilted map shows only haze. */
export const farthest = 4.6;

/** The distances at which the strips of a tilted map end. */
const strips = [1.15, 1.7, 2.7, farthest];

/**
 * Returns the planes of which a map is drawn: one that is the map itself, seen from above; for a tilted map one for each strip of it, with
 * `from` and `to`, its distances in times of that to the centre, at `1 / share` of the map's scale.
 */
export function planesOf(camera, width, height) {
  const { centre, heading, scale, x, y, lens, level, down } = camera;
  if (level < 0.02) return [new Plane({ centre, heading, scale, x, y, width, height })];
  const reach = lens / scale;
  /** How far away what is in a row is, in times of the distance to the centre. */
  const distanceAt = row => {
    const below = down * lens - (y - row) * level;
    return below > 0 ? down * lens / below : Infinity;
  };
  const [nearest, last] = [Math.max(0.12, distanceAt(height)), Math.min(farthest, distanceAt(0))];
  let from = nearest;
  return strips.filter((end, index) => end > nearest && (strips[index - 1] ?? 0) < last).map(end => {
    const to = Math.min(end, last);
    const share = from * 0.5 + to * 0.5;
    const [back, ahead] = [from, to].map(distance => (distance - 1) * reach / level);
    // A strip of the map has as many rows as its plane, or a few more.
    const flat = down / share * 1.25;
    const across = scale / share;
    const wide = Math.ceil(2 * Math.max(x, width - x) * to / share);
    const high = Math.ceil((ahead - back) * across * flat) + 2;
    const plane = new Plane({ centre, heading, scale: across, flat, x: wide / 2, y: high - 1 + back * across * flat, width: wide, height: high });
    Object.assign(plane, { from, to, share });
    from = to;
    return plane;
  });
}

/** How many columns one column is behind another, by the shorter way around the Earth. */
export const columnsBetween = (from, to, zoom) => wrapped(to - from + 2 ** zoom / 2, zoom) - 2 ** zoom / 2;

/** A column of tiles, around the Earth. */
const wrapped = (column, zoom) => (column % 2 ** zoom + 2 ** zoom) % 2 ** zoom;

/** The zoom of the tiles of a plane, of those that there are; undefined where they would be too small. */
export function tileZoom(plane, { minZoom, maxZoom }) {
  if (plane.zoom < minZoom - 2) return undefined;
  return Math.max(minZoom, Math.min(maxZoom, Math.floor(plane.zoom + 0.2)));
}

/**
 * Returns the planes of a map and its surroundings with their tiles, of those that a ground has: `[{plane, zoom, tiles}]`, none where they
 * would be too small.
 */
export function coverOf(camera, width, height, ground) {
  return planesOf(camera, width, height).flatMap(plane => {
    const zoom = tileZoom(plane, ground);
    return zoom === undefined ? [] : [{ plane, zoom, tiles: plane.tiles(zoom) }];
  });
}
