// Images on the whole screen: enlarged by two fingers, a double tap, the wheel or keys, and moved by dragging.

import { element } from '../components/element.js';
import { shortcutListener } from '../components/shortcuts.js';
import { roundButton } from '../components/top-bar.js';
import { say } from '../components/words.js';
import { creditLine } from './credit-line.js';

const largest = 8;
/** How much larger an image is after a double tap, and after a key or button. */
const [tapped, stepped] = [3, 1.5];
/** Milliseconds and pixels between the taps of a double tap, and the pixels of a swipe. */
const [tapTime, tapDistance, swipe] = [350, 30, 60];
/** Pixels by which a key moves an enlarged image. */
const keyStep = 80;

/** Shows the images of an item from one of them on, until they are closed; the focus then returns. `signal` closes them, too. */
export function showImages(session, images, index, name, signal) {
  new ImageViewer(session, images, index, name, signal);
}

class ImageViewer {
  /** The enlargement, and the distance of the image's middle from that of the screen. */
  #scale = 1;
  #x = 0;
  #y = 0;
  /** The width and height of the image's file. */
  #size;
  #pointers = new Map();
  #moved = 0;
  #lastTap;

  constructor(session, images, index, name, signal) {
    Object.assign(this, { session, images, index, name });
    this.image = element('img', { alt: '', draggable: 'false' });
    this.stage = element('div.stage', {
      onpointerdown: event => this.#down(event), onpointermove: event => this.#move(event),
      onpointerup: event => this.#up(event), onpointercancel: event => this.#up(event),
    }, this.image);
    this.stage.addEventListener('wheel', event => {
      event.preventDefault();
      this.#zoom(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
    }, { passive: false });
    this.caption = element('figcaption', { 'aria-live': 'polite' });
    const several = images.length > 1;
    this.dialog = element('dialog.viewer', { 'aria-label': say('images.title', { name }), onclose: () => this.dialog.remove(), onkeydown: shortcutListener('images', this) },
      element('figure', {}, this.stage, this.caption),
      roundButton('cross', say('close'), () => this.dialog.close()),
      element('div.tools', {},
        several && roundButton('back', say('images.previous'), () => this.turn(-1)),
        roundButton('minus', say('images.smaller'), () => this.enlarge(-1)),
        roundButton('plus', say('images.larger'), () => this.enlarge(1)),
        several && roundButton('forward', say('images.next'), () => this.turn(1))));
    signal.addEventListener('abort', () => this.dialog.close(), { once: true });
    document.body.append(this.dialog);
    this.#show();
    this.dialog.showModal();
  }

  #show() {
    const { images, index, session, image } = this;
    const asset = images[index];
    const found = session.media.image(asset.source);
    [this.#scale, this.#x, this.#y] = [1, 0, 0];
    image.src = found.src;
    image.srcset = found.srcset;
    this.#size = found;
    this.#place();
    this.caption.replaceChildren(...[
      images.length > 1 && element('span.number', {}, say('images.number', { number: index + 1, count: images.length })),
      asset.alt && element('span', session.own(asset, 'alt'), asset.alt),
      creditLine(asset, session),
    ].filter(Boolean));
  }

  /** Shows the next image, or the one before: `by` is 1 or -1. */
  turn(by) {
    const { length } = this.images;
    this.index = (this.index + by + length) % length;
    this.#show();
  }

  enlarge(by) {
    const { left, top, width, height } = this.stage.getBoundingClientRect();
    this.#zoom(stepped ** by, left + width / 2, top + height / 2);
  }

  /** An arrow key: moves an enlarged image, else turns to another one. */
  arrow(x, y) {
    if (this.#scale > 1) {
      this.#x -= x * keyStep;
      this.#y -= y * keyStep;
      this.#place();
    } else if (x !== 0 && this.images.length > 1) {
      this.turn(document.documentElement.dir === 'rtl' ? -x : x);
    }
  }

  /** Enlarges by a factor about a point of the screen, which stays where it is. */
  #zoom(factor, clientX, clientY) {
    const { left, top, width, height } = this.stage.getBoundingClientRect();
    const scale = Math.max(1, Math.min(largest, this.#scale * factor));
    const [x, y] = [clientX - left - width / 2, clientY - top - height / 2];
    this.#x = x - (x - this.#x) * scale / this.#scale;
    this.#y = y - (y - this.#y) * scale / this.#scale;
    this.#scale = scale;
    this.#place();
  }

  /** Places the image so that no more than what is needed is beyond the screen. */
  #place() {
    const { clientWidth, clientHeight } = this.stage;
    const { image } = this;
    const { width, height } = this.#size;
    const fit = Math.min(clientWidth / width, clientHeight / height) * this.#scale;
    const limit = (value, size, room) => {
      const most = Math.max(0, (size - room) / 2);
      return Math.max(-most, Math.min(most, value));
    };
    this.#x = limit(this.#x, width * fit, clientWidth);
    this.#y = limit(this.#y, height * fit, clientHeight);
    image.style.transform = `translate(${this.#x}px, ${this.#y}px) scale(${this.#scale})`;
    image.sizes = `${Math.ceil(this.#scale) * 100}vw`;
    this.stage.dataset.scale = this.#scale.toFixed(2);
  }

  // Fingers and mouse

  #down(event) {
    this.stage.setPointerCapture(event.pointerId);
    if (this.#pointers.size === 0) this.#moved = 0;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, startX: event.clientX, startY: event.clientY });
  }

  #move(event) {
    const pointer = this.#pointers.get(event.pointerId);
    if (!pointer) return;
    const before = this.#spread();
    const [dx, dy] = [event.clientX - pointer.x, event.clientY - pointer.y];
    Object.assign(pointer, { x: event.clientX, y: event.clientY });
    this.#moved += Math.hypot(dx, dy);
    const now = this.#spread();
    if (now) {
      this.#x += now.x - before.x;
      this.#y += now.y - before.y;
      this.#zoom(now.size / before.size, now.x, now.y);
    } else if (this.#scale > 1) {
      this.#x += dx;
      this.#y += dy;
      this.#place();
    }
  }

  /** The middle of two fingers, and their distance; undefined with fewer. */
  #spread() {
    const [a, b] = this.#pointers.values();
    return b && { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, size: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
  }

  #up(event) {
    const pointer = this.#pointers.get(event.pointerId);
    this.#pointers.delete(event.pointerId);
    if (!pointer || event.type === 'pointercancel' || this.#pointers.size > 0) return;
    const [dx, dy] = [event.clientX - pointer.startX, event.clientY - pointer.startY];
    if (this.#moved < tapDistance / 2) return this.#tap(event);
    if (this.#scale === 1 && Math.abs(dx) > swipe && Math.abs(dx) > 1.5 * Math.abs(dy)) return this.arrow(-Math.sign(dx), 0);
    return undefined;
  }

  #tap({ clientX: x, clientY: y, timeStamp }) {
    const last = this.#lastTap;
    const isDouble = last && timeStamp - last.timeStamp < tapTime && Math.hypot(x - last.x, y - last.y) < tapDistance;
    this.#lastTap = isDouble ? undefined : { x, y, timeStamp };
    if (isDouble) this.#zoom(this.#scale > 1 ? 0 : tapped, x, y);
  }
}
