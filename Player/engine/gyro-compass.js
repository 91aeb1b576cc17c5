import { compassDegrees, turnDegrees } from './geodesic.js';

/** The longest time between readings of the gyroscope that is integrated, in seconds. */
const longestGap = 1;

/**
 * A heading from a gyroscope, which drifts but does not jitter, calibrated by a compass, which jitters but does not
 * drift. After each interval the heading moves by the mean of the compass's deviations, if these show a stable compass,
 * else as soon as they do. Without the gyroscope for a second, the heading is the compass's. Angles are degrees
 * clockwise, times seconds of one clock.
 */
export class GyroCompass {
  #heading;
  #rate;
  #calibrated;
  #deviations = [];

  /** `interval`: seconds; `stable`: degrees, the largest standard deviation of a stable compass. */
  constructor({ interval = 2, stable = 5 } = {}) {
    this.interval = interval;
    this.stable = stable;
  }

  /** Takes degrees a second about the vertical, and returns the heading, if there is one. */
  gyroscope(rate, seconds) {
    const last = this.#rate;
    if (last && seconds <= last.seconds) return this.#heading;
    if (last && seconds - last.seconds > longestGap) this.#heading = undefined;
    else if (last && this.#heading !== undefined) {
      this.#heading = compassDegrees(this.#heading + (last.rate + rate) / 2 * (seconds - last.seconds));
    }
    this.#rate = { rate, seconds };
    return this.#heading;
  }

  /** Takes the compass's heading, and returns the one to show. */
  compass(degrees, seconds) {
    const isTurning = this.#rate !== undefined && Math.abs(seconds - this.#rate.seconds) <= longestGap;
    if (!isTurning || this.#heading === undefined) {
      this.#heading = isTurning ? compassDegrees(degrees) : undefined;
      this.#calibrate(seconds);
      return compassDegrees(degrees);
    }
    this.#deviations.push({ seconds, turn: turnDegrees(degrees - this.#heading) });
    if (seconds - this.#calibrated < this.interval) return this.#heading;
    this.#deviations = this.#deviations.filter(deviation => seconds - deviation.seconds <= this.interval);
    const count = this.#deviations.length;
    const mean = this.#deviations.reduce((sum, { turn }) => sum + turn, 0) / count;
    const variance = this.#deviations.reduce((sum, { turn }) => sum + (turn - mean) ** 2, 0) / count;
    if (variance > this.stable ** 2) return this.#heading;
    this.#heading = compassDegrees(this.#heading + mean);
    this.#calibrate(seconds);
    return this.#heading;
  }

  #calibrate(seconds) {
    this.#calibrated = seconds;
    this.#deviations = [];
  }
}
