/**
 * Decides which fixes are used. A place is a used fix: `{latitude, longitude, accuracy, time}`, its time in
 * milliseconds.
 */
import { countedAccuracy } from './fence-rules.js';
import { metres } from './local-scale.js';

/** Seconds between the places used for the pace, and their number. */
const milestoneSeconds = 10;
const milestoneCount = 4;
/** Metres a second: higher values from receivers are not trusted. */
const maxPlausibleSpeed = 100;

const seconds = (from, to) => (to.time - from.time) / 1000;

const isMeasure = value => value >= 0 && value < Infinity;

/** The reason why a fix is unusable, if any: a value is not a number or out of its range. */
export function fixFault({ latitude, longitude, altitude, accuracy, speed, course }) {
  if (!(latitude >= -90 && latitude <= 90)) return `the latitude ${latitude} is not within -90 to 90`;
  if (!(longitude >= -180 && longitude <= 180)) return `the longitude ${longitude} is not within -180 to 180`;
  if (altitude !== undefined && !Number.isFinite(altitude)) return 'the altitude is not a number';
  if (accuracy !== undefined && !isMeasure(accuracy)) return `the accuracy ${accuracy} is not a distance`;
  if (speed !== undefined && !isMeasure(speed)) return `invalid speed ${speed}: must be a number of at least 0`;
  if (course !== undefined && !Number.isFinite(course)) return 'the course is not a number';
  return undefined;
}

export class FixFilter {
  /** The last place. */
  last;
  #distrusted = 0;
  /** Metres a second: the slowest between any two milestones, so that outliers do not raise it. */
  #pace = 0;
  #milestones = [];
  /** Metres a second on the path to the last place, after subtracting the accuracies. */
  #lastSpeed = 0;
  /** The last suspect place, how many agreed before it, and metres a second between the last two. */
  #suspect;
  #suspects = 0;
  #suspectSpeed = 0;
  #isLost = false;

  /** The signal was lost: the path to the next fix is unknown. */
  lose() { this.#isLost = true; }

  /**
   * Judges a fix, and keeps it if it is used: `{verdict, isUsed, value?, leg?, startsAnew?, rested?}`. `leg` is the
   * path from the last place, if known: `{start, length, seconds}`. `startsAnew`: earlier votes no longer count.
   * `rested`: the player counts as having been at the last place until now, although no path is known.
   */
  judge(fix, rules) {
    const fault = fixFault(fix);
    if (fault) return refused('unusable', fault);
    if (this.#distrusted < rules.distrustedFixes) {
      this.#distrusted += 1;
      return refused('distrusted');
    }
    if (fix.accuracy > rules.accuracyLimit) return refused('inaccurate', fix.accuracy);
    const place = {
      latitude: fix.latitude, longitude: fix.longitude, altitude: fix.altitude, accuracy: countedAccuracy(rules, fix),
      time: fix.time,
    };
    const { last } = this;
    if (!last) return this.#begin(place);
    const passed = seconds(last, place);
    // A repeated fix adds no information.
    if (passed < 0 && this.#isPlausible(place, rules)) return this.#begin(place);
    if (!(passed > 0)) return refused('backwards');
    const length = metres(last, place);
    const measured = 1.5 * Math.min(fix.speed ?? 0, maxPlausibleSpeed);
    const speed = Math.max(0, length - last.accuracy - place.accuracy) / passed;
    if (!(speed <= Math.max(rules.maximumSpeed, 2 * this.#pace, 1.5 * this.#lastSpeed, measured))) {
      return this.#isPlausible(place, rules) ? this.#begin(place) : refused('jump', speed);
    }
    if (this.#isLost || passed > rules.longestGap) return this.#begin(place, passed <= rules.restsFor);
    const isPath = length <= Math.max(rules.pathSpeed, 2 * this.#pace, measured) * passed;
    this.#keep(place);
    this.#lastSpeed = speed;
    return isPath ? used({ leg: { start: last, length, seconds: passed } }) : used({ verdict: 'used-without-path' });
  }

  #begin(place, rested = false) {
    this.last = place;
    this.#milestones = [place];
    this.#pace = this.#lastSpeed = this.#suspectSpeed;
    this.#suspect = undefined;
    this.#suspects = this.#suspectSpeed = 0;
    this.#isLost = false;
    return used({ verdict: 'used-without-path', startsAnew: true, rested });
  }

  #keep(place) {
    this.last = place;
    this.#suspect = undefined;
    this.#suspects = this.#suspectSpeed = 0;
    const milestone = this.#milestones.at(-1);
    if (!milestone || seconds(milestone, place) < milestoneSeconds) return;
    if (this.#milestones.length === milestoneCount) this.#milestones.shift();
    this.#milestones.push(place);
    if (this.#milestones.length === milestoneCount) this.#pace = slowestPace(this.#milestones);
  }

  /** Whether enough suspect fixes agree that the last place must be wrong. */
  #isPlausible(place, rules) {
    const suspect = this.#suspect;
    if (suspect && seconds(suspect, place) > 0) {
      const distance = metres(suspect, place) - suspect.accuracy - place.accuracy;
      this.#suspectSpeed = Math.max(0, distance) / seconds(suspect, place);
      this.#suspects = this.#suspectSpeed <= maxPlausibleSpeed ? this.#suspects + 1 : 1;
    } else {
      this.#suspects = 1;
    }
    this.#suspect = place;
    return this.#suspects >= rules.rejoinAfter;
  }
}

const refused = (verdict, value) => ({ verdict, value, isUsed: false });
const used = found => ({ verdict: 'used', isUsed: true, ...found });

function slowestPace(milestones) {
  let slowest = Infinity;
  milestones.forEach((start, index) => {
    for (const end of milestones.slice(index + 1)) {
      slowest = Math.min(slowest, Math.max(0, metres(start, end) - end.accuracy) / seconds(start, end));
    }
  });
  return slowest;
}
