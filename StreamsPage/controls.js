// The buttons below the chart, the panel of how it looks, and the player of a recording.
import { element, setText, shape } from './components/element.js';
import { icon } from './components/icon.js';
import { secondsText } from './charts/ticks.js';
import { option, panel } from './panels.js';
import { showShortcuts } from './shortcuts.js';

const spans = [1, 2, 5, 10, 20, 30, 60, 300, 600, 1800];
const speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10, 100];

/** Seconds in words of a button: `10 s`, `5 min`. */
export const spanText = seconds => (seconds >= 120 ? `${round(seconds / 60)} min` : seconds >= 1 ? `${round(seconds)} s` : `${round(seconds * 1000)} ms`);
/** The length of a recording in words: `20 s`, `1:05:32`. */
export function durationText(seconds) {
  if (seconds < 59.5) return `${round(seconds)} s`;
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [whole / 3600, whole / 60 % 60, whole % 60].map(Math.floor);
  return [...(hours > 0 ? [hours] : []), ...[minutes, rest].map(part => String(part).padStart(2, '0'))].join(':');
}
const round = value => Number(value.toPrecision(3));

/** Symbols that the player has not. */
const symbols = {
  speaker: 'M4 9.5v5h4l5 4v-13l-5 4zM16.5 9a4.2 4.2 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11', arrows: 'M4 5v14M20 5v14M7.5 12h9M10 9l-3 3 3 3M14 9l3 3-3 3',
};
const own = d => shape('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, shape('path', { d }));

/** A button with a symbol; its text, or the first words of it, is beside it where there is room. */
const button = (symbol, text, onclick, kind = 'tool', shown = text) => element(`button.${kind}`, { type: 'button', 'aria-label': text, title: text, onclick },
  symbol in symbols ? own(symbols[symbol]) : icon(symbol), element('span', {}, shown));

export class Controls {
  constructor(node, view) {
    this.view = view;
    this.pause = button('pause', 'Pause', () => view.togglePause(), 'tool.main');
    this.here = button('play', 'Go on from here', () => view.resume(true), 'tool.main', 'Go on');
    this.toNow = button('forward10', 'Now', () => view.resume(false));
    this.span = element('output.span', { 'aria-label': 'Time shown' });
    this.whole = view.kept ? button('arrows', 'Show all of it', () => view.kept.fit(), 'tool', 'All') : null;
    node.append(
      element('div.group', {}, this.pause, this.here, this.toNow,
        button('flag', 'Mark', () => view.beginMark()), button('speaker', 'Say values', () => view.speak()),
        button('list', 'Keys', () => showShortcuts(), 'tool.with-keys'), ...(this.whole ? [this.whole] : [])),
      element('div.group.time-group', { role: 'group', 'aria-label': 'Time' },
        button('back', 'Earlier', () => view.pan(-0.5), 'tool.square'), button('forward', 'Later', () => view.pan(0.5), 'tool.square'),
        button('minus', 'Show more time', () => view.zoom(1.5), 'tool.square'), this.span,
        button('plus', 'Show less time', () => view.zoom(1 / 1.5), 'tool.square')));
  }

  update() {
    const { chart, isMoving, isRecording } = this.view;
    // The button that has the focus may go: the one in its place gets it.
    const focused = document.activeElement;
    // A recording has a button of its own for that.
    this.pause.hidden = !isMoving || isRecording;
    this.here.hidden = isMoving || isRecording;
    this.toNow.hidden = this.view.kept?.isPlaying === false || isMoving && chart.delay < 0.05;
    if (focused?.hidden && focused.parentElement === this.pause.parentElement) [this.pause, this.here, this.toNow].find(({ hidden }) => !hidden)?.focus();
    const [from, to] = chart.visible;
    setText(this.span, spanText(to - from));
  }
}

/** The panel of how the chart looks. */
export class ViewPanel {
  constructor(view) {
    this.view = view;
    this.span = element('select', { id: 'view-span', onchange: () => view.set({ span: Number(this.span.value) }) },
      spans.map(span => option(span, spanText(span))));
    const radio = (value, text) => {
      const input = element('input', { type: 'radio', name: 'movement', value, onchange: () => view.set({ movement: value }) });
      return { input, node: element('label.choice', {}, input, element('span', {}, text)) };
    };
    this.movements = [radio('scroll', 'Scroll'), radio('sweep', 'Sweep')];
    const check = (name, text) => {
      const input = element('input', { type: 'checkbox', onchange: () => view.set({ [name]: input.checked }) });
      return { name, input, node: element('label.check', {}, input, element('span', {}, text)) };
    };
    this.checks = [check('hasFixedScales', 'Keep the scales as they are'), check('hasOneScale', 'One scale for all lanes of a unit'), check('isLogarithmic', 'Logarithmic, where values are above zero')];
    const { node, body } = panel('view', 'View',
      element('div.field', {}, element('label', { for: 'view-span' }, 'Time from left to right'), this.span),
      element('fieldset.field', {}, element('legend', {}, 'Movement'), element('div.choices', {}, this.movements.map(one => one.node))),
      this.checks.map(one => one.node));
    Object.assign(this, { node, body });
    this.update();
  }

  update() {
    const { chart } = this.view;
    const shown = this.view.kept && chart.paused ? chart.paused[1] - chart.paused[0] : chart.span;
    const span = String(round(shown));
    if (![...this.span.options].some(one => one.value === span)) {
      this.span.querySelector('[data-own]')?.remove();
      this.span.prepend(element('option', { value: span, 'data-own': '' }, spanText(shown)));
    }
    this.span.value = span;
    for (const { input } of this.movements) input.checked = input.value === chart.movement;
    for (const { name, input } of this.checks) input.checked = this.view[name] ?? chart[name];
  }
}

/** Plays a recording: play and pause, position, speed; for all who view it. */
export class Playback {
  isPlaying = false;
  speed = 1;
  duration = null;
  #isDragged = false;

  constructor(node, { send, timeText }) {
    this.node = node;
    this.timeText = timeText;
    this.send = send;
    this.button = element('button.tool.main.square', { type: 'button', onclick: () => this.toggle() });
    this.slider = element('input', {
      type: 'range', min: '0', step: 'any', 'aria-label': 'Position',
      oninput: () => { this.#isDragged = true; this.show(Number(this.slider.value)); },
      onchange: () => { this.#isDragged = false; send({ type: 'play', position: Number(this.slider.value), speed: this.speed }); },
    });
    this.time = element('span.time', {});
    this.speeds = element('select', {
      'aria-label': 'Speed', onchange: () => send({ type: 'play', speed: this.speeds.value === 'max' ? 'max' : Number(this.speeds.value) }),
    }, speeds.map(speed => option(speed, `${speed} ×`)), option('max', 'max'));
    node.append(this.button, this.slider, this.time, this.speeds);
    this.#draw();
  }

  /** Plays or pauses; from the beginning, if it has ended. */
  toggle() { this.send(this.isPlaying && !this.isAtEnd ? { type: 'pause' } : { type: 'play', ...(this.isAtEnd ? { position: 0 } : {}) }); }

  get isAtEnd() { return this.duration !== null && this.position >= this.duration - 0.05; }

  head({ live, duration }) {
    this.node.hidden = live;
    this.duration = duration ?? null;
    this.slider.disabled = this.duration === null;
    if (this.duration !== null) this.slider.max = String(this.duration);
  }

  state({ playing, speed }) {
    [this.isPlaying, this.speed] = [playing, speed];
    if (![...this.speeds.options].some(one => one.value === String(speed))) this.speeds.append(option(speed, `${speed} ×`));
    this.speeds.value = String(speed);
    this.#draw();
  }

  #draw() {
    const text = this.isPlaying ? 'Pause the recording' : 'Play the recording';
    this.button.replaceChildren(icon(this.isPlaying ? 'pause' : 'play'));
    this.button.setAttribute('aria-label', text);
    this.button.title = text;
  }

  /** Shows the position that the chart has come to. */
  show(position, isOwn = true) {
    if (this.node.hidden || !isOwn && this.#isDragged || !Number.isFinite(position)) return;
    this.position = position;
    if (!isOwn) this.slider.value = String(position);
    const largest = this.duration ?? position;
    const text = secondsText(position, 1, Math.max(largest, 60));
    setText(this.time, this.duration === null ? text : `${text} / ${secondsText(this.duration, 1, Math.max(largest, 60))}`);
    this.slider.setAttribute('aria-valuetext', text);
  }
}
