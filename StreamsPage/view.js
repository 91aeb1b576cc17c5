// The page of a live stream, or of a recording that is played or kept: a strip chart with what one does to it.
import { clamp } from './charts/strip-chart.js';
import { element, setText } from './components/element.js';
import { ChannelPanel } from './channel-panel.js';
import { listenToHands, moveCursor } from './chart-input.js';
import { Controls, Playback, spanText, ViewPanel } from './controls.js';
import { Delays } from './delays.js';
import { FilterPanel } from './filter-panel.js';
import { KeptRecording } from './kept-recording.js';
import { LiveChart } from './live-chart.js';
import { LiveConnection, now } from './live-connection.js';
import { MarkPanel } from './mark-panel.js';
import { showRecordings } from './recording-list.js';
import { mayKeepRecordings } from './recordings.js';
import { listenToKeys } from './shortcuts.js';
import { StatusLine } from './status-line.js';
import { nameOfPage, placeOfRecording, placeOfStream, recordingOfPage } from './stream-socket.js';
import { ViewSettings } from './view-settings.js';
import { valuesInWords } from './words.js';

const node = id => document.getElementById(id);

class StreamView {
  chart = new LiveChart();
  delays = new Delays();
  head = undefined;
  /** What the page does with a kept recording; undefined for a live stream. */
  kept = undefined;
  settings = new ViewSettings(this);
  status = new StatusLine(this);
  /** Batches that are not drawn yet: `{ number, arrival, received }`. */
  #waiting = [];
  #origin;
  #isNewConnection = true;
  #ticked = 0;
  #frame;

  constructor() {
    const { chart } = this;
    this.settings.restore();
    this.#prepareChart();
    const id = recordingOfPage();
    if (id !== null) this.kept = new KeptRecording(id, this, message => this.connection.send(message));
    this.connection = new LiveConnection(id === null ? placeOfStream(nameOfPage()) : placeOfRecording(id), {
      opened: () => this.#opened(), message: message => this.#take(message), batch: (batch, received) => this.#add(batch, received),
      changed: () => this.#tell(),
    });
    const send = message => this.connection.send(message);
    this.channels = new ChannelPanel(chart);
    this.filters = new FilterPanel(filters => send({ type: 'filters', filters }));
    this.marks = new MarkPanel(chart, send, time => this.goTo(time));
    this.look = new ViewPanel(this);
    this.playback = new Playback(node('playback'), { send: message => this.#play(message) });
    this.controls = new Controls(node('controls'), this);
    node('panels').append(this.channels.node, this.filters.node, this.marks.node, this.look.node);
    if (this.kept) {
      this.look.body.append(this.kept.node);
      this.kept.read();
    }
    node('recordings').hidden = !mayKeepRecordings();
    node('recordings').addEventListener('click', () => showRecordings());
    document.addEventListener('visibilitychange', () => this.#shown());
    this.#shown();
    this.#tell();
    setInterval(() => this.#tell(), 500);
  }

  #prepareChart() {
    const { chart } = this;
    const { stage } = chart;
    node('chart').append(chart.node);
    // Screen readers give arrow keys to a slider, and say its text when it moves.
    const attributes = {
      tabindex: '0', role: 'slider', 'aria-label': 'Cursor of the chart', 'aria-valuemin': '0', 'aria-valuemax': '100', 'aria-valuenow': '100',
      'aria-valuetext': 'no cursor',
    };
    for (const [name, value] of Object.entries(attributes)) stage.setAttribute(name, value);
    listenToHands(chart, {
      changed: ({ isCursor }) => (isCursor ? this.#cursorMoved() : this.changed()),
      // On a page that scrolls, a wheel scrolls it.
      mayZoomByWheel: () => chart.shown.length === chart.lanes.length && document.documentElement.scrollHeight <= innerHeight + 1,
    });
    listenToKeys(this, stage);
    // The fragment of the address stays the key.
    document.querySelector('.skip').addEventListener('click', event => {
      event.preventDefault();
      stage.focus();
    });
  }

  // MARK: What comes

  #opened() {
    this.#isNewConnection = true;
    this.status.fault = '';
    this.chart.expectRepeats();
    this.kept?.opened();
  }

  #take(message) {
    switch (message.type) {
      case 'head': return this.#takeHead(message);
      case 'state': return this.#takeState(message);
      case 'mark': return this.marks.add(message);
      case 'events':
        this.chart.addEvents(message.events);
        break;
      case 'unmark': return this.marks.remove(message.id);
      case 'missed':
        this.chart.addMissed(message);
        this.status.addMissed(message.samples);
        break;
      case 'silent': this.status.silentSince = performance.now() - message.seconds * 1000; break;
      case 'end': this.#end(); break;
      case 'error': this.#refused(message); break;
    }
    this.#tell();
  }

  #takeHead(head) {
    const { chart, kept } = this;
    const isFirst = this.#isNewConnection;
    // Another origin means another source: its times cannot be compared with those before.
    if (head.origin !== null && this.#origin !== undefined && head.origin !== this.#origin) chart.clear();
    if (head.origin !== null) this.#origin = head.origin;
    if (isFirst) {
      this.marks.clear();
      this.status.goOn();
    }
    if (isFirst || String(head.filters) !== String(this.head?.filters)) chart.clearEvents();
    this.#isNewConnection = false;
    this.head = head;
    chart.clock = { notation: head.notation === 'date' ? 'clock' : 'seconds', origin: Number(head.origin ?? 0) / 1e6 };
    const before = filteredNames(chart.channels);
    chart.setChannels(this.settings.applied(head.channels));
    const title = head.title || (kept ? 'Recording' : 'Live streams');
    setText(node('title'), title);
    document.title = `${title} · Wayreel`;
    setText(node('credit'), head.credit ? `Data: ${head.credit}` : '');
    node('credit').hidden = !head.credit;
    this.channels.update();
    this.filters.update(head.channels, { isFirst });
    if (isFirst) this.filters.again();
    this.settings.useFilters();
    this.marks.update(head);
    this.playback.head(head);
    kept?.takeDuration(head.duration);
    // What is filtered is filtered from the beginning.
    if (kept && !kept.isPlaying && filteredNames(chart.channels) !== before) kept.load();
    this.#describe();
    this.changed();
  }

  /** Somebody plays, pauses, or goes elsewhere in a recording. */
  #takeState(state) {
    const { chart, kept } = this;
    if (kept?.takesState(state) === false) return;
    const isLoading = kept?.isLoading === true;
    if (!isLoading) this.playback.state(state);
    // While it does not play, nothing moves on between its samples.
    chart.speed = state.speed === 'max' || !state.playing ? Infinity : state.speed;
    if (state.position < chart.end - (isLoading ? 0 : 0.02)) {
      chart.dropFrom(state.position);
      if (!isLoading && chart.paused && chart.paused[1] > state.position) chart.resume();
    }
    this.status.hasEnded = false;
    this.changed();
  }

  #end() {
    const { kept, playback, chart } = this;
    if (kept?.ended() === false) return;
    this.status.hasEnded = true;
    if (!kept) return;
    playback.state({ playing: false, speed: playback.speed });
    if (!Number.isFinite(chart.end)) setText(node('waiting'), 'This recording has no samples.');
    this.changed();
  }

  #refused({ message, for: request }) {
    if (request === 'filters') return this.filters.refuse(message);
    if (request === 'mark' || request === 'unmark') return this.marks.refuse(message);
    this.status.fault = message;
  }

  #add(batch, received) {
    for (const { channel, start, interval, offsets, values, count } of batch.runs) this.chart.add(channel, start, interval, offsets, values, count);
    this.kept?.added();
    this.status.goOn();
    // Nobody sees a hidden page: it takes what comes, draws nothing, and its memory has an end.
    if (document.hidden) this.connection.send({ type: 'ack', batch: batch.number });
    else this.#waiting.push({ number: batch.number, arrival: batch.arrival, received });
  }

  // MARK: Drawing

  #shown() {
    cancelAnimationFrame(this.#frame);
    if (document.hidden) {
      this.#acknowledge();
      return;
    }
    this.chart.invalidate();
    this.#frame = requestAnimationFrame(time => this.#draw(time));
  }

  #acknowledge() {
    const drawn = this.#waiting;
    this.#waiting = [];
    if (drawn.length > 0) this.connection.send({ type: 'ack', batch: drawn.at(-1).number });
    return drawn;
  }

  #draw(time) {
    this.#frame = requestAnimationFrame(next => this.#draw(next));
    this.chart.frame(time);
    const drawn = this.#acknowledge();
    if (drawn.length > 0) {
      const [at, clock] = [performance.now(), now() + this.connection.clockOffset];
      for (const { arrival, received } of drawn) this.delays.add(clock - arrival, at - received, this.connection.clockOffset);
      node('waiting')?.remove();
    }
    if (time - this.#ticked < 100) return;
    this.#ticked = time;
    this.channels.refresh(time);
    this.marks.refresh(time);
    this.kept?.tick();
    this.playback.show(Math.max(0, this.chart.visible[1]), false);
  }

  // MARK: What one does

  get isMoving() { return this.chart.paused === undefined; }
  get isRecording() { return this.kept !== undefined || this.head?.live === false; }
  get hasFixedScales() { return this.settings.hasRanges; }

  /** Of a recording, what is paused is its playing. */
  togglePause() {
    if (this.kept) return this.playback.toggle();
    if (!this.isMoving) return this.resume(false);
    if (this.isRecording) return this.playback.toggle();
    this.chart.pause();
    this.changed();
  }

  resume(fromHere) {
    if (this.kept?.isPlaying === false) return fromHere ? this.playback.toggle() : this.kept.show(this.chart.end);
    this.chart.resume({ fromHere });
    this.changed();
  }

  pan(share) {
    const [from, to] = this.chart.visible;
    this.chart.pan(share * (to - from));
    this.changed();
  }

  zoom(factor) {
    const { chart } = this;
    const share = chart.cursor === undefined ? 0.5 : (chart.xOf(chart.cursor) - chart.area.x) / chart.area.width;
    chart.zoom(factor, clamp(share, 0, 1));
    this.changed();
  }

  goTo(time) {
    this.chart.goTo(time);
    this.changed();
  }

  goToStart() {
    const { chart } = this;
    if (!Number.isFinite(chart.start)) return;
    const [from, to] = chart.visible;
    this.goTo(chart.start + (to - from) / 2);
  }

  moveCursor(steps) {
    moveCursor(this.chart, steps);
    this.#cursorMoved();
    this.changed();
  }

  dropCursor() {
    const { chart } = this;
    [chart.pointer, chart.cursor, chart.anchor] = [undefined, undefined, undefined];
    chart.touch();
    this.#cursorMoved();
  }

  /** Begins a range at the cursor, or ends it: it reaches until the cursor. */
  toggleRange() {
    const { chart } = this;
    if (chart.cursor === undefined) this.moveCursor(0);
    chart.anchor = chart.anchor === undefined ? chart.cursor : undefined;
    chart.touch();
    this.#cursorMoved();
  }

  scrollLanes(lanes) {
    const { chart } = this;
    chart.node.scrollTop += lanes * (chart.laneHeight + 8);
  }

  beginMark() { this.marks.begin(); }

  /** Sets properties of the chart that are remembered: `span`, `movement`, `hasOneScale`, `isLogarithmic`; and `hasFixedScales`. */
  set({ hasFixedScales, ...properties }) {
    const { chart } = this;
    if (hasFixedScales !== undefined) this.settings.keepRanges(hasFixedScales);
    if (properties.span && chart.paused) chart.zoom(properties.span / (chart.paused[1] - chart.paused[0]));
    Object.assign(chart, properties);
    chart.invalidate();
    this.changed();
  }

  #play(message) {
    if (this.kept) {
      this.kept.ask(message);
      return this.changed();
    }
    if (message.type === 'play' && !this.isMoving) this.chart.resume();
    this.connection.send(message);
    this.changed();
  }

  /** The chart shows something else, or looks otherwise. */
  changed() {
    this.settings.store();
    this.look.update();
    this.#tell();
  }

  // MARK: Words

  #cursorMoved() {
    const { chart } = this;
    const { stage } = chart;
    const [from, to] = chart.visible;
    const share = chart.cursor === undefined ? 100 : clamp((chart.cursor - from) / (to - from), 0, 1) * 100;
    stage.setAttribute('aria-valuenow', share.toFixed(0));
    const range = chart.range && `, range of ${spanText(chart.range[1] - chart.range[0])}`;
    stage.setAttribute('aria-valuetext', chart.cursor === undefined ? 'no cursor' : valuesInWords(chart, chart.cursor) + (range ?? ''));
    this.marks.tellTime();
  }

  #describe() {
    const { lanes } = this.chart;
    this.chart.stage.setAttribute('aria-label', `Cursor of the chart of ${lanes.length} ${lanes.length === 1 ? 'channel' : 'channels'}`);
  }

  /** Says the values at the cursor, otherwise the newest. */
  speak() {
    const { chart } = this;
    const time = chart.cursor ?? (chart.paused ? chart.paused[1] : chart.end);
    const said = element('p', {}, Number.isFinite(time) ? valuesInWords(chart, time, chart.cursor === undefined) : 'There is no sample yet.');
    // A new paragraph is said even if its text is the same.
    node('spoken').replaceChildren(said);
  }

  #tell() {
    if (!this.controls) return;
    this.status.update();
    this.controls.update();
  }
}

/** What names the filtered channels of a chart. */
const filteredNames = channels => channels.filter(({ isFiltered }) => isFiltered).map(({ key }) => key).join('\n');

const view = new StreamView();
window.wayreelDelays = view.delays;
/** For the benchmark and tests: what the chart has drawn. */
window.wayreelChart = view.chart;
