// Images pinned to places, seen through the camera, or without it in a still view that is turned by hand.

import { element, setText } from '../components/element.js';
import { icon } from '../components/icon.js';
import { speak } from '../components/notices.js';
import { shortcutListener } from '../components/shortcuts.js';
import { direction, compassPoint, distance, phrase, say } from '../components/words.js';
import { CameraPose, sights } from '../engine/camera-pose.js';
import { geodesic } from '../engine/geodesic.js';
import { CameraUnavailable, showCamera } from '../sensors/camera-stream.js';
import { drawHorizon } from './horizon.js';

/** The field of view in degrees across the longer side of a phone's camera, assumed because it is not measured. */
const fieldOfView = 66;

export function show(content, event, session, app) {
  return new GogglesView(content, event, session, app);
}

class GogglesView {
  #frame = 0;
  /** The pose of the still view; with the camera, that of the sensors is used. */
  #pose = { heading: 0, pitch: 0, roll: 0 };
  #isLive = false;

  constructor(content, event, session, app) {
    Object.assign(this, { content, event, session, app });
    this.video = element('video', { playsinline: true, muted: true, autoplay: true, hidden: true, 'aria-hidden': 'true' });
    this.video.muted = true;
    this.canvas = element('canvas', { 'aria-hidden': 'true' });
    this.pins = content.pins.map(pin => this.#pin(pin));
    this.hint = element('p.turn-hint', { 'aria-hidden': 'true' });
    this.scene = element('div.scene', {
      tabindex: 0, role: 'application', 'aria-roledescription': say('goggles.scene'), 'aria-label': say('goggles.keys'),
      onkeydown: shortcutListener('goggles', this),
    }, this.video, this.canvas, this.pins.map(pin => pin.node), this.hint);
    this.list = element('ul.pins', { role: 'list' });
    this.trouble = element('p.missing', { hidden: true });
    this.start = element('button.primary', { type: 'button', onclick: () => this.goLive() }, icon('goggles'), say('goggles.start'));
    this.node = element('div.goggles', {},
      element('p', {}, say('goggles.why')),
      element('div.choices', {}, this.start,
        element('button.secondary', { type: 'button', onclick: () => this.faceNearest() }, icon('eye'), say('goggles.find'))),
      this.trouble, this.scene, element('h2', {}, say('goggles.around')), this.list);
    this.#dragged();
  }

  #pin(pin) {
    const found = this.session.media.image(pin.image.source);
    const label = element('span', {});
    const picture = found ? element('img', { src: found.src, alt: '' }) : icon('diamond');
    const node = element('div.pin', { hidden: true, 'aria-hidden': 'true' }, picture, label);
    return { pin, node, label, aspect: found?.width ? found.height / found.width : 1 };
  }

  opened() {
    this.app.position.startIfPermitted();
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    this.app.orientation.addEventListener('turn', () => this.draw(), { signal });
    this.session.addEventListener('fix', () => this.draw(), { signal });
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(this.scene);
    this.faceNearest();
  }

  close() {
    this.listeners?.abort();
    this.resized?.disconnect();
    this.stop?.();
    cancelAnimationFrame(this.#frame);
    this.#frame = -1;
  }

  /** Starts or stops the camera and the sensors after a tap. */
  async goLive() {
    if (this.#isLive) return this.endLive();
    // iOS asks for permission to use the compass after the same tap.
    const compass = this.app.orientation.start();
    this.app.position.start();
    let stop;
    try {
      stop = await showCamera(this.video);
    } catch (error) {
      if (!(error instanceof CameraUnavailable)) throw error;
      return this.fail(say(`camera.${error.reason}`), say('goggles.stillMode'));
    }
    // The player may have left while the browser asked.
    if (!this.node.isConnected) return stop();
    this.stop = stop;
    await compass;
    if (this.app.orientation.state === 'denied') this.fail(say('goggles.noCompass'), say('goggles.stillMode'));
    else this.trouble.hidden = true;
    this.#isLive = true;
    this.video.hidden = false;
    this.start.replaceChildren(icon('cross'), say('goggles.stop'));
    this.scene.scrollIntoView({ block: 'center' });
    this.draw();
  }

  endLive() {
    this.stop?.();
    this.stop = undefined;
    this.#isLive = false;
    this.video.hidden = true;
    this.start.replaceChildren(icon('goggles'), say('goggles.start'));
    this.draw();
  }

  fail(...texts) {
    this.trouble.hidden = false;
    setText(this.trouble, texts.join(' '));
    speak(texts.join(' '));
  }

  // The still view is turned by dragging, or by keys (shortcuts.js)

  #dragged() {
    let last;
    this.scene.addEventListener('pointerdown', event => {
      last = event;
      this.scene.setPointerCapture(event.pointerId);
    });
    this.scene.addEventListener('pointermove', event => {
      if (!last) return;
      const perPixel = fieldOfView / Math.max(this.scene.clientWidth, this.scene.clientHeight);
      this.turn((last.clientX - event.clientX) * perPixel, (event.clientY - last.clientY) * perPixel);
      last = event;
    });
    for (const name of ['pointerup', 'pointercancel']) this.scene.addEventListener(name, () => { last = undefined; });
  }

  /** Turns the view by degrees. */
  turn(right, up) {
    this.#pose.heading = (this.#pose.heading + right + 360) % 360;
    this.#pose.pitch = Math.max(-60, Math.min(60, this.#pose.pitch + up));
    this.draw();
  }

  faceNearest() {
    const position = this.#position();
    const geodesics = this.content.pins.map(pin => geodesic(position, pin.position)).sort((a, b) => a.distance - b.distance);
    if (geodesics.length > 0) this.#pose = { heading: geodesics[0].bearing, pitch: 4, roll: 0 };
    this.draw();
  }

  /** The player's position; without one, the event's. */
  #position() {
    const { latitude, longitude } = this.app.position.last ?? this.event.position;
    return { latitude, longitude };
  }

  // Drawing

  draw() {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#paint());
  }

  #paint() {
    this.#frame = 0;
    const { clientWidth: width, clientHeight: height } = this.scene;
    if (width === 0) return;
    const { orientation } = this.app;
    const isTurned = this.#isLive && orientation.heading !== undefined;
    const look = isTurned ? orientation : this.#pose;
    const across = 2 * Math.atan(Math.tan(fieldOfView / 2 * Math.PI / 180) * Math.min(1, width / height)) * 180 / Math.PI;
    const pose = new CameraPose({
      position: this.#position(), heading: look.heading, pitch: look.pitch, roll: look.roll, fieldOfView: across, width, height,
    });
    drawHorizon(this.canvas, { heading: look.heading, pitch: look.pitch, fieldOfView: across, width, height, isClear: this.#isLive });
    const sightings = sights(this.content, pose);
    for (const [order, sight] of sightings.entries()) this.#place(sight, look.roll, order);
    this.#list(sightings, look.heading);
  }

  #place(sight, roll, order) {
    const { node, label, pin, aspect } = this.pins[sight.pin];
    node.hidden = Boolean(sight.hidden);
    if (sight.hidden) return;
    const size = Math.max(28, sight.size);
    node.style.setProperty('width', `${size}px`);
    node.style.setProperty('height', `${size * aspect}px`);
    node.style.setProperty('transform', `translate(${sight.x - size / 2}px, ${sight.y - size * aspect / 2}px) rotate(${-roll}deg)`);
    node.style.setProperty('z-index', order);
    setText(label, distance(sight.distance));
    node.dataset.name = pin.image.alt ?? '';
  }

  /** Lists the place of each pin as text, and the direction to turn if no pin is visible. */
  #list(sightings, heading) {
    const sorted = [...sightings].sort((a, b) => a.distance - b.distance);
    const rows = sorted.map(sight => {
      const { bearing } = sight;
      const { image } = this.content.pins[sight.pin];
      return phrase('goggles.pin', { name: element('bdi', this.session.own(image, 'alt'), image.alt ?? ''), distance: distance(sight.distance), direction: direction(bearing - heading), compass: compassPoint(bearing) });
    });
    // The list changes only with its text, not in every frame.
    const text = rows.map(row => row.map(part => part.textContent ?? part).join('')).join('\n');
    if (text !== this.listed) {
      this.listed = text;
      this.list.replaceChildren(...rows.map(row => element('li', {}, row)));
    }
    const isEmpty = sorted.every(sight => sight.hidden);
    this.hint.hidden = !isEmpty || sorted.length === 0;
    if (!this.hint.hidden) setText(this.hint, say('goggles.turn', { direction: direction(sorted[0].bearing - heading) }));
  }
}
