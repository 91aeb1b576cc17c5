/** Goggles: a pinhole camera in east-north-up coordinates, and its view of pinned images (Documentation/goggles.md). */
import { geodesic, localVector, radian } from './geodesic.js';

/** The distance in metres in front of the camera from which on points are visible. */
const near = 0.5;

export class CameraPose {
  /**
   * Degrees: `heading` clockwise from true north, `pitch` up from the horizon, `roll` clockwise as the photographer
   * sees it, `fieldOfView` across the image's width. `width`, `height`: pixels. `position` without an altitude has that
   * of the observed point.
   */
  constructor({ position, heading, pitch = 0, roll = 0, fieldOfView, width, height }) {
    Object.assign(this, { position, heading, pitch, roll, fieldOfView, width, height });
    /** Pixels. */
    this.focalLength = width / 2 / Math.tan(fieldOfView / 2 * radian);
  }

  /**
   * The position of a point in the image: `{x, y, depth, lean}`, pixels from the upper left corner, metres along the
   * camera's axis, and degrees by which the point's vertical leans clockwise; undefined behind the camera.
   */
  projection(point) {
    const vector = localVector(this.position, point);
    const local = this.#cameraCoordinates(vector);
    if (!(local.depth > near)) return undefined;
    const scale = this.focalLength / local.depth;
    // The world's vertical at the point, in the image: the difference of two points, one above the other.
    const above = this.#cameraCoordinates({ ...vector, up: vector.up + local.depth * 1e-4 });
    const lean = Math.atan2(
      above.right / above.depth - local.right / local.depth, above.up / above.depth - local.up / local.depth) / radian;
    return { x: this.width / 2 + scale * local.right, y: this.height / 2 - scale * local.up, depth: local.depth, lean };
  }

  #cameraCoordinates({ east, north, up }) {
    const [sinH, cosH, sinP, cosP, sinR, cosR] = [this.heading, this.pitch, this.roll]
      .flatMap(angle => [Math.sin(angle * radian), Math.cos(angle * radian)]);
    const level = cosH * east - sinH * north;
    const upright = -sinH * sinP * east - cosH * sinP * north + cosP * up;
    return {
      depth: sinH * cosP * east + cosH * cosP * north + sinP * up,
      right: cosR * level - sinR * upright, up: sinR * level + cosR * upright,
    };
  }
}

/** Pixels of an object of `metres` at a depth, in natural perspective or by ARML 2.0's parameters. */
function pixels(metres, depth, focalLength, { minScalingDistance, maxScalingDistance, scalingFactor }) {
  const nearest = minScalingDistance ?? 0;
  const farthest = Math.max(maxScalingDistance ?? Infinity, nearest);
  const bounded = Math.min(Math.max(depth, nearest), farthest);
  if (scalingFactor === undefined || !(nearest > 0 && farthest > nearest && farthest < Infinity)) {
    return focalLength * metres / bounded;
  }
  const share = (bounded - nearest) / (farthest - nearest);
  return focalLength * metres / nearest * (1 + (scalingFactor - 1) * share);
}

/**
 * The pins of a goggles event as a camera sees them, farthest first: `{pin, x, y, size, distance, bearing, lean,
 * hidden}`. `pin` is its number, `size` its width in pixels; `hidden` is undefined, 'behind', 'far', 'outside', 'huge'
 * or 'tiny'. `aspect(pin)`: height by width.
 */
export function sights(goggles, pose, aspect = () => 1) {
  const sightings = goggles.pins.map((pin, number) => {
    const line = geodesic(pose.position, pin.position);
    const projected = pose.projection(pin.position);
    if (!projected) return { pin: number, ...line, hidden: 'behind' };
    const size = pixels(pin.size, projected.depth, pose.focalLength, goggles);
    const height = size * aspect(number);
    // The box around the image, which is rotated by its lean.
    const [sine, cosine] = [Math.abs(Math.sin(projected.lean * radian)), Math.abs(Math.cos(projected.lean * radian))];
    const [halfWidth, halfHeight] = [(size * cosine + height * sine) / 2, (size * sine + height * cosine) / 2];
    const { x, y } = projected;
    const isOutside = x + halfWidth <= 0 || y + halfHeight <= 0 || x - halfWidth >= pose.width
      || y - halfHeight >= pose.height;
    const hidden = line.distance > goggles.maxDistance ? 'far' : isOutside ? 'outside'
      : size * height > 4 * Math.max(pose.width * pose.height, 1 << 20) ? 'huge' : size < 1 ? 'tiny' : undefined;
    return { pin: number, ...line, ...projected, size, hidden };
  });
  return sightings.sort((a, b) => (b.depth ?? -Infinity) - (a.depth ?? -Infinity) || a.pin - b.pin);
}
