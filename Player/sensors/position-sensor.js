// The player's position. Browsers ask for permission, so it is started by a tap, after the page has explained why.

/** The milliseconds without a fix after a failure until the signal counts as lost. */
const timeout = 15_000;

/**
 * Events: `fix`, `lost`, `state`.
 *
 * `state`: 'off', 'waiting' until the first fix, 'on', 'denied', 'missing' if the device has no position sensor.
 */
export class PositionSensor extends EventTarget {
  state = 'off';
  /** The last fix: `{latitude, longitude, altitude, accuracy, speed, course, time}`, as far as known. */
  last;
  #watch;
  #silence;

  constructor(clock) {
    super();
    this.clock = clock;
  }

  /** Starts without asking if permission was given before. */
  async startIfPermitted() {
    try {
      const permission = await navigator.permissions.query({ name: 'geolocation' });
      if (permission.state === 'granted') this.start();
      permission.onchange = () => permission.state === 'granted' && this.start();
    } catch {
      // If permissions cannot be queried, a tap starts it.
    }
  }

  start() {
    if (this.#watch !== undefined) return;
    if (!('geolocation' in navigator) || !isSecureContext) return this.#enter('missing');
    this.#enter('waiting');
    this.#watch = navigator.geolocation.watchPosition(
      position => this.#took(position), error => this.#failed(error),
      { enableHighAccuracy: true, maximumAge: 0, timeout: 30000 });
  }

  stop() {
    if (this.#watch !== undefined) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = undefined;
    this.#enter('off');
  }

  #took({ coords, timestamp }) {
    const { latitude, longitude, accuracy, altitude, speed, heading } = coords;
    const values = { latitude, longitude, accuracy, altitude, speed, course: heading };
    // Browsers set unknown values to null.
    const fix = Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value)));
    fix.time = this.clock.textOf(timestamp);
    this.give(fix);
  }

  /** Injects a fix from another source, such as a preview. */
  give(fix) {
    clearTimeout(this.#silence);
    this.#silence = undefined;
    this.last = fix;
    this.#enter('on');
    this.dispatchEvent(new CustomEvent('fix', { detail: fix }));
  }

  /** The last fix as an input of the engine. */
  get input() {
    const { latitude, longitude, altitude, time, ...measures } = this.last;
    return { fix: { position: { latitude, longitude, altitude }, ...measures, timestamp: time } };
  }

  #failed(error) {
    if (error.code === error.PERMISSION_DENIED) {
      this.#watch = undefined;
      return this.#enter('denied');
    }
    // Receivers fail briefly now and then; the signal counts as lost if no fix arrives for a while.
    if (this.state === 'on') this.#silence ??= setTimeout(() => this.#lost(), timeout);
    else this.#enter('waiting');
  }

  #lost() {
    this.#silence = undefined;
    this.dispatchEvent(new Event('lost'));
    this.#enter('waiting');
  }

  #enter(state) {
    if (this.state === state) return;
    this.state = state;
    this.dispatchEvent(new Event('state'));
  }
}
