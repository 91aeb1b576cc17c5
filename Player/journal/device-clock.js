/** Milliseconds by which a clock has to be off to be corrected: the Date header has whole seconds, and answers take their time. */
const tolerance = 5000;

/** Of all pages of this device's player: milliseconds to add to the device's time. */
let offset = 0;

/** The device's clock, put right by the service's. It never runs backwards within a session, unless the service says so. */
export class DeviceClock {
  #last = 0;
  /** Milliseconds to add since the device's clock was put back. */
  #carried = 0;

  /** Takes note of an answer's Date header. Answers from caches have none, since service-worker.js leaves it out. */
  static observe(response) {
    const date = Date.parse(response.headers.get('Date') ?? '');
    if (!Number.isFinite(date)) return;
    // The header is cut off to whole seconds; an answer may have waited in a cache on its way for `Age` seconds.
    const age = Number(response.headers.get('Age')) || 0;
    const difference = date + 500 + age * 1000 - Date.now();
    offset = Math.abs(difference) > tolerance ? difference : 0;
  }

  observe(response) { DeviceClock.observe(response); }

  /** Milliseconds to add to the device's time; 0 until the service was heard. */
  get offset() { return offset; }

  /** Milliseconds since 1970. */
  now() {
    const device = Date.now();
    // Somebody put the clock back: time goes on from where it was.
    if (device + this.#carried < this.#last && offset === 0) this.#carried = this.#last - device;
    if (offset !== 0) this.#carried = 0;
    this.#last = device + this.#carried;
    return this.#last + offset;
  }

  /** The time as inputs want it. */
  text() { return new Date(this.now()).toISOString(); }

  /** A time that the device took, such as GeolocationPosition.timestamp, put right. */
  textOf(deviceMilliseconds) { return new Date(deviceMilliseconds + this.now() - Date.now()).toISOString(); }
}
