/**
 * Geodesics of the WGS 84 ellipsoid: the shortest lines along it.
 *
 * A geodesic is a great circle on an auxiliary sphere of reduced latitudes β (Bessel 1825; Karney 2013, "Algorithms for geodesics").
 * With σ the arc on that sphere from where the great circle crosses the equator with the azimuth α0, k² = e′² cos² α0 and
 * w(σ) = √(1 + k² sin² σ), the distance and the difference of longitudes are
 *
 *     s = b ∫ w dσ          λ = ω − f sin α0 ∫ (2 − f) / (1 + (1 − f) w) dσ
 *
 * k² is below 0.007, so ten Gauss–Legendre nodes give the integrals over half a turn to nanometres, without series.
 * Points are `{latitude, longitude}` in degrees, distances are metres, directions degrees clockwise from true north.
 */

const equatorial = 6_378_137;
const flattening = 1 / 298.257223563;
const polar = equatorial * (1 - flattening);
/** e² and e′². */
const eccentricity = flattening * (2 - flattening);
const secondEccentricity = eccentricity / (1 - eccentricity);
export const radian = Math.PI / 180;

/** Nodes and weights on −1 … 1 of the Gauss–Legendre rule with ten nodes; those below 0 mirror these. */
const nodes = [0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845, 0.9739065285171717];
const weights = [0.2955242247147529, 0.2692667193099963, 0.2190863625159820, 0.1494513491505806, 0.0666713443086881];

function integral(from, to, value) {
  const [middle, half] = [(from + to) / 2, (to - from) / 2];
  let sum = 0;
  for (let i = 0; i < nodes.length; i++) {
    sum += weights[i] * (value(middle - half * nodes[i]) + value(middle + half * nodes[i]));
  }
  return sum * half;
}

/** Degrees brought into 0 ≤ d < 360. */
export function compassDegrees(degrees) {
  const rest = degrees % 360;
  const turned = rest < 0 ? rest + 360 : rest;
  // A tiny negative number rounds up to 360, and −0 becomes 0.
  return turned === 360 ? 0 : turned + 0;
}

/** Degrees brought into −180 ≤ d < 180: how far to turn, clockwise where positive. */
export const turnDegrees = degrees => compassDegrees(degrees + 180) - 180;

/** The sine and cosine of the reduced latitude. */
function reduced(latitude) {
  const tangent = (1 - flattening) * Math.tan(latitude * radian);
  const cosine = Math.abs(latitude) === 90 ? 0 : 1 / Math.hypot(1, tangent);
  return { sine: Math.abs(latitude) === 90 ? Math.sign(latitude) : tangent * cosine, cosine };
}

/** The constants of a great circle with the azimuth α at β: sin α0, k², and σ of that point. */
function circle(beta, sineAzimuth, cosineAzimuth) {
  const sine = sineAzimuth * beta.cosine;
  const cosine = Math.hypot(cosineAzimuth, sineAzimuth * beta.sine);
  const start = beta.sine === 0 && cosineAzimuth === 0 ? 0 : Math.atan2(beta.sine, cosineAzimuth * beta.cosine);
  return { sine, start, k: secondEccentricity * cosine * cosine };
}

const widening = (k, arc) => Math.sqrt(1 + k * Math.sin(arc) ** 2);

const lengthOf = ({ k, start }, arc) => polar * integral(start, start + arc, at => widening(k, at));

/** The longitude on the sphere less that on the ellipsoid, in radians. */
const excess = ({ sine, start, k }, arc) =>
  flattening * sine
  * integral(start, start + arc, at => (2 - flattening) / (1 + (1 - flattening) * widening(k, at)));

/** The great circle between two points that are `omega` apart in longitude on the sphere. */
function greatCircle(from, to, omega) {
  const [sineOmega, cosineOmega] = [Math.sin(omega), Math.cos(omega)];
  const east = to.cosine * sineOmega;
  const half = Math.sin(omega / 2);
  // sin(β2 − β1) and a small term: no cancellation if the points are near each other.
  const north = to.sine * from.cosine - to.cosine * from.sine + 2 * to.cosine * from.sine * half * half;
  const length = Math.hypot(east, north);
  const arc = Math.atan2(length, from.sine * to.sine + from.cosine * to.cosine * cosineOmega);
  const azimuth = Math.atan2(east, north);
  return { arc, azimuth, ...circle(from, length ? east / length : 0, length ? north / length : 1) };
}

/**
 * The azimuth at the start of a geodesic between nearly antipodal points, for which the iteration does not converge. It
 * starts at the lower one, which is south of the equator and at least as far from it, so that the longitude at which
 * the other's latitude is met grows from 0 to a half turn with the azimuth.
 */
function searched(from, to, lambda) {
  let [low, high] = [0, Math.PI];
  let found;
  for (let round = 0; round < 100; round++) {
    const azimuth = (low + high) / 2;
    const [sine, cosine] = [Math.sin(azimuth), Math.cos(azimuth)];
    const line = circle(from, sine, cosine);
    const square = (cosine * from.cosine) ** 2 + (to.cosine - from.cosine) * (to.cosine + from.cosine);
    const end = Math.atan2(to.sine, Math.sqrt(Math.max(0, square)));
    const arc = end - line.start;
    const omega = Math.atan2(line.sine * Math.sin(end), Math.cos(end))
      - Math.atan2(line.sine * Math.sin(line.start), Math.cos(line.start));
    found = { arc, azimuth, ...line };
    if ((omega < 0 ? omega + 2 * Math.PI : omega) - excess(line, arc) < lambda) low = azimuth;
    else high = azimuth;
  }
  return found;
}

/**
 * The shortest path from one point to another: `{distance}` in metres, `{bearing}` at its start in degrees, 0 ≤ bearing
 * < 360.
 */
export function geodesic(from, to) {
  let degrees = (to.longitude - from.longitude) % 360;
  if (degrees > 180) degrees -= 360;
  else if (degrees < -180) degrees += 360;
  const lambda = Math.abs(degrees) * radian;
  const [a, b] = [reduced(from.latitude), reduced(to.latitude)];
  let omega = lambda;
  let line = greatCircle(a, b, omega);
  for (let round = 0; round < 50; round++) {
    const next = lambda + excess(line, line.arc);
    if (next > Math.PI) {
      // Antipodal points: over a pole if the longitudes are opposite, else by search.
      if (degrees === 180 || degrees === -180) return overPole(a, b, degrees);
      return opposite(a, b, lambda, degrees);
    }
    const change = Math.abs(next - omega);
    omega = next;
    line = greatCircle(a, b, omega);
    if (change < 1e-15) break;
    if (round === 49) return opposite(a, b, lambda, degrees);
  }
  return answer(lengthOf(line, line.arc), line.azimuth, degrees);
}

const answer = (distance, azimuth, degrees) =>
  ({ distance, bearing: compassDegrees((degrees < 0 ? -azimuth : azimuth) / radian) });

function overPole(from, to, degrees) {
  const line = greatCircle(from, to, Math.PI);
  const azimuth = from.sine + to.sine < 0 ? Math.PI : 0;
  const meridian = circle(from, 0, azimuth ? -1 : 1);
  return answer(lengthOf(meridian, line.arc), azimuth, degrees);
}

function opposite(from, to, lambda, degrees) {
  // Mirror and reverse the path, so that it starts at the point farther from the equator, in the south.
  const isTurned = Math.abs(from.sine) < Math.abs(to.sine);
  const [start, end] = isTurned ? [to, from] : [from, to];
  // On the equator both paths are equally short; like GeographicLib, take the northern one.
  const sign = start.sine >= 0 ? -1 : 1;
  const line = searched(
    { sine: Math.min(sign * start.sine, -1e-300), cosine: start.cosine },
    { sine: sign * end.sine, cosine: end.cosine }, lambda);
  let azimuth = line.azimuth;
  // The azimuth at the end: Clairaut's relation, northwards, as it met the latitude on its way up.
  if (isTurned) azimuth = Math.asin(Math.min(1, line.sine / end.cosine));
  if (sign < 0) azimuth = Math.PI - azimuth;
  // In reverse, an azimuth of α at the end is a start at π − α, since the longitudes are mirrored too.
  if (isTurned) azimuth = Math.PI - azimuth;
  return answer(lengthOf(line, line.arc), azimuth, degrees);
}

/** The point at a distance in metres, in a direction in degrees. */
export function moved(from, distance, bearing) {
  const azimuth = bearing * radian;
  const beta = reduced(from.latitude);
  const [sine, cosine] = [Math.sin(azimuth), Math.cos(azimuth)];
  const line = circle(beta, sine, cosine);
  // Newton's iteration: ds/dσ is b·w.
  let arc = distance / polar;
  for (let round = 0; round < 20; round++) {
    const step = (lengthOf(line, arc) - distance) / (polar * widening(line.k, line.start + arc));
    arc -= step;
    if (Math.abs(step) < 1e-16) break;
  }
  const [sineArc, cosineArc] = [Math.sin(arc), Math.cos(arc)];
  const up = beta.sine * cosineArc + beta.cosine * sineArc * cosine;
  const across = Math.hypot(line.sine, beta.sine * sineArc - beta.cosine * cosineArc * cosine);
  const omega = Math.atan2(sineArc * sine, beta.cosine * cosineArc - beta.sine * sineArc * cosine);
  const longitude = from.longitude + (omega - excess(line, arc)) / radian;
  return {
    latitude: Math.atan2(up, (1 - flattening) * across) / radian,
    longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude,
  };
}

/** Metres from the centre of the Earth: x through the equator at 0°, y at 90° E, z through the north pole. */
export function earthVector({ latitude, longitude }, height = 0) {
  const [phi, lambda] = [latitude * radian, longitude * radian];
  const radius = equatorial / Math.sqrt(1 - eccentricity * Math.sin(phi) ** 2);
  return [
    (radius + height) * Math.cos(phi) * Math.cos(lambda), (radius + height) * Math.cos(phi) * Math.sin(lambda),
    (radius * (1 - eccentricity) + height) * Math.sin(phi),
  ];
}

/** Unit vectors to the east, north and up of a position. */
export function localAxes({ latitude, longitude }) {
  const [phi, lambda] = [latitude * radian, longitude * radian];
  const [sinPhi, cosPhi, sinLambda, cosLambda] = [Math.sin(phi), Math.cos(phi), Math.sin(lambda), Math.cos(lambda)];
  return {
    east: [-sinLambda, cosLambda, 0],
    north: [-sinPhi * cosLambda, -sinPhi * sinLambda, cosPhi],
    up: [cosPhi * cosLambda, cosPhi * sinLambda, sinPhi],
  };
}

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Metres east, north and up of an observer. A missing altitude is that of the other point, or 0. */
export function localVector(from, to) {
  const height = from.altitude ?? to.altitude ?? 0;
  const [a, b] = [earthVector(from, height), earthVector(to, to.altitude ?? height)];
  const offset = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const axes = localAxes(from);
  return { east: dot(axes.east, offset), north: dot(axes.north, offset), up: dot(axes.up, offset) };
}
