/** Times in JSON are RFC 3339 text; the engine counts whole milliseconds since 1970-01-01 in UTC. */

const pattern = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** The years 1 to 9999, the range of RFC 3339. */
const earliest = -62_135_596_800_000;
const latest = 253_402_300_799_999;

/**
 * Milliseconds of a date in the proleptic Gregorian calendar; `Date.UTC` alone takes the years 0 to 99 for 1900 to
 * 1999.
 */
const dayMilliseconds = (year, month, day) => new Date(0).setUTCFullYear(year, month - 1, day);

/** Milliseconds since 1970 of RFC 3339 text, else undefined. Fractions are cut off after three digits. */
export function parseTime(text) {
  const parts = typeof text === 'string' ? pattern.exec(text) : null;
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number);
  const midnight = dayMilliseconds(year, month, day);
  const date = new Date(midnight);
  // A day that the month does not have becomes one of the next month.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const [offsetHours, offsetMinutes] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (offsetHours * 60 + offsetMinutes) * (parts[8] === '-' ? -1 : 1);
  const fraction = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const milliseconds = midnight + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction;
  return milliseconds >= earliest && milliseconds <= latest ? milliseconds : undefined;
}

/** In UTC: `2026-11-23T17:05:09Z`, with three digits of a fraction if there is one. */
export const timeText = milliseconds => new Date(milliseconds).toISOString().replace('.000Z', 'Z');

/** Adds seconds, rounded to the nearest millisecond (halves away from 0), within the years 1 to 9999. */
export function advanced(milliseconds, seconds) {
  const sum = milliseconds + seconds * 1000;
  const rounded = Math.sign(sum) * Math.floor(Math.abs(sum) + 0.5);
  return Math.min(Math.max(rounded, earliest), latest);
}
