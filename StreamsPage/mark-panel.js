// Marks: what somebody notes at a time while it streams, or of a part of a recording; and below them what filters have found.
import { element, setText } from './components/element.js';
import { exactTimeText } from './charts/chart-axes.js';
import { icon } from './components/icon.js';
import { FoundList } from './found-list.js';
import { labelled, option, panel, sourceNames } from './panels.js';

/** UTF-8 bytes. */
const longestText = 1000;

export class MarkPanel {
  #marks = new Map();
  /** When somebody began to write: `{ time, seconds }`. */
  #span;

  /** `send`: sends a message to the server. `goTo`: shows a time. */
  constructor(chart, send, goTo) {
    Object.assign(this, { chart, send, goTo });
    this.text = labelled('mark-text', 'Text', element('input', {
      type: 'text', autocomplete: 'off', maxlength: '400', oninput: () => this.text.blame(), onfocus: () => this.#hold(),
    }));
    this.channel = labelled('mark-channel', 'Channel', element('select', {}));
    this.when = element('p.hint', { 'aria-live': 'polite' });
    this.list = element('ol.marks', {});
    this.note = element('p.hint', { hidden: true }, 'Nothing is recorded here: marks are gone when the stream ends.');
    const form = element('form', { novalidate: true, onsubmit: event => this.#add(event) },
      this.text.node, this.channel.node, this.when, element('button.secondary', { type: 'submit' }, 'Set mark'), this.note);
    this.found = new FoundList(chart, goTo);
    const { node, count } = panel('marks', 'Marks', form, this.list, this.found.node);
    Object.assign(this, { node, count });
    this.tellTime();
  }

  update({ channels, keepsMarks }) {
    const before = this.channel.field.value;
    const names = sourceNames(channels);
    this.channel.field.replaceChildren(option('', 'all channels'), ...names.map(name => option(name)));
    if (names.includes(before)) this.channel.field.value = before;
    this.note.hidden = keepsMarks !== false;
  }

  /** Begins a mark: of the range that is chosen, at the cursor, or now. */
  begin() {
    this.#span = this.#newSpan();
    this.node.open = true;
    this.text.field.focus();
    this.tellTime();
  }

  #newSpan() {
    const { chart } = this;
    if (chart.range) return { time: chart.range[0], seconds: chart.range[1] - chart.range[0] };
    if (chart.cursor !== undefined && !chart.pointer) return { time: chart.cursor, seconds: 0 };
    if (chart.paused) return { time: (chart.paused[0] + chart.paused[1]) / 2, seconds: 0 };
    return Number.isFinite(chart.end) ? { time: chart.visible[1], seconds: 0 } : undefined;
  }

  /** The time of a mark is when its text was begun, and not when it is written. */
  #hold() {
    this.#span ??= this.#newSpan();
    this.tellTime();
  }

  /** Says where a mark would be. */
  tellTime() {
    const { chart } = this;
    const text = span => `${exactTimeText(chart, span.time)}${span.seconds > 0 ? ` to ${exactTimeText(chart, span.time + span.seconds)}` : ''}`;
    const span = this.#span ?? (chart.range ? this.#newSpan() : undefined);
    setText(this.when, span ? `It is set at ${text(span)}.` : 'It is set at the cursor, or now.');
  }

  #add(event) {
    event.preventDefault();
    this.#hold();
    const text = this.text.field.value.trim();
    const fault = text === '' ? 'Write what the mark says.'
      : new TextEncoder().encode(text).length > longestText ? 'This is too long for a mark.'
        : this.#span === undefined ? 'There is no sample yet.' : undefined;
    this.text.blame(fault);
    if (fault) return this.text.field.focus();
    this.send({ type: 'mark', ...this.#span, text, channel: this.channel.field.value || null });
    this.text.field.value = '';
    this.#span = undefined;
    this.chart.anchor = undefined;
    this.chart.touch();
    this.tellTime();
  }

  refuse(message) { this.text.blame(message); }

  /** Lists what filters have found, while somebody sees it. */
  refresh(now) {
    if (this.node.open) this.found.refresh(now);
  }

  /** A mark that the server tells of. */
  add(mark) {
    this.#marks.set(mark.id, mark);
    this.#changed();
  }

  remove(id) {
    const focused = document.activeElement?.dataset.mark === String(id);
    this.#marks.delete(id);
    this.#changed();
    if (focused) (this.list.querySelector('button') ?? this.text.field).focus();
  }

  clear() {
    this.#marks.clear();
    this.#changed();
  }

  #changed() {
    const marks = [...this.#marks.values()].sort((a, b) => a.time - b.time);
    this.chart.setMarks(marks);
    setText(this.count, marks.length === 0 ? '' : `${marks.length}`);
    const { activeElement } = document;
    const focused = activeElement?.dataset.mark && [activeElement.className, activeElement.dataset.mark];
    this.list.replaceChildren(...marks.map(mark => {
      const time = exactTimeText(this.chart, mark.time);
      return element('li', {},
        element('button.go', { type: 'button', 'data-mark': mark.id, onclick: () => this.goTo(mark.time) },
          element('span.time', {}, time), element('span', {}, mark.channel ? `${mark.text} (${mark.channel})` : mark.text)),
        element('button.small.square', {
          type: 'button', 'data-mark': mark.id, 'aria-label': `Remove “${mark.text}” at ${time}`, onclick: () => this.send({ type: 'unmark', id: mark.id }),
        }, icon('bin')));
    }));
    this.list.hidden = marks.length === 0;
    if (focused) [...this.list.querySelectorAll('button')].find(one => one.className === focused[0] && one.dataset.mark === focused[1])?.focus();
  }
}
