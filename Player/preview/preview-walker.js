// A simulated player who walks to a clicked place, or along a recorded track, at any speed.

import { geodesic, moved } from '../engine/geodesic.js';

/** The walking speed in metres per second. */
const pace = 1.4;

/**
 * Events: `state`. Sends fixes to the position sensor and headings to the compass, with times of the walk, which runs
 * `speed` times as fast.
 */
export class PreviewWalker extends EventTarget {
  speed = 4;
  #timer;
  #goal;
  #track;

  constructor(app) {
    super();
    this.app = app;
    /** The time of the walk: it follows the clock, and runs ahead of it during fast walks. */
    this.time = Date.now();
  }

  get isWalking() {
    return this.#timer !== undefined;
  }

  /** Moves to a position at once. */
  stand(position) {
    this.time = Math.max(this.time + 1000, Date.now());
    this.#give(position);
  }

  /** Walks straight to a place. */
  walkTo(position) {
    this.#track = undefined;
    if (!this.app.position.last) return this.stand(position);
    this.#goal = position;
    this.#start();
  }

  /** Walks along a track from its beginning. */
  replay(points) {
    this.#goal = undefined;
    this.#track = { points, index: 0, time: points[0].time };
    this.time = points[0].time;
    this.app.position.last = undefined;
    this.#start();
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.dispatchEvent(new Event('state'));
  }

  #start() {
    if (this.#timer === undefined) this.#timer = setInterval(() => this.#step(), 100);
    this.dispatchEvent(new Event('state'));
  }

  /** Each step is a tenth of a second of real time; a fix is sent once in a second of the walk's time. */
  #step() {
    this.left = (this.left ?? 0) + 0.1 * this.speed;
    for (; this.left >= 1 && this.isWalking; this.left -= 1) {
      this.time += 1000;
      if (this.#track) this.#alongTrack();
      else this.#towardGoal();
    }
  }

  #alongTrack() {
    const { points } = this.#track;
    while (this.#track.index < points.length && points[this.#track.index].time <= this.time) {
      const point = points[this.#track.index++];
      this.#give(point, point.time);
    }
    if (this.#track.index === points.length) this.stop();
  }

  #towardGoal() {
    const { last } = this.app.position;
    const line = geodesic(last, this.#goal);
    if (line.distance <= pace) {
      this.#give(this.#goal);
      this.stop();
    } else {
      this.#give(moved(last, pace, line.bearing));
    }
  }

  /** Gives a fix with what the receiver of a track measured; the accuracy of a simulated one is 5 m. */
  #give({ latitude, longitude, altitude, accuracy = 5, speed, course }, time = this.time) {
    const { last } = this.app.position;
    const line = last && geodesic(last, { latitude, longitude });
    if (line?.distance > 0.3) this.app.orientation.give({ top: line.bearing, heading: line.bearing, pitch: 0, roll: 0 }, time / 1000);
    const measured = Object.entries({ altitude, speed, course }).filter(([, value]) => value !== undefined);
    this.app.position.give({ latitude, longitude, accuracy, ...Object.fromEntries(measured), time: new Date(time).toISOString() });
  }
}
