// Sends samples to a live stream. What is measured while there is no connection is kept for a while, and sent later.
import { encodedBatch, openStream, placeOfStream, refusalOf, tokenOfPage } from './stream-socket.js';

/** Seconds of samples that wait for a connection, and the most of one channel. */
const keptSeconds = 30;
const mostKept = 6000;
/** Bytes that wait in the browser, beyond which no more are given to it; and samples in a message. */
const mostWaiting = 65_536;
const mostInMessage = 2000;
const sendMilliseconds = 20;
const waits = { first: 0.5, most: 15 };
/** Close code of a stream that another device sends now. */
const replaced = 4001;

export class StreamSender {
  /** 'connecting', 'sending', 'waiting' or 'ended'; and why, in words. */
  state = 'connecting';
  reason = '';
  viewers = 0;
  recording = null;
  /** The id of the recording that was begun last, also after its end. */
  kept = null;
  /** The number of all samples that were sent, and that were dropped since they waited too long. */
  sent = 0;
  dropped = 0;
  #waiting;
  #number = 0;
  #attempts = 0;
  #isOpen = false;

  /** `begin`: `{ channels, record, title }`, each channel `{ name, unit }`. `changed` is called when something is to be shown. */
  constructor(name, begin, changed) {
    Object.assign(this, { name, begin, changed });
    this.#waiting = begin.channels.map(() => ({ times: [], values: [] }));
    this.#open();
    this.timer = setInterval(() => this.#send(), sendMilliseconds);
  }

  /** Adds a value of a channel. Times of a channel that do not go on are dropped. */
  add(channel, time, value) {
    const { times, values } = this.#waiting[channel];
    if (this.state === 'ended' || times.length > 0 && time <= times.at(-1)) return;
    times.push(time);
    values.push(value);
    const late = times.findIndex(one => one > time - keptSeconds);
    const excess = Math.max(late, times.length - mostKept);
    if (excess <= 0) return;
    times.splice(0, excess);
    values.splice(0, excess);
    this.dropped += excess;
  }

  /** The number of samples that wait. */
  get waiting() { return this.#waiting.reduce((sum, { times }) => sum + times.length, 0); }

  stop(reason = '') {
    clearInterval(this.timer);
    clearTimeout(this.retry);
    this.#send();
    this.#enter('ended', reason);
    this.socket.close(1000);
  }

  #enter(state, reason = '') {
    [this.state, this.reason] = [state, reason];
    this.changed();
  }

  #open() {
    let socket;
    try {
      socket = openStream(placeOfStream(this.name), tokenOfPage(), 'wayreel-source');
    } catch (error) {
      clearInterval(this.timer);
      return this.#enter('ended', `The address has a wrong key or token: ${error.message}`);
    }
    this.socket = socket;
    this.#isOpen = false;
    socket.onopen = () => {
      this.#isOpen = true;
      socket.send(JSON.stringify({ type: 'begin', format: 'wayreel-source', version: 1, notation: 'date', ...this.begin }));
    };
    socket.onmessage = ({ data }) => { if (typeof data === 'string') this.#take(JSON.parse(data)); };
    socket.onclose = event => this.#close(event);
  }

  #take({ type, message, viewers, recording }) {
    if (type === 'error') {
      this.refusal = message;
      return;
    }
    if (type !== 'ok') return;
    [this.viewers, this.recording, this.#attempts] = [viewers, recording, 0];
    this.kept = recording ?? this.kept;
    this.#enter('sending');
  }

  async #close({ code }) {
    if (this.state === 'ended') return;
    const end = reason => {
      clearInterval(this.timer);
      this.#enter('ended', reason);
    };
    if (code === replaced) return end('Another device, or another tab, sends this stream now.');
    // What the server does not take now, it does not take later.
    if (code === 1008 || code === 1003) return end(`The server does not take this: ${this.refusal ?? 'it gave no reason'}.`);
    const refusal = this.#isOpen ? undefined : await refusalOf(placeOfStream(this.name), tokenOfPage(), 'source');
    if (refusal?.isAccount) return end(refusal.text);
    const wait = Math.max(refusal?.seconds ?? 0, Math.min(waits.first * 2 ** this.#attempts, waits.most));
    this.#attempts += 1;
    this.retry = setTimeout(() => this.#open(), wait * 1000);
    this.#enter('waiting', refusal?.text ?? '');
  }

  /** Sends what waits, as far as the network takes it. */
  #send() {
    if (this.state !== 'sending' || this.socket.readyState !== WebSocket.OPEN || this.socket.bufferedAmount > mostWaiting) return;
    const runs = [];
    let room = mostInMessage;
    for (const [channel, { times, values }] of this.#waiting.entries()) {
      // Offsets from the first time of a run span at most 16 s.
      const within = times.findIndex(time => time > times[0] + 10);
      const count = Math.min(room, within < 0 ? times.length : within);
      if (count === 0) continue;
      runs.push({ channel, times: times.splice(0, count), values: values.splice(0, count) });
      room -= count;
    }
    if (runs.length === 0) return;
    this.socket.send(encodedBatch(++this.#number, runs));
    this.sent += mostInMessage - room;
  }
}
