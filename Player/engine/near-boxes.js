/** Ranges of latitude and longitude about circles: a first, cheap look at which are near. */

const radian = Math.PI / 180;

/** What a circle on the ellipsoid may reach, and a little more: two boxes where it crosses the antimeridian. */
export function boxesAround({ latitude, longitude }, radius) {
  // A degree of latitude is 110.57 km or longer, and one of longitude no shorter than on a sphere of such degrees.
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
