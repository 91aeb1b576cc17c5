/** Approximate short distances, as if the Earth were flat. */
import { compassDegrees, geodesic, radian } from './geodesic.js';

const farthest = 2000;

/**
 * Metres in a degree of latitude and of longitude (Snyder 1987, "Map Projections: A Working Manual", 4-18 and 4-20).
 */
export class LocalScale {
  constructor(latitude) {
    const eccentricity = 0.006694379990141317;
    const w = 1 - eccentricity * Math.sin(latitude * radian) ** 2;
    const primeVertical = 6_378_137 / Math.sqrt(w);
    this.north = primeVertical * (1 - eccentricity) / w * radian;
    this.east = primeVertical * Math.cos(latitude * radian) * radian;
  }

  /** Metres east and north from one point to another. */
  vector(from, to) {
    let longitude = to.longitude - from.longitude;
    if (longitude > 180) longitude -= 360;
    else if (longitude < -180) longitude += 360;
    return { east: longitude * this.east, north: (to.latitude - from.latitude) * this.north };
  }

  /** Whether `vector` is accurate within `error`: not near the poles, and not far. */
  static isTrusted(latitude, distance) { return Math.abs(latitude) < 80 && distance < farthest; }

  /** The maximum error in metres of a distance up to 2 km, at latitudes up to 80°. */
  static error(distance) { return distance * 0.002 + 0.01; }
}

export const length = ({ east, north }) => Math.sqrt(east * east + north * north);

export const bearing = ({ east, north }) => compassDegrees(Math.atan2(east, north) / radian);

/** The point at a fraction of the path from one point to another. */
export const between = (a, b, share) =>
  ({ east: a.east + (b.east - a.east) * share, north: a.north + (b.north - a.north) * share });

/** The fraction of the path between two points, 0 to 1, at which it is closest to the origin. */
export function closestShare(a, b) {
  const step = { east: b.east - a.east, north: b.north - a.north };
  const square = step.east * step.east + step.north * step.north;
  if (!(square > 0)) return 1;
  return Math.min(Math.max(-(a.east * step.east + a.north * step.north) / square, 0), 1);
}

/** The fractions between which a path is within `radius` of the origin, `[first, last]`; undefined if it never is. */
export function sharesWithin(radius, a, b) {
  const step = { east: b.east - a.east, north: b.north - a.north };
  const square = step.east * step.east + step.north * step.north;
  if (!(square > 0)) return length(a) <= radius ? [0, 1] : undefined;
  const middle = -(a.east * step.east + a.north * step.north) / square;
  const nearest = { east: a.east + step.east * middle, north: a.north + step.north * middle };
  const rest = radius * radius - nearest.east * nearest.east - nearest.north * nearest.north;
  if (!(rest >= 0)) return undefined;
  const half = Math.sqrt(rest / square);
  const [first, last] = [Math.max(middle - half, 0), Math.min(middle + half, 1)];
  return first <= last ? [first, last] : undefined;
}

/** The distance of a point from a circle's centre, measured exactly only if the approximation is inconclusive. */
export class Ranging {
  #exact;

  constructor(center, scale, point) {
    this.center = center;
    this.point = point;
    this.rough = length(scale.vector(center, point));
    this.error = LocalScale.isTrusted(center.latitude, this.rough) ? LocalScale.error(this.rough) : Infinity;
  }

  isWithin(limit) {
    if (this.rough + this.error <= limit) return true;
    if (this.rough - this.error > limit) return false;
    return this.distance <= limit;
  }

  get exact() { return this.#exact ??= geodesic(this.center, this.point); }

  /** Metres along the geodesic. */
  get distance() { return this.exact.distance; }

  /** East and north of the centre in an azimuthal equidistant projection, which preserves distances and bearings. */
  get vector() {
    const radians = this.exact.bearing * radian;
    return { east: this.exact.distance * Math.sin(radians), north: this.exact.distance * Math.cos(radians) };
  }
}

/** Metres between two points: exact if the approximation is too inaccurate to distinguish a walk from a jump. */
export function metres(a, b) {
  const rough = length(new LocalScale((a.latitude + b.latitude) / 2).vector(a, b));
  return LocalScale.isTrusted(a.latitude, rough) ? rough : geodesic(a, b).distance;
}
