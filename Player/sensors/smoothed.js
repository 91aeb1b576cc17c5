// An angle that follows its readings smoothly: small changes are jitter, large ones are followed at once.

/** A low-pass filter for angles in degrees, across north; its time constant is shorter for larger deviations. */
export class Smoothed {
  #value;
  #seconds;

  /** `slow`: seconds of the time constant for jitter; `fast`: for turns of `large` degrees and more. */
  constructor({ slow = 0.35, fast = 0.05, large = 25 } = {}) {
    Object.assign(this, { slow, fast, large });
  }

  /** Takes a reading and returns the angle, -180 to 360 as the readings are. */
  toward(reading, seconds) {
    if (this.#value === undefined || !(seconds > this.#seconds)) {
      this.#value = reading;
    } else {
      const turn = ((((reading - this.#value) % 360) + 540) % 360) - 180;
      const share = Math.min(1, Math.abs(turn) / this.large);
      const constant = this.slow + (this.fast - this.slow) * share;
      this.#value += turn * (1 - Math.exp((this.#seconds - seconds) / constant));
      if (reading >= 0 && this.#value < 0) this.#value += 360;
      if (this.#value >= 360) this.#value -= 360;
    }
    this.#seconds = seconds;
    return this.#value;
  }
}
