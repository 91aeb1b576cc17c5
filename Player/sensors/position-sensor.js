// Where the player is. Browsers ask for permission; so this starts by a tap, after the page has said why.

/** Milliseconds without a fix, after a failure, from which on the signal is lost. */
const patience = 15_000;

/**
 * Events: `fix`, `lost`, `state`.
 *
 * `state`: 'off', 'waiting' until the first fix, 'on', 'denied', 'missing' where the device cannot tell.
 */
export class PositionSensor extends EventTarget {
  state = 'off';
  /** The last fix: `{latitude, longitude, altitude, accuracy, speed, course, time}`, as far as they are known. */
  last;
  #watch;
  #silence;

  constructor(clock) {
    super();
    this.clock = clock;
  }

  /** Starts without a question where permission was given before. */
  async startIfPermitted() {
    try {
      const permission = await navigator.permissions.query({ name: 'geolocation' });
      if (permission.state === 'granted') this.start();
      permission.onchange = () => permission.state === 'granted' && this.start();
    } catch {
      // Where permissions cannot be asked for, a tap starts it.
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
    // Browsers write null where they do not know.
    const fix = Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value)));
    fix.time = this.clock.textOf(timestamp);
    this.give(fix);
  }

  /** A fix from elsewhere is given the same way: a preview's. */
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
    // Receivers fail for a moment now and then; the signal is lost when no fix comes for a while.
    if (this.state === 'on') this.#silence ??= setTimeout(() => this.#lost(), patience);
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
