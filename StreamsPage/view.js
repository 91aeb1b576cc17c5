// The page of a live stream, or of a recording that is played or kept: a strip chart with what one does to it.
import { exactTimeText } from './charts/chart-axes.js';
import { valueText } from './charts/lane-scale.js';
import { spans, StripChart } from './charts/strip-chart.js';
import { element, setText } from './components/element.js';
import { ChannelPanel } from './channel-panel.js';
import { listenToHands, moveCursor } from './chart-input.js';
import { drawOverlay } from './chart-overlay.js';
import { Controls, Playback, spanText, ViewPanel } from './controls.js';
import { Delays } from './delays.js';
import { FilterPanel } from './filter-panel.js';
import { KeptRecording } from './kept-recording.js';
import { LiveConnection, now } from './live-connection.js';
import { MarkPanel } from './mark-panel.js';
import { showRecordings } from './recording-list.js';
import { mayKeepRecordings } from './recordings.js';
import { listenToKeys } from './shortcuts.js';
import { nameOfPage, placeOfRecording, placeOfStream, recordingOfPage } from './stream-socket.js';

const settingsKey = 'wayreel-streams';
/** How long the page tells of samples that were missed, in ms. */
const tellMissed = 15_000;
const node = id => document.getElementById(id);

class StreamView {
  chart = new StripChart();
  delays = new Delays();
  head = undefined;
  /** What the page does with a kept recording; undefined for a live stream. */
  kept = undefined;
  /** Fixed ranges of lanes by the names of their channels, and channels that are hidden at first. */
  #ranges = new Map();
  #hidden = new Set();
  /** Filters that are asked for as soon as there is a head. */
  #filters;
  /** Batches that are not drawn yet: `{ number, arrival, received }`. */
  #waiting = [];
  #origin;
  #isNewConnection = true;
  #silentSince;
  #hasEnded = false;
  #missed = { samples: 0, at: -Infinity };
  #fault = '';
  #ticked = 0;
  #frame;

  constructor() {
    const { chart } = this;
    this.#restore();
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
    chart.overlay = drawOverlay;
    node('chart').append(chart.node);
    // Screen readers give arrow keys to a slider, and say its text when it moves.
    const attributes = {
      tabindex: '0', role: 'slider', 'aria-label': 'Cursor of the chart', 'aria-valuemin': '0', 'aria-valuemax': '100', 'aria-valuenow': '100',
      'aria-valuetext': 'no cursor',
    };
    for (const [name, value] of Object.entries(attributes)) stage.setAttribute(name, value);
    listenToHands(chart, {
      changed: ({ isCursor }) => (isCursor ? this.#cursorMoved() : this.#changed()),
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
    this.#fault = '';
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
        this.#missed = { samples: this.#missed.samples + message.samples, at: performance.now() };
        break;
      case 'silent': this.#silentSince = performance.now() - message.seconds * 1000; break;
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
      this.#hasEnded = false;
      this.#silentSince = undefined;
    }
    if (isFirst || String(head.filters) !== String(this.head?.filters)) chart.clearEvents();
    this.#isNewConnection = false;
    this.head = head;
    chart.clock = { notation: head.notation === 'date' ? 'clock' : 'seconds', origin: Number(head.origin ?? 0) / 1e6 };
    const before = filteredNames(chart.channels);
    chart.setChannels(head.channels.map(channel => ({ ...channel, range: this.#ranges.get(channel.name), isHidden: this.#hidden.has(channel.name) })));
    const title = head.title || (kept ? 'Recording' : 'Live streams');
    setText(node('title'), title);
    document.title = `${title} · Wayreel`;
    setText(node('credit'), head.credit ? `Data: ${head.credit}` : '');
    node('credit').hidden = !head.credit;
    this.channels.update();
    this.filters.update(head.channels, { isFirst });
    if (isFirst) this.filters.again();
    this.#useFilters();
    this.marks.update(head);
    this.playback.head(head);
    kept?.takeDuration(head.duration);
    // What is filtered is filtered from the beginning.
    if (kept && !kept.isPlaying && filteredNames(chart.channels) !== before) kept.load();
    this.#describe();
    this.#changed();
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
    this.#hasEnded = false;
    this.#changed();
  }

  #end() {
    const { kept, playback, chart } = this;
    if (kept?.ended() === false) return;
    this.#hasEnded = true;
    if (!kept) return;
    playback.state({ playing: false, speed: playback.speed });
    if (!Number.isFinite(chart.end)) setText(node('waiting'), 'This recording has no samples.');
    this.#changed();
  }

  #refused({ message, for: request }) {
    if (request === 'filters') return this.filters.refuse(message);
    if (request === 'mark' || request === 'unmark') return this.marks.refuse(message);
    this.#fault = message;
  }

  #add(batch, received) {
    for (const { channel, start, interval, offsets, values, count } of batch.runs) this.chart.add(channel, start, interval, offsets, values, count);
    this.kept?.added();
    this.#silentSince = undefined;
    this.#hasEnded = false;
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
    this.kept?.tick();
    this.playback.show(Math.max(0, this.chart.visible[1]), false);
  }

  // MARK: What one does

  get isMoving() { return this.chart.paused === undefined; }
  get isRecording() { return this.kept !== undefined || this.head?.live === false; }
  get hasFixedScales() { return this.#ranges.size > 0; }

  /** Of a recording, what is paused is its playing. */
  togglePause() {
    if (this.kept) return this.playback.toggle();
    if (!this.isMoving) return this.resume(false);
    if (this.isRecording) return this.playback.toggle();
    this.chart.pause();
    this.#changed();
  }

  resume(fromHere) {
    if (this.kept?.isPlaying === false) return fromHere ? this.playback.toggle() : this.kept.show(this.chart.end);
    this.chart.resume({ fromHere });
    this.#changed();
  }

  pan(share) {
    const [from, to] = this.chart.visible;
    this.chart.pan(share * (to - from));
    this.#changed();
  }

  zoom(factor) {
    const { chart } = this;
    const share = chart.cursor === undefined ? 0.5 : (chart.xOf(chart.cursor) - chart.area.x) / chart.area.width;
    chart.zoom(factor, Math.min(Math.max(share, 0), 1));
    this.#changed();
  }

  goTo(time) {
    this.chart.goTo(time);
    this.#changed();
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
    this.#changed();
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
    if (hasFixedScales !== undefined) this.#fix(hasFixedScales ? chart.lanes.filter(({ range, isLogarithmic }) => range && !isLogarithmic) : []);
    if (properties.span && chart.paused) chart.zoom(properties.span / (chart.paused[1] - chart.paused[0]));
    Object.assign(chart, properties);
    chart.invalidate();
    this.#changed();
  }

  #fix(lanes) {
    this.#ranges = new Map(lanes.map(({ name, range }) => [name, range]));
    for (const channel of this.chart.channels) channel.range = this.#ranges.get(channel.name);
    this.chart.arrange();
  }

  #useFilters() {
    if (!this.head || !this.#filters) return;
    const texts = this.#filters;
    this.#filters = undefined;
    if (String(texts) !== String(this.filters.texts)) this.filters.use(texts);
  }

  /** Shows a recording as its settings say; what they leave out stays as it is. */
  use({ span, movement, oneScale, hidden = [], ranges = {}, scales = {}, filters = [] }) {
    const { chart } = this;
    const { least, most } = spans;
    if (span) chart.span = Math.min(Math.max(span, least), most);
    if (movement) chart.movement = movement;
    if (oneScale !== undefined) chart.hasOneScale = oneScale;
    chart.isLogarithmic = Object.values(scales).includes('log');
    this.#hidden = new Set(hidden);
    this.#filters = filters;
    for (const channel of chart.channels) channel.isHidden = this.#hidden.has(channel.name);
    this.#fix(Object.entries(ranges).map(([name, range]) => ({ name, range })));
    this.channels.update();
    this.#useFilters();
    this.#changed();
  }

  /** How the recording looks now, for its settings; `before`: those that it had. */
  settings({ hidden = [], scales = {} }) {
    const { chart } = this;
    const sources = chart.channels.filter(({ isFiltered }) => !isFiltered);
    const names = new Set(sources.map(({ name }) => name));
    const isLogarithmic = Object.values(scales).includes('log');
    return {
      span: chart.visible[1] - chart.visible[0], movement: chart.movement, oneScale: chart.hasOneScale,
      hidden: [...hidden.filter(name => !names.has(name)), ...sources.filter(one => one.isHidden).map(({ name }) => name)],
      ranges: Object.fromEntries(this.#ranges),
      scales: isLogarithmic === chart.isLogarithmic ? scales : Object.fromEntries(chart.isLogarithmic ? [...names].map(name => [name, 'log']) : []),
      filters: this.filters.texts,
    };
  }

  #play(message) {
    if (this.kept) {
      this.kept.ask(message);
      return this.#changed();
    }
    if (message.type === 'play' && !this.isMoving) this.chart.resume();
    this.connection.send(message);
    this.#changed();
  }

  #restore() {
    const { chart } = this;
    // Who wants less motion gets a trace that stands still while it is drawn over.
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) chart.movement = 'sweep';
    try {
      const { span, movement, hasOneScale, isLogarithmic } = JSON.parse(localStorage.getItem(settingsKey)) ?? {};
      if (span >= 0.05 && span <= 86400) chart.span = span;
      if (['scroll', 'sweep'].includes(movement)) chart.movement = movement;
      chart.hasOneScale = hasOneScale === true;
      chart.isLogarithmic = isLogarithmic === true;
    } catch {
      // Without storage, or with a damaged one, the page begins as it comes.
    }
  }

  #changed() {
    const { span, movement, hasOneScale, isLogarithmic } = this.chart;
    try {
      // A recording has settings of its own.
      if (!this.kept) localStorage.setItem(settingsKey, JSON.stringify({ span, movement, hasOneScale, isLogarithmic }));
    } catch {
      // As above.
    }
    this.look.update();
    this.#tell();
  }

  // MARK: Words

  #cursorMoved() {
    const { chart } = this;
    const { stage } = chart;
    const [from, to] = chart.visible;
    const share = chart.cursor === undefined ? 100 : Math.min(Math.max((chart.cursor - from) / (to - from), 0), 1) * 100;
    stage.setAttribute('aria-valuenow', share.toFixed(0));
    const range = chart.range && `, range of ${spanText(chart.range[1] - chart.range[0])}`;
    stage.setAttribute('aria-valuetext', chart.cursor === undefined ? 'no cursor' : this.#values(chart.cursor) + (range ?? ''));
    this.marks.tellTime();
  }

  #describe() {
    const { lanes } = this.chart;
    this.chart.stage.setAttribute('aria-label', `Cursor of the chart of ${lanes.length} ${lanes.length === 1 ? 'channel' : 'channels'}`);
  }

  /** The values at a time in words. */
  #values(time) {
    const { chart } = this;
    const values = chart.valuesAt(time).map(({ lane, channel, value }) => {
      const name = channel.isFiltered ? `${channel.name} filtered` : channel.name;
      return `${name} ${value === undefined || Number.isNaN(value) ? 'unknown' : valueText(lane, value)}`;
    });
    const at = exactTimeText(chart, time);
    return `${chart.clock.notation === 'clock' || at.includes(':') ? at : `${at} seconds`}: ${values.join(', ')}`;
  }

  /** Says the values at the cursor, otherwise the newest. */
  speak() {
    const { chart } = this;
    const time = chart.cursor ?? (chart.paused ? chart.paused[1] : chart.end);
    const said = element('p', {}, Number.isFinite(time) ? this.#values(time) : 'There is no sample yet.');
    // A new paragraph is said even if its text is the same.
    node('spoken').replaceChildren(said);
  }

  /** What the state is: the colour of its lamp, in a word, and more. The word is said when it changes. */
  get #state() {
    const { chart, connection, head, playback } = this;
    const seconds = since => Math.max(1, Math.round(since));
    if (connection.state === 'refused') return ['broken', 'No connection', connection.reason];
    if (connection.isMissing) return ['waiting', 'Waiting', connection.reason];
    if (connection.state === 'waiting') {
      return ['broken', 'Reconnecting', `in ${seconds((connection.nextAttempt - performance.now()) / 1000)} s. ${connection.reason}`];
    }
    if (connection.state === 'connecting') return connection.hasFailed ? ['broken', 'Reconnecting', connection.reason] : ['waiting', 'Connecting …', ''];
    if (!head) return ['waiting', 'Connected', 'waiting for the stream'];
    if (this.#fault) return ['broken', 'Fault', this.#fault];
    if (performance.now() - this.#missed.at < tellMissed) {
      return ['behind', 'Behind', `${this.#missed.samples.toLocaleString('en')} samples were missed: the page or the network is too slow`];
    }
    const recording = head.recording ? 'recording' : '';
    if (this.kept?.isLoading) return ['waiting', 'Loading …', this.kept.words];
    if (this.kept?.isPlaying === false) return ['paused', 'Recording', this.kept.words];
    if (chart.paused) return ['paused', 'Paused', !head.live ? 'the chart stands still' : head.recording ? 'the recording goes on' : 'what comes is kept'];
    if (this.#hasEnded) return ['ended', 'Ended', head.live ? 'the source has ended' : 'the recording is over'];
    if (!head.live && !playback.isPlaying) return ['paused', 'Recording', 'it is not playing'];
    if (this.#silentSince !== undefined) return ['behind', 'Silent', `no sample for ${seconds((performance.now() - this.#silentSince) / 1000)} s`];
    if (chart.delay >= 0.05) return ['behind', 'Behind now', `by ${chart.delay.toFixed(1)} s`];
    if (!head.live) return ['live', 'Playing', playback.speed === 1 ? '' : playback.speed === 'max' ? 'as fast as it can' : `${playback.speed} ×`];
    return ['live', 'Live', chart.late > 0 ? `${chart.late.toLocaleString('en')} samples came too late` : recording];
  }

  #tell() {
    if (!this.controls) return;
    const [lamp, word, more] = this.#state;
    node('state').dataset.state = lamp;
    setText(node('kind'), word);
    const detail = node('detail');
    const { connection } = this;
    const action = connection.needsAccount ? 'account' : connection.state === 'waiting' && !connection.isMissing ? 'retry'
      : this.#hasEnded && this.head?.live && connection.state === 'open' ? 'again' : '';
    if (detail.dataset.action !== action || detail.dataset.text !== more) {
      if (detail.dataset.action !== action) {
        this.detailText = element('span', {});
        detail.replaceChildren(this.detailText, ...this.#actions(action));
      }
      [detail.dataset.action, detail.dataset.text] = [action, more];
      setText(this.detailText, more);
    }
    this.controls.update();
  }

  #actions(action) {
    if (action === 'retry') return [' ', element('button.link', { type: 'button', onclick: () => this.connection.retry() }, 'Try now')];
    if (action === 'again') return [' ', element('button.link', { type: 'button', onclick: () => this.connection.again() }, 'Connect again')];
    return action === 'account' ? [' ', element('a', { href: './#/account' }, 'Sign in')] : [];
  }
}

/** What names the filtered channels of a chart. */
const filteredNames = channels => channels.filter(({ isFiltered }) => isFiltered).map(({ key }) => key).join('\n');

const view = new StreamView();
window.wayreelDelays = view.delays;
/** For the benchmark and tests: what the chart has drawn. */
window.wayreelChart = view.chart;
