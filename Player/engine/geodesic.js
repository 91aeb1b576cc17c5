/** The shortest path on the WGS 84 ellipsoid: `{distance}` in metres, `{bearing}` in degrees, 0 ≤ bearing < 360. Points: {latitude, longitude}. */
export function geodesic(from, to) {}
/** The point so many metres away in a direction in degrees. */
export function moved(from, distance, bearing) {}
/** Metres east, north and up of an observer ({latitude, longitude, altitude?}), for goggles. */
export function localVector(from, to) {}
/** Degrees brought into 0 ≤ d < 360, and into -180 ≤ d < 180. */
export function compassDegrees(degrees) {}
export function turnDegrees(degrees) {}
