/** The least error in milliseconds that is corrected: the Date header has whole seconds, and responses take time. */
const tolerance = 5000;

/** The milliseconds to add to the device's time, for all code of the page. */
let offset = 0;

/**
 * The device's clock, corrected by the service's. Within a session it never runs backwards, except to the service's
 * time.
 */
export class DeviceClock {
  #last = 0;
  /** The milliseconds to add since the device's clock was set back. */
  #carried = 0;

  /** Reads a response's Date header. Responses from caches have none, since service-worker.js removes it. */
  static observe(response) {
    const date = Date.parse(response.headers.get('Date') ?? '');
    if (!Number.isFinite(date)) return;
    // The header is truncated to whole seconds; a proxy may have cached the response for `Age` seconds.
    const age = Number(response.headers.get('Age')) || 0;
    const difference = date + 500 + age * 1000 - Date.now();
    offset = Math.abs(difference) > tolerance ? difference : 0;
  }

  observe(response) { DeviceClock.observe(response); }

  /** The milliseconds to add to the device's time; 0 until the service has responded. */
  get offset() { return offset; }

  /** Returns milliseconds since 1970. */
  now() {
    const device = Date.now();
    // If the device's clock was set back, time continues from its last value.
    if (device + this.#carried < this.#last && offset === 0) this.#carried = this.#last - device;
    if (offset !== 0) this.#carried = 0;
    this.#last = device + this.#carried;
    return this.#last + offset;
  }

  /** Returns the time in the format of inputs. */
  text() { return new Date(this.now()).toISOString(); }

  /** Corrects a time of the device, such as GeolocationPosition.timestamp. */
  textOf(deviceMilliseconds) { return new Date(deviceMilliseconds + this.now() - Date.now()).toISOString(); }
}
