// The author's panel: speed, tracks, compass, and the reasons why an event was found or not.

import { element, setText } from '../components/element.js';
import { distance, number, say } from '../components/words.js';
import { gpxPoints } from './gpx-track.js';
import { PreviewCharts } from './preview-charts.js';
import { PreviewWalker } from './preview-walker.js';

const speeds = [1, 2, 4, 10, 30, 100];

export class PreviewPanel {
  constructor(app) {
    this.app = app;
    this.walker = new PreviewWalker(app);
    const speed = element('select', { 'aria-label': say('preview.speed'), onchange: () => { this.walker.speed = Number(speed.value); } },
      speeds.map(value => element('option', { value, selected: value === this.walker.speed }, say('preview.times', { speed: number(value) }))));
    const file = element('input', {
      type: 'file', accept: '.gpx,application/gpx+xml', 'aria-label': say('preview.track'), onchange: () => this.read(file.files[0]),
    });
    this.stop = element('button.small', { type: 'button', onclick: () => this.walker.stop() }, say('preview.stop'));
    this.why = element('select', { 'aria-label': say('preview.event'), onchange: () => this.explain() });
    this.explanation = element('dl', { 'aria-live': 'off' });
    this.state = element('p', { role: 'status' }, say('preview.click'));
    this.node = element('aside.preview', { 'aria-label': say('preview.title') },
      element('details', { open: true }, element('summary', {}, element('h2', {}, say('preview.title'))), this.state,
        element('div.row', {}, speed, this.stop, element('label.small', {}, say('preview.open'), file)),
        element('label.why', {}, say('preview.why'), this.why), this.explanation));
    this.walker.addEventListener('state', () => this.update());
    document.body.append(this.node);
    this.update();
  }

  /** Attaches the panel to the map. */
  attach(map) {
    this.map = map;
    const { canvas, session, chapter } = map;
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    this.why.replaceChildren(...chapter.events.map(event => element('option', { value: event.id }, event.name)));
    let isDragging = false;
    const place = ({ offsetX, offsetY }) => map.projection?.position(offsetX, offsetY);
    canvas.addEventListener('pointerdown', event => { isDragging = event.shiftKey; }, { signal });
    canvas.addEventListener('pointermove', event => { if (isDragging) this.walker.stand(place(event)); }, { signal });
    canvas.addEventListener('pointerup', () => { isDragging = false; }, { signal });
    canvas.addEventListener('click', event => { if (!event.shiftKey) this.walker.walkTo(place(event)); }, { signal });
    session.addEventListener('fix', () => this.explain(), { signal });
    session.addEventListener('change', () => this.explain(), { signal });
    map.body.append(new PreviewCharts(this.app, signal).node);
    const start = chapter.location ?? chapter.events[0]?.position;
    if (!this.app.position.last && start) this.walker.stand(start);
    this.explain();
  }

  detach() {
    this.listeners?.abort();
    this.map = undefined;
  }

  async read(file) {
    if (!file) return;
    try {
      const points = gpxPoints(await file.text());
      if (points.length === 0) throw new Error('no points');
      this.walker.replay(points);
    } catch {
      setText(this.state, say('preview.noTrack', { name: file.name }));
    }
  }

  update() {
    this.stop.disabled = !this.walker.isWalking;
    setText(this.state, say(this.walker.isWalking ? 'preview.walking' : 'preview.click'));
  }

  /** Explains the effect of the last fix on the event, and what prevents its find. */
  explain() {
    if (!this.map || !this.why.value) return;
    const { playback } = this.map.session;
    const time = this.app.position.last?.time ?? this.app.clock.text();
    const explained = playback.explain(this.why.value, time);
    const rows = [
      ['verdict', explained.verdict && say(`preview.verdict.${explained.verdict}`)],
      ['distance', explained.distance !== undefined && say('preview.distanceOf', { distance: distance(explained.distance), radius: distance(explained.radius) })],
      ['closest', explained.closest !== undefined && distance(explained.closest)],
      ['votes', explained.votes !== undefined && say('preview.votesOf', { votes: explained.votes, needed: explained.needed })],
      ['stage', explained.stage && say(`preview.stage.${explained.stage}`)],
      ['blockers', explained.isFound ? say('preview.found') : explained.blockers.map(blocker => blocker.text).join('; ') || say('preview.nothing')],
    ];
    this.explanation.replaceChildren(...rows.filter(([, value]) => value).flatMap(([name, value]) => [
      element('dt', {}, say(`preview.${name}`)), element('dd', {}, value)]));
  }
}
