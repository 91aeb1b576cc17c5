// The connection of a viewer: it opens again when it breaks, and knows how the server's clock differs from the page's.
import { Batch, openStream, refusalOf, tokenOfPage } from './stream-socket.js';

/** Seconds until the next attempt: twice as many after each, with a little chance so that viewers don't all come at once. */
const waits = { first: 0.5, most: 30, missing: 3 };
const pingSeconds = 10;

/** The time of the page's clock in ms since 1970; it never goes back. */
export const now = () => performance.timeOrigin + performance.now();

export class LiveConnection {
  /** 'connecting', 'open', 'waiting' for the next attempt, 'refused' for good. */
  state = 'connecting';
  /** Of 'waiting': when the next attempt is, by `performance.now()`. */
  nextAttempt = 0;
  /** Why there is no connection, in words; and whether somebody has to sign in. */
  reason = '';
  needsAccount = false;
  /** Whether nobody sends the stream, so that it is waited for; and whether attempts have failed since there was a connection. */
  isMissing = false;
  get hasFailed() { return this.#attempts > 0; }
  /** What is added to the page's clock for the server's, in ms; half of the shortest round trip is how wrong it may be. */
  clockOffset = 0;
  #shortest = Infinity;
  #attempts = 0;
  #wasOpen = false;

  /** `place`: that of a stream or a recording. `listener`: `{ opened(), message(object), batch(Batch, received), changed() }`. */
  constructor(place, listener) {
    this.place = place;
    this.listener = listener;
    addEventListener('online', () => this.retry());
    addEventListener('visibilitychange', () => { if (!document.hidden) this.retry(); });
    this.#open();
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Connects anew to a stream that has ended: another source may send it now. */
  again() { this.socket?.close(1000); }

  /** Tries at once. */
  retry() {
    if (this.state !== 'waiting') return;
    clearTimeout(this.timer);
    this.#open();
  }

  #enter(state, reason = '') {
    [this.state, this.reason] = [state, reason];
    this.listener.changed();
  }

  #open() {
    this.#enter('connecting', this.reason);
    let socket;
    try {
      socket = openStream(this.place, tokenOfPage());
    } catch (error) {
      return this.#enter('refused', `The address has a wrong key or token: ${error.message}`);
    }
    this.socket = socket;
    this.#wasOpen = false;
    socket.onopen = () => {
      this.#wasOpen = true;
      this.#attempts = 0;
      this.#shortest = Infinity;
      [this.isMissing, this.needsAccount] = [false, false];
      this.#enter('open');
      this.listener.opened();
      for (let i = 0; i < 5; i++) setTimeout(() => this.#ping(socket), i * 100);
      this.pings = setInterval(() => this.#ping(socket), pingSeconds * 1000);
    };
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = event => this.#close(event);
  }

  #ping(socket) {
    if (socket === this.socket) this.send({ type: 'ping', t: performance.now() });
  }

  #take(data) {
    const received = performance.now();
    try {
      if (data instanceof ArrayBuffer) return this.listener.batch(new Batch(data), received);
      const message = JSON.parse(data);
      if (message.type === 'pong') this.#measure(message, received);
      else this.listener.message(message);
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
      this.listener.message({ type: 'error', message: `A message of the server is damaged: ${error.message}` });
    }
  }

  /** The shortest round trip tells most about the server's clock. Clocks drift, so that an old one counts less. */
  #measure({ t, server }, received) {
    const trip = received - t;
    this.#shortest *= 1.1;
    if (!(trip <= this.#shortest)) return;
    this.#shortest = trip;
    this.clockOffset = server - (performance.timeOrigin + t + trip / 2);
  }

  async #close({ code }) {
    clearInterval(this.pings);
    const isNew = !this.#wasOpen;
    const refusal = isNew ? await refusalOf(this.place, tokenOfPage(), 'live') : undefined;
    [this.isMissing, this.needsAccount] = [refusal?.isMissing ?? false, refusal?.isAccount ?? false];
    // A stream may come. A recording does not come back.
    if (this.isMissing && this.place.startsWith('recordings/')) return this.#enter('refused', refusal.text);
    const most = this.isMissing ? waits.missing : waits.most;
    const wait = Math.max(refusal?.seconds ?? 0, Math.min(waits.first * 2 ** this.#attempts, most) * (0.8 + 0.4 * Math.random()));
    this.#attempts += 1;
    this.nextAttempt = performance.now() + wait * 1000;
    this.timer = setTimeout(() => this.#open(), wait * 1000);
    this.#enter('waiting', refusal?.text ?? (code === 1008 || code === 1003 ? 'The server closed the connection.' : ''));
  }
}
