/** Ranges of latitude and longitude around circles: a fast first search. */

const radian = Math.PI / 180;

/** A box slightly larger than a circle on the ellipsoid, or two if it crosses the antimeridian. */
export function boxesAround({ latitude, longitude }, radius) {
  // A degree of latitude is at least 110.57 km, and one of longitude no shorter than on a sphere of such degrees.
  const reach = radius / 110_500 * 1.001 + 1e-7;
  const [south, north] = [latitude - reach, latitude + reach];
  const all = [{ south, north, west: -180, east: 180 }];
  if (!(south > -89.9 && north < 89.9)) return all;
  const width = reach / Math.cos(Math.max(Math.abs(south), Math.abs(north)) * radian);
  if (!(width < 180)) return all;
  const [west, east] = [longitude - width, longitude + width];
  if (west < -180) return [{ south, north, west: -180, east }, { south, north, west: west + 360, east: 180 }];
  if (east > 180) return [{ south, north, west, east: 180 }, { south, north, west: -180, east: east - 360 }];
  return [{ south, north, west, east }];
}

const overlap = (a, b) => a.south <= b.north && b.south <= a.north && a.west <= b.east && b.west <= a.east;

/** Whether any box of one list overlaps one of the other. */
export const boxesMeet = (a, b) => a.some(one => b.some(other => overlap(one, other)));
