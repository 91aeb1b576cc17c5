/** A time window: `{zone, from?: {minutes}, until?: {minutes}, days: ['mon', …], firstDate?, lastDate?}`. */
import { parseTime } from './timestamps.js';

const dayLength = 86_400_000;
const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Milliseconds east of UTC in a time zone. */
class ZoneOffset {
  constructor(zone) {
    try {
      this.format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
        timeZone: zone, hourCycle: 'h23', era: 'short',
        year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
      });
    } catch (error) {
      throw new RangeError(`the time zone '${zone}' is unknown${advice(zone)}`, { cause: error });
    }
  }

  at(milliseconds) {
    const parts = {};
    for (const { type, value } of this.format.formatToParts(milliseconds)) parts[type] = value;
    const year = parts.era.startsWith('B') ? 1 - parts.year : Number(parts.year);
    const shown = new Date(0).setUTCFullYear(year, parts.month - 1, parts.day)
      + ((parts.hour * 60 + Number(parts.minute)) * 60 + Number(parts.second)) * 1000;
    return shown - Math.floor(milliseconds / 1000) * 1000;
  }
}

/**
 * It is open while the zone's local time is from `from` on and before `until`, on a date on which it opens, or, if it
 * extends over midnight, before `until` on the next date. Throws a RangeError for an unknown zone or an invalid date.
 */
export class WindowSchedule {
  #offset;
  /** The last computed period: `{start, end, isOpen}`, in milliseconds. */
  #known;
  /** The last computed opening: `{from, until, opening}`; it holds for times between these. */
  #next;

  constructor(window) {
    this.zone = window.zone;
    this.#offset = new ZoneOffset(window.zone);
    this.from = window.from?.minutes ?? 0;
    this.until = window.until?.minutes ?? 1440;
    this.weekdays = new Set((window.days ?? []).map(day => dayNames.indexOf(day)));
    [this.firstDay, this.lastDay] = [window.firstDate, window.lastDate].map(dayNumber);
  }

  isOpen(time) {
    if (!this.#known || time < this.#known.start || time >= this.#known.end) this.#known = this.#stretch(time);
    return this.#known.isOpen;
  }

  /** The next opening after a time when it is closed; undefined if that is more than a year away, or never. */
  nextOpening(time) {
    if (!(this.#next && time >= this.#next.from && time < this.#next.until)) {
      const opening = this.#computeNextOpening(time);
      this.#next = { from: time, until: opening ?? time + dayLength, opening };
    }
    return this.#next.opening;
  }

  #computeNextOpening(time) {
    let next = this.firstDay === undefined ? time : Math.max(time, (this.firstDay - 1) * dayLength);
    const end = next + 370 * dayLength;
    while (next < end) {
      const stretch = this.#stretch(next);
      if (stretch.isOpen) return Math.max(stretch.start, next);
      next = stretch.end;
    }
    return undefined;
  }

  /** The period around a time, within one local day, in which neither the window nor the offset changes. */
  #stretch(time) {
    const offset = this.#offset.at(time);
    const local = time + offset;
    const day = Math.floor(local / dayLength);
    const midnight = day * dayLength;
    // Between these local times nothing changes.
    const edges = [0, this.from, this.until, 1440].map(minutes => midnight + minutes * 60_000);
    const start = Math.max(...edges.filter(edge => edge <= local));
    const end = Math.min(...edges.filter(edge => edge > local));
    const isSame = moment => this.#offset.at(moment) === offset;
    const [from, to] = [start - offset, end - offset];
    return {
      start: isSame(from) ? from : this.#change(from, time, offset, true),
      end: isSame(to - 1) ? to : this.#change(time, to - 1, offset, false),
      isOpen: this.#isOpenOn(day, (local - midnight) / 60_000),
    };
  }

  /** The first time after `from`, up to `to`, at which the offset is `offset` (or is not), if that changes once. */
  #change(from, to, offset, isWanted) {
    const holds = time => (this.#offset.at(time) === offset) === isWanted;
    let [before, after] = [from, to];
    while (after - before > 1) {
      const middle = before + Math.floor((after - before) / 2);
      if (holds(middle)) after = middle;
      else before = middle;
    }
    return after;
  }

  #isOpenOn(day, minutes) {
    const isOverMidnight = this.until <= this.from;
    if (minutes >= this.from && (isOverMidnight || minutes < this.until)) return this.#opensOn(day);
    return isOverMidnight && minutes < this.until && this.#opensOn(day - 1);
  }

  /** Whether it opens on a day since 1970-01-01, which was a Thursday. */
  #opensOn(day) {
    if (day < this.firstDay || day > this.lastDay) return false;
    return !this.weekdays.size || this.weekdays.has(((day + 3) % 7 + 7) % 7);
  }
}

/** Names the zone of the same place: `Lisbon` is that of `Europe/Lisbon`. */
function advice(zone) {
  const place = name => String(name).split('/').at(-1).toLowerCase().replaceAll(' ', '_');
  const near = Intl.supportedValuesOf?.('timeZone').find(name => place(name) === place(zone));
  return near ? `; did you mean '${near}'?` : '';
}

function dayNumber(date) {
  if (date === undefined) return undefined;
  const start = parseTime(`${date}T00:00:00Z`);
  if (start === undefined) throw new RangeError(`'${date}' is not a date`);
  return start / dayLength;
}
