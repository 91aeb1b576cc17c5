// A floor plan with its marks. It is moved by scrolling, and so by fingers, the mouse and arrow keys, and enlarged by buttons, keys, the wheel and
// two fingers.

import { element } from '../components/element.js';
import { picture } from '../components/picture.js';
import { say } from '../components/words.js';

const largest = 8;
const step = 1.5;

export class PlanView {
  #zoom = 1;
  #shown;
  #player;

  /**
   * `floors` are those to choose from, `marks()` returns what is on them: `{id, floor, point, text, href?, symbol, state, name?}`, and `isMoved` is
   * whether the wheel enlarges.
   */
  constructor(session, floors, { marks, label, isMoved = false, signal }) {
    Object.assign(this, { session, floors, marks });
    this.list = element('ul.plan-marks', { role: 'list' });
    this.here = element('span.plan-player', { role: 'img', 'aria-label': say('plan.here'), hidden: true });
    this.accuracy = element('span.plan-accuracy', { hidden: true });
    this.sheet = element('div.plan-sheet', {}, this.accuracy, this.list, this.here);
    this.window = element('div.plan-window', {
      // Points of the picture are counted from its left side in all languages.
      dir: 'ltr', role: 'region', tabindex: 0, 'aria-label': label, onkeydown: event => this.#key(event),
    }, this.sheet);
    this.choice = element('fieldset.segments.floors', { hidden: floors.length < 2 }, element('legend.spoken', {}, say('plan.floors')),
      floors.map(floor => {
        const words = element('span', {}, element('bdi', session.own(floor.plan, 'name'), floor.plan.name));
        return element('label', { 'data-floor': floor.id },
          element('input', { type: 'radio', name: 'floor', value: floor.id, onchange: () => this.show(floor) }), words);
      }));
    this.node = element('div.plan', {}, this.window);
    if (isMoved) {
      this.window.addEventListener('wheel', event => {
        event.preventDefault();
        this.#enlarge(step ** -Math.sign(event.deltaY), event);
      }, { passive: false });
    }
    this.#pinched();
    const resized = new ResizeObserver(() => this.#fit());
    resized.observe(this.window);
    signal.addEventListener('abort', () => resized.disconnect());
  }

  /** Shows a floor. */
  show(floor) {
    if (this.floor === floor) return;
    this.floor = floor;
    for (const input of this.choice.querySelectorAll('input')) input.checked = input.value === floor.id;
    const image = picture(this.session.media, floor.plan.image, { first: true, sizes: '200vw' });
    this.sheet.querySelector('img')?.remove();
    this.sheet.prepend(image);
    this.node.style.setProperty('--ratio', `${floor.width} / ${floor.height}`);
    this.#zoom = 1;
    this.#fit();
    this.update();
  }

  /** Enlarges by steps, if they are positive. */
  zoom(steps) { this.#enlarge(step ** steps); }

  /** Brings marks and the player's place up to date. */
  update() {
    const { floor } = this;
    if (!floor) return;
    const marks = this.marks();
    const here = marks.filter(mark => mark.floor === floor && floor.has(mark.point));
    // Elements stay while nothing changes, so that neither the focus nor a screen reader's cursor moves.
    const shown = JSON.stringify([floor.id, here.map(({ id, state, text }) => [id, state, text])]);
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.list.replaceChildren(...here.map(mark => this.#mark(mark)));
    }
    const next = marks.find(({ state }) => state === 'next');
    for (const label of this.choice.querySelectorAll('label')) {
      const isNext = label.dataset.floor === next?.floor.id;
      if (isNext === (label.dataset.next === '')) continue;
      label.toggleAttribute('data-next', isNext);
      const words = label.lastChild;
      if (isNext) words.append(element('span.spoken', {}, say('plan.next')));
      else words.querySelector('.spoken')?.remove();
    }
    this.#placePlayer();
  }

  /** Scrolls so that a point is in the middle, if all of the plan does not fit. */
  reveal(point) {
    const { window: pane, sheet } = this;
    const [left, top] = [point.x / this.floor.width * sheet.offsetWidth + sheet.offsetLeft, point.y / this.floor.height * sheet.offsetHeight + sheet.offsetTop];
    pane.scrollTo(left - pane.clientWidth / 2, top - pane.clientHeight / 2);
  }

  #mark({ point, text, href, symbol, state, name }) {
    const badge = element('span.plan-mark', { 'data-state': state, 'aria-hidden': 'true' }, symbol());
    const words = [badge, element('span.spoken', {}, text), name && element('bdi.plan-name', { 'aria-hidden': 'true', ...name.language }, name.text)];
    // A name stays within the plan.
    const [across, down] = [point.x / this.floor.width, point.y / this.floor.height];
    const side = across < 0.2 ? 'start' : across > 0.8 ? 'end' : undefined;
    const node = element('li', { 'data-state': state, 'data-side': side, 'data-above': down > 0.8 }, href ? element('a', { href }, words) : words);
    this.#place(node, point);
    return node;
  }

  #place(node, { x, y }) {
    node.style.setProperty('left', `${x / this.floor.width * 100}%`);
    node.style.setProperty('top', `${y / this.floor.height * 100}%`);
  }

  /** Shows where the player is, if the device says so and that is on the plan. */
  #placePlayer() {
    const { last } = this.session.app.position;
    const key = last && `${this.floor.id} ${last.latitude} ${last.longitude} ${last.accuracy}`;
    if (key === this.#player) return;
    this.#player = key;
    const point = last && this.floor.point(last);
    this.here.hidden = this.accuracy.hidden = !point || !this.floor.has(point);
    if (this.here.hidden) return;
    this.#place(this.here, point);
    this.#place(this.accuracy, point);
    const share = 2 * (last.accuracy ?? 0) * this.floor.perMetre / this.floor.width;
    this.accuracy.style.setProperty('inline-size', `${Math.min(share * 100, 400)}%`);
  }

  #key(event) {
    const steps = { '+': 1, '=': 1, '-': -1 }[event.key];
    if (!steps || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.zoom(steps);
  }

  #pinched() {
    let apart;
    this.window.addEventListener('touchmove', event => {
      if (event.touches.length !== 2) return;
      event.preventDefault();
      const [a, b] = event.touches;
      const now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      const middle = { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 };
      if (apart) this.#enlarge(now / apart, middle);
      apart = now;
    }, { passive: false });
    for (const name of ['touchend', 'touchcancel']) this.window.addEventListener(name, () => { apart = undefined; });
  }

  /** Enlarges by a factor about a point of the page, else about the middle. */
  #enlarge(factor, at) {
    const { window: pane, sheet } = this;
    const zoom = Math.max(1, Math.min(largest, this.#zoom * factor));
    if (zoom === this.#zoom || !this.floor) return;
    const box = pane.getBoundingClientRect();
    const [x, y] = at ? [at.clientX - box.x, at.clientY - box.y] : [pane.clientWidth / 2, pane.clientHeight / 2];
    const before = sheet.getBoundingClientRect();
    const [across, down] = [(box.x + x - before.x) / before.width, (box.y + y - before.y) / before.height];
    this.#zoom = zoom;
    this.#fit();
    const after = sheet.getBoundingClientRect();
    pane.scrollBy(after.x + across * after.width - box.x - x, after.y + down * after.height - box.y - y);
  }

  /** Gives the sheet its size: all of the plan in the window, times the zoom. */
  #fit() {
    if (!this.floor) return;
    const { width, height } = this.floor;
    const style = getComputedStyle(this.window);
    const [wide, high] = [['clientWidth', 'Left', 'Right'], ['clientHeight', 'Top', 'Bottom']].map(([size, ...sides]) =>
      sides.reduce((left, side) => left - parseFloat(style[`padding${side}`]), this.window[size]));
    const fitted = Math.max(48, Math.min(wide, high * width / height));
    this.sheet.style.setProperty('inline-size', `${fitted * this.#zoom}px`);
    this.sheet.style.setProperty('aspect-ratio', `${width} / ${height}`);
  }
}
