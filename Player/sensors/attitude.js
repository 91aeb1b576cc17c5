// Where a device looks, by the angles of a deviceorientation event (W3C Device Orientation, section 3.1 and its
// appendix).

const radians = Math.PI / 180;

/**
 * The attitude of a device rotated by alpha, beta and gamma degrees, its screen by `screen` degrees: `top`, the heading
 * of its upper edge as it lies in the hand, for maps; and of the camera on its back, `heading`, `pitch` up from the
 * horizon, and `roll` clockwise. Degrees; headings clockwise from north.
 */
export function attitude(alpha, beta, gamma, screen = 0) {
  const matrix = rotation(alpha * radians, beta * radians, gamma * radians);
  const turn = screen * radians;
  // The screen's axes in the world: east, north, up.
  const right = combine(matrix, Math.cos(turn), -Math.sin(turn), 0);
  const up = combine(matrix, Math.sin(turn), Math.cos(turn), 0);
  const look = combine(matrix, 0, 0, -1);
  const heading = Math.atan2(look[0], look[1]);
  const pitch = Math.asin(Math.max(-1, Math.min(1, look[2])));
  // A flat device points with its upper edge, an upright one with its camera.
  const top = Math.abs(look[2]) > 0.7071 ? Math.atan2(up[0], up[1]) : heading;
  const level = [Math.cos(heading), -Math.sin(heading), 0];
  const above = cross(level, look);
  const roll = Math.atan2(-dot(right, above), dot(right, level));
  const degrees = angle => (angle / radians + 360) % 360;
  return { top: degrees(top), heading: degrees(heading), pitch: pitch / radians, roll: roll / radians };
}

/** The rotation Z (alpha) · X (beta) · Y (gamma), by rows. */
function rotation(a, b, c) {
  const [ca, sa, cb, sb, cc, sc] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b), Math.cos(c), Math.sin(c)];
  return [
    [ca * cc - sa * sb * sc, -cb * sa, cc * sa * sb + ca * sc],
    [cc * sa + ca * sb * sc, ca * cb, sa * sc - ca * cc * sb],
    [-cb * sc, sb, cb * cc],
  ];
}

const combine = (matrix, x, y, z) => matrix.map(row => row[0] * x + row[1] * y + row[2] * z);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
