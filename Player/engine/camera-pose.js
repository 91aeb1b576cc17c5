/** A pinhole camera: {latitude, longitude, altitude?}, heading, pitch, roll in degrees, horizontal field of view in degrees, image width and height. */
export class CameraPose {
  constructor({ position, heading, pitch, roll, fieldOfView, width, height }) {}
  /** Where a point is in the image: {x, y, depth (m along the axis), distance (m), bearing, pixelsPerMetre}; undefined behind the camera. */
  projection(point) {}
}
/** Pins of a goggles event as the camera sees them, the farthest first: {pin (index), x, y, size (px), distance, bearing, hidden?: 'behind'|'far'|'outside'|'huge'|'tiny'}. */
export function sights(goggles, pose) {}
