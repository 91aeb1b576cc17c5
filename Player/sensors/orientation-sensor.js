// Where the device looks: its compass, without jitter. iOS asks for permission, which only a tap may start.

import { attitude } from './attitude.js';
import { Smoothed } from './smoothed.js';
import { GyroCompass } from '../engine/gyro-compass.js';

/**
 * Events: `turn` after each reading, `state`.
 *
 * `state`: 'off', 'listening' until the first reading, 'on', 'denied', 'missing'. Angles in degrees, undefined without
 * a reading: `top`, the heading of the device's upper edge, for maps; `heading`, `pitch` and `roll` of its camera.
 */
export class OrientationSensor extends EventTarget {
  state = 'off';
  top; heading; pitch; roll;
  #compass = new GyroCompass();
  #angles = { top: new Smoothed(), heading: new Smoothed(), roll: new Smoothed(), pitch: new Smoothed() };
  #rate = 0;

  /** Starts if no permission is needed, or was given before. */
  async startIfPermitted() {
    if (typeof DeviceOrientationEvent === 'undefined') return;
    if (!DeviceOrientationEvent.requestPermission) return this.start();
    try {
      const permission = await navigator.permissions.query({ name: 'accelerometer' });
      if (permission.state === 'granted') await this.start();
    } catch {
      // If permissions cannot be queried, a tap starts it.
    }
  }

  /** Must be called by a tap if permission is needed. */
  async start() {
    if (this.state === 'on' || this.state === 'listening') return;
    if (typeof DeviceOrientationEvent === 'undefined') return this.#enter('missing');
    try {
      const answer = await DeviceOrientationEvent.requestPermission?.();
      if (answer === 'denied') return this.#enter('denied');
    } catch {
      return this.#enter('denied');
    }
    // Android has angles from true north; on iOS, the ordinary event has a compass.
    const name = 'ondeviceorientationabsolute' in window ? 'deviceorientationabsolute' : 'deviceorientation';
    addEventListener(name, event => this.#took(event));
    addEventListener('devicemotion', event => this.#turned(event));
    this.#enter('listening');
  }

  #turned({ rotationRate, timeStamp }) {
    if (!Number.isFinite(rotationRate?.alpha)) return;
    // About the axis out of the screen, vertical while the device lies in the hand: counter-clockwise is positive.
    this.#rate = -rotationRate.alpha;
    if (this.state === 'on' && Math.abs(this.pitch) > 45) this.top = this.#compass.gyroscope(this.#rate, timeStamp / 1000);
  }

  #took({ alpha, beta, gamma, webkitCompassHeading, timeStamp }) {
    if (![alpha ?? webkitCompassHeading, beta, gamma].every(Number.isFinite)) return;
    const north = Number.isFinite(webkitCompassHeading) ? 360 - webkitCompassHeading : alpha;
    const read = attitude(north, beta, gamma, screen.orientation?.angle ?? 0);
    this.give(read, timeStamp / 1000);
  }

  /** Injects a reading from elsewhere: the still mode, or a preview. */
  give({ top, heading, pitch, roll }, seconds = performance.now() / 1000) {
    this.top = this.#angles.top.toward(this.#compass.compass(top, seconds) ?? top, seconds);
    this.heading = this.#angles.heading.toward(heading, seconds);
    this.pitch = this.#angles.pitch.toward(pitch, seconds);
    this.roll = this.#angles.roll.toward(roll, seconds);
    this.#enter('on');
    this.dispatchEvent(new Event('turn'));
  }

  #enter(state) {
    if (this.state === state) return;
    this.state = state;
    this.dispatchEvent(new Event('state'));
  }
}
