// The map on which a chapter is explored. It turns with the player, shows events more clearly the nearer they are, and
// has arrows to the others.

import { element, setText } from '../components/element.js';
import { kindBadge, kindOf } from '../components/event-kind.js';
import { languageMenu } from '../components/language-menu.js';
import { obstacleLine } from '../components/obstacle.js';
import { link } from '../components/router.js';
import { sheet } from '../components/sheet.js';
import { pocketLine } from '../components/pocket-line.js';
import { positionPrompt } from '../components/position-prompt.js';
import { roundButton, roundLink, topBar } from '../components/top-bar.js';
import { whereLine } from '../components/where.js';
import { direction, compassPoint, distance, phrase, say } from '../components/words.js';
import { geodesic, turnDegrees } from '../engine/geodesic.js';
import { groundOf, plansOf } from '../story/ground-tiles.js';
import { chapterEnd } from './chapter-end.js';
import { drawAbove, groundBelow } from './ground-below.js';
import { lockboxPanel } from './lockbox-panel.js';
import { MapPainter, mapColors } from './map-painter.js';
import { MapProjection } from './map-projection.js';

/** The zoom levels: metres from the player to the side of the map. */
const zooms = [30, 60, 120, 250, 500, 1000];

export async function show({ story: id, chapter: chapterID }, app, signal) {
  const session = await app.outdoorSession(id);
  const chapter = session.chapter(chapterID);
  const view = new Exploration(app, session, chapter, signal);
  (await plansOf(session.media))?.layPlan(view);
  return view;
}

class Exploration {
  #zoom = 2;
  /** The current state of the map; in each frame the values move towards their targets. */
  #heading = 0;
  #pitch = 90;
  #reach = zooms[2];
  #isTilted = false;
  #followsHeading = true;
  #frame = 0;
  #taps = [];
  #walked = [];
  #nearest;
  /**
   * The mean time of a drawing in milliseconds. A message after the frame ends the measurement, because the browser draws a
   * canvas after the frame's code.
   */
  #cost = 0;
  #drawn = new MessageChannel();
  /** What covers the map's sides, in pixels, and the rectangles of its buttons, and of all that covers it. */
  #inset;
  #tools = [];
  #covers = [];
  /** Whether the panel lies beside the map. */
  #isBeside = false;
  /** The same sides for the map of the whole chapter, which lies beside all buttons. */
  #whole;
  #reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

  constructor(app, session, chapter, signal) {
    Object.assign(this, { app, session, chapter, signal, title: say('map.overview', { name: chapter.name }) });
    this.isTour = chapter.order === 'sequence';
    this.canvas = element('canvas.map', { role: 'img', 'aria-label': say('map.label', { name: chapter.name }) });
    this.ground = groundOf(session.media, chapter.id);
    this.painter = new MapPainter(this.canvas);
    this.nearest = whereLine();
    this.nearestName = element('strong');
    this.obstacle = obstacleLine();
    this.end = chapterEnd(session, chapter);
    this.accuracy = element('span.accuracy');
    this.around = element('ul.around', { role: 'list' });
    this.lockbox = lockboxPanel(session, chapter, true);
    const tilt = roundButton('tilt', say('map.tilt'), () => this.tilt(tilt), 'false');
    // The needle of this button points north.
    const north = this.compass = roundButton('north', say('map.follow'), () => this.follow(north), 'true');
    this.tools = element('div.map-tools', { role: 'group', 'aria-label': say('map.tools') },
      north, tilt,
      roundButton('plus', say('map.nearer'), () => this.zoom(-1)),
      roundButton('minus', say('map.farther'), () => this.zoom(1)));
    this.panel = sheet({ label: say('map.panel'), kind: 'panel' },
      positionPrompt(app, signal),
      element('div.nearest', {}, element('div.words', {}, this.nearestName, this.nearest.node, this.obstacle.node), this.accuracy),
      this.end.node, this.lockbox.node,
      element('div.with-language', {}, element('details.nearby', {}, element('summary', {}, say('map.nearby')), this.around), languageMenu(session, true)),
      pocketLine(session, chapter, signal));
    this.bar = topBar({
      title: chapter.name, language: session.own(chapter, 'name').lang, back: link(session.id, 'chapter', chapter.id),
      actions: [
        this.isTour && roundLink('list', say('tour.title'), link(session.id, 'tour', chapter.id)),
        roundLink('journal', say('journal.title'), link(session.id, 'journal')),
      ],
    });
    this.body = element('div.exploration', {}, this.canvas, this.bar, this.tools, element('div.bottom', {}, this.panel));
    this.canvas.addEventListener('click', event => this.tapped(event));
    this.canvas.addEventListener('wheel', event => this.zoom(Math.sign(event.deltaY)), { passive: true });
    this.#pinched();
  }

  opened() {
    const { signal } = this;
    this.session.addEventListener('fix', ({ detail }) => this.moved(detail), { signal });
    this.session.addEventListener('change', () => this.update(), { signal });
    this.session.addEventListener('clock', () => this.update(), { signal });
    this.app.orientation.addEventListener('turn', () => this.turned(), { signal });
    this.app.position.addEventListener('state', () => this.update(), { signal });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.painter.colors = mapColors();
      this.draw();
    }, { signal });
    this.resized = new ResizeObserver(() => this.measure());
    this.resized.observe(this.canvas);
    this.resized.observe(this.panel.parentElement);
    this.resized.observe(this.tools);
    this.resized.observe(document.getElementById('notices'));
    this.measure();
    this.update();
    this.#layGround();
    this.app.preview?.attach(this);
  }

  close() {
    this.resized?.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#frame = -1;
    this.#drawn.port1.close();
    this.app.preview?.detach(this);
  }

  /** Lays the base map below, if the story has one. */
  async #layGround() {
    if (!this.ground) return;
    const { canvas, painter, panel, signal, session: { language } } = this;
    this.layer = await groundBelow(this.ground, { canvas, painter, language, signal, draw: () => this.measure(), credited: credit => panel.before(credit) });
    this.draw();
  }

  // Actions of the player

  tilt(button) {
    this.#isTilted = !this.#isTilted;
    button.setAttribute('aria-pressed', String(this.#isTilted));
    this.draw();
  }

  follow(button) {
    this.#followsHeading = !this.#followsHeading;
    button.setAttribute('aria-pressed', String(this.#followsHeading));
    // iOS asks for permission to use the compass only after a tap.
    if (this.#followsHeading) this.app.orientation.start();
    this.draw();
  }

  zoom(steps) {
    this.#zoom = Math.max(0, Math.min(zooms.length - 1, this.#zoom + steps));
    this.draw();
  }

  #pinched() {
    const fingers = new Map();
    let apart;
    this.canvas.addEventListener('pointerdown', event => fingers.set(event.pointerId, event));
    this.canvas.addEventListener('pointermove', event => {
      if (!fingers.has(event.pointerId)) return;
      fingers.set(event.pointerId, event);
      if (fingers.size !== 2) return;
      const [a, b] = [...fingers.values()];
      const now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      apart ??= now;
      if (now > apart * 1.4 || now < apart / 1.4) {
        this.zoom(now > apart ? -1 : 1);
        apart = now;
      }
    });
    for (const name of ['pointerup', 'pointercancel', 'pointerleave']) {
      this.canvas.addEventListener(name, event => {
        fingers.delete(event.pointerId);
        apart = undefined;
      });
    }
  }

  tapped({ offsetX, offsetY }) {
    const tap = this.#taps.find(tap => Math.hypot(tap.x - offsetX, tap.y - offsetY) < tap.radius);
    if (tap) location.hash = link(this.session.id, 'event', tap.event.id);
  }

  // Updates

  moved(fix) {
    const last = this.#walked.at(-1);
    if (!last || geodesic(last, fix).distance > 2) this.#walked.push(fix);
    if (this.#walked.length > 2000) this.#walked.shift();
    this.update();
  }

  /** Redraws the map at each turn, and updates the text a few times a second. */
  turned() {
    if (Math.abs(turnDegrees(this.app.orientation.top - (this.drawnTop ?? Infinity))) > 0.5 || this.drawnTop === undefined) this.draw();
    if (performance.now() < (this.textUpdated ?? 0) + 300) return;
    this.textUpdated = performance.now();
    const first = this.#next(this.#sightings());
    if (first) this.nearest.show(first, this.app.orientation.top);
  }

  /** Updates the text about the map, and redraws it. */
  update() {
    this.#nearest = undefined;
    const { position } = this.app;
    const fix = position.last;
    this.panel.hidden = false;
    const sightings = this.#sightings();
    const first = this.#next(sightings);
    const isDone = this.end.update();
    setText(this.nearestName, ...first ? this.#nameOf(first.event) : [say(fix ? 'map.nothing' : 'map.where')]);
    this.nearestName.parentElement.hidden = isDone;
    this.nearest.node.hidden = !first || isDone;
    this.obstacle.show(first && !isDone ? this.#obstacle(first.event) : undefined);
    if (first) this.nearest.show(first, this.app.orientation.top);
    const isPoor = fix && fix.accuracy > 30;
    this.accuracy.hidden = !isPoor;
    if (isPoor) setText(this.accuracy, say('position.poor', { distance: distance(fix.accuracy) }));
    this.lockbox.update();
    this.#list(sightings);
    this.draw();
  }

  /** Returns the events of the chapter that are not found, the nearest first. */
  #sightings() {
    const fix = this.app.position.last;
    if (!fix) return [];
    return this.#nearest ??= this.session.playback.surroundings({ position: fix, range: 300, count: 200, chapter: this.chapter.id }).nearest;
  }

  #obstacle(eventID) { return this.session.obstacle(this.session.events.get(eventID)); }

  /** Returns the next stop of a tour; otherwise the nearest event, one that can be found if the player is not at another one. */
  #next(sightings) {
    const isHere = ({ event, distance }) => distance < this.session.events.get(event).activation.radius + 15;
    if (!this.isTour) return sightings.find(sighting => isHere(sighting) || !this.#obstacle(sighting.event)) ?? sightings[0];
    const next = this.chapter.events.find(event => !this.session.isFound(event.id));
    return sightings.find(sighting => sighting.event === next?.id);
  }

  /** Returns texts and elements. */
  #nameOf(eventID) {
    if (!this.isTour) return [say('map.unknown')];
    const index = this.chapter.events.findIndex(event => event.id === eventID);
    const event = this.chapter.events[index];
    return phrase('tour.stop', { number: index + 1, name: element('bdi', this.session.own(event, 'name'), event.name) });
  }

  /** Lists the events as text, for players who cannot see the map. */
  #list(sightings) {
    const heading = this.app.orientation.top;
    const toward = bearing => (heading === undefined ? compassPoint(bearing) : direction(bearing - heading));
    const hidden = sightings.slice(0, 8);
    const found = this.chapter.events.filter(event => this.session.isFound(event.id));
    // Rows are reused while their texts change, so that a fix moves neither the focus nor a screen reader's cursor.
    const rows = `${hidden.length} ${found.length}`;
    if (rows !== this.rows) {
      this.rows = rows;
      this.lines = hidden.map(obstacleLine);
      this.around.replaceChildren(
        ...this.lines.map(line => element('li', {}, element('bdi'), element('span.soft'), line.node)),
        ...found.map(event => element('li', {},
          element('a', { href: link(this.session.id, 'event', event.id) }, kindBadge(kindOf(event)),
            element('bdi', this.session.own(event, 'name'), event.name)))));
    }
    for (const [index, { event, bearing, distance: metres }] of hidden.entries()) {
      const [name, where] = this.around.children[index].children;
      setText(name, ...this.#nameOf(event));
      this.lines[index].show(this.#obstacle(event));
      setText(where, metres < 8 ? say('where.here') : say('where.line', { distance: distance(metres), direction: toward(bearing) }));
    }
  }

  // Drawing

  /** Draws in the next frame, and continues until nothing moves. */
  draw() {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(time => this.#paint(time));
  }

  #paint(time) {
    this.#frame = 0;
    // Without a graphics card a drawing takes long; every second frame is then left out, to halve the load.
    if (this.#cost > 5 && time - this.lastPaint < 25) return this.draw();
    const start = performance.now();
    const elapsed = Math.min(0.1, (time - (this.lastPaint ?? time)) / 1000);
    this.lastPaint = time;
    const moves = this.#approach(this.#reducedMotion.matches ? 1 : 1 - Math.exp(-elapsed * 9));
    const fix = this.app.position.last;
    const p = this.projection = this.#projection(fix);
    this.drawnTop = this.app.orientation.top;
    drawAbove(this.layer, this.painter, p, () => this.#paintMarks(p, fix));
    const needle = `${-Math.round(this.#heading)}deg`;
    if (needle !== this.needle) this.compass.firstChild.style.setProperty('rotate', this.needle = needle);
    if (moves || elapsed === 0 && this.#approach(0)) this.draw();
    else this.lastPaint = undefined;
    this.#drawn.port1.onmessage = () => { this.#cost += (performance.now() - start - this.#cost) / 10; };
    this.#drawn.port2.postMessage(undefined);
  }

  #paintMarks(p, fix) {
    const { painter } = this;
    painter.begin(p);
    painter.ground();
    const { top } = this.app.orientation;
    if (fix) painter.rings([25, 50, 100, 200, 400, 800].filter(radius => radius > this.#reach / 5 && radius < this.#reach * 1.2));
    if (this.isTour) painter.route(this.chapter.events.map(event => event.position));
    if (this.#walked.length > 1) painter.walk(this.#walked);
    if (fix) painter.surroundPlayer(fix.accuracy ?? 0, top === undefined ? undefined : top - this.#heading);
    this.#paintEvents(fix);
    for (const cover of this.#covers) painter.reserve(cover);
    if (fix && !this.#isTilted) this.#paintArrows(fix);
    painter.writeNames(this.#inset);
    painter.arrowDistances();
    painter.ringDistances();
    if (fix) painter.player();
  }

  /**
   * Moves the map towards its target by a share of the remaining difference; returns whether any difference remains.
   */
  #approach(share) {
    const top = this.app.orientation.top;
    const turn = turnDegrees((this.#followsHeading && top !== undefined ? top : 0) - this.#heading);
    const pitch = (this.#isTilted ? 38 : 90) - this.#pitch;
    // The tilted view shows more of what lies around.
    const ratio = Math.log(zooms[this.#zoom] * (this.#isTilted ? 1.6 : 1) / this.#reach);
    this.#heading = (this.#heading + turn * share + 360) % 360;
    this.#pitch += pitch * share;
    this.#reach *= Math.exp(ratio * share);
    const isNear = Math.abs(turn) < 0.25 && Math.abs(pitch) < 0.1 && Math.abs(ratio) < 0.002;
    return share < 1 && !isNear;
  }

  /** Reads the page's layout, which is too expensive for each frame. */
  measure() {
    // The buttons make way for a notice.
    const notices = document.getElementById('notices').getBoundingClientRect();
    const covered = notices.height > 0 ? Math.max(0, Math.ceil(notices.bottom - this.tools.getBoundingClientRect().top)) : 0;
    this.tools.style.setProperty('--covered', `${covered}px`);
    const map = this.canvas.getBoundingClientRect();
    const panel = map.bottom - this.panel.getBoundingClientRect().top;
    // As views.css has it for wide pages and for phones that lie on their side.
    const { parentElement: bottom } = this.panel;
    const isBeside = this.#isBeside = getComputedStyle(bottom).position === 'absolute';
    const boxOf = node => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return { x: x - map.x, y: y - map.y, width, height };
    };
    this.#tools = [...this.tools.children].map(boxOf);
    this.#covers = [this.panel, this.bar, this.layer?.credit].filter(Boolean).map(boxOf).concat(this.#tools);
    // The side of the buttons, and of a panel beside the map, depends on the writing direction.
    const isMirrored = document.documentElement.dir === 'rtl';
    const [start, end] = [isBeside ? bottom.clientWidth + 40 : 34, 88];
    const [left, right] = isMirrored ? [end, start] : [start, end];
    // Above the panel there is the attribution of a base map.
    const above = this.layer?.isShown ? 50 : 34;
    this.#inset = { top: 100, bottom: isBeside ? 40 : panel + above, left, right };
    // Several columns of buttons.
    const tools = this.#tools.filter(({ width }) => width > 0).map(({ x, width }) => isMirrored ? x + width : map.width - x);
    const widest = Math.max(end, ...tools.map(width => width + 24));
    this.#whole = isMirrored ? { ...this.#inset, left: widest } : { ...this.#inset, right: widest };
    this.painter.resize();
    this.draw();
  }

  #projection(fix) {
    const { width, height } = this.painter;
    const { top, bottom } = this.#inset;
    if (!fix) {
      const { left, right } = this.#whole;
      const places = [...this.chapter.events.map(event => event.position), this.chapter.location].filter(Boolean);
      const fitted = MapProjection.fitting(places, { width: width - left - right, height: height - top - bottom, margin: 24 });
      fitted.x += left;
      fitted.y += top;
      return fitted;
    }
    const free = height - top - bottom;
    // Beside a panel, the player is in the middle of what is free.
    const { left, right } = this.#isBeside ? this.#inset : { left: 0, right: 0 };
    const wide = width - left - right;
    return new MapProjection({
      centre: fix, heading: this.#heading, pitch: this.#pitch, scale: Math.min(wide, Math.max(free, 200)) / 2 / this.#reach,
      x: left + wide / 2, y: top + free * (this.#isTilted ? 0.78 : 0.5), lens: height * 0.9,
    });
  }

  #paintEvents(fix) {
    const { painter, session, chapter } = this;
    const fades = new Map(this.#sightings().map(sighting => [sighting.event, sighting.fade]));
    const next = this.isTour && chapter.events.find(event => !session.isFound(event.id));
    this.#taps = [];
    for (const [index, event] of chapter.events.entries()) {
      const [isFound, kind] = [session.isFound(event.id), kindOf(event)];
      // The tilted view shows all of them, as an overview.
      const opacity = isFound || !fix || event === next ? 1 : Math.max(fades.get(event.id) ?? 0, this.#isTilted || this.isTour ? 0.55 : 0);
      if (opacity < 0.03) continue;
      const obstacle = session.obstacle(event);
      painter.fence(event.position, event.activation.radius, isFound ? painter.colors[`kind-${kind}`] : painter.colors.ink, opacity, obstacle);
      // Events outside of the visible area have an arrow.
      if (!isFound && fix && !this.#isTilted && this.#isOutside(painter.projection.point(event.position))) continue;
      const place = painter.event({
        position: event.position, kind, isFound, opacity, isNext: event === next,
        number: this.isTour ? index + 1 : undefined, name: isFound || event === next ? event.name : obstacle?.short, obstacle,
      });
      if (place && isFound) this.#taps.push({ ...place, event });
    }
  }

  /** Whether a point is covered at a side of the map, or beyond it. */
  #isOutside(point) {
    const { top, bottom, left, right } = this.#inset;
    const { width, height } = this.painter;
    return !point || point.x < left || point.x > width - right || point.y < top || point.y > height - bottom;
  }

  #paintArrows(fix) {
    const { painter, chapter, session } = this;
    const { projection: p } = painter;
    const inset = this.#inset;
    const next = this.isTour && chapter.events.find(event => !session.isFound(event.id));
    const hidden = this.#sightings().filter(sighting => this.#isOutside(p.point(session.events.get(sighting.event).position)));
    // Draws the farthest first, so that the nearest is on top and has its distance, and omits events behind a nearer one in
    // the same direction.
    const apart = (a, b) => Math.abs(((a.bearing - b.bearing + 540) % 360) - 180);
    const shown = hidden.filter((sighting, index) => !hidden.slice(0, index).some(nearer => apart(nearer, sighting) < 14));
    for (const { event, bearing, distance: metres, fade } of shown.slice(0, 6).reverse()) {
      painter.arrow({ turn: bearing - this.#heading, metres, opacity: 0.6 + 0.4 * fade, isNext: event === next?.id }, inset);
    }
  }
}
