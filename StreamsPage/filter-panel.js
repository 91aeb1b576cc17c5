// The filters of this viewer: they are switched on and off while the stream runs, and both curves are shown.
import { element, setText } from './components/element.js';
import { labelled, option, panel, sourceNames } from './panels.js';

const mostFilters = 8;

/** The filters that are asked for most: a name, and what follows the channel. */
const usual = [
  ['Low-pass, 40 Hz', 'lowpass=40'], ['High-pass, 0.5 Hz', 'highpass=0.5'], ['Band-pass, 0.5 to 40 Hz', 'bandpass=0.5..40'],
  ['Mains hum, 50 Hz', 'notch=50'], ['Mains hum, 60 Hz', 'notch=60'], ['Smooth, 0.1 s', 'smooth=0.1s'], ['Median of 5', 'median=5'],
  ['Without trend, 5 s', 'detrend=5s'], ['Rate of change', 'derivative=0.1s'], ['Heart beats', 'peaks=200ms'],
];

export class FilterPanel {
  /** `{ text, isOn }` in their order. */
  #filters = [];
  /** Those that the server has taken. */
  #accepted = [];
  #isAsking = false;
  #own = false;

  /** `send`: sends the texts of filters to the server. */
  constructor(send) {
    this.send = send;
    this.channel = labelled('filter-channel', 'Channel', element('select', { onchange: () => this.#write() }));
    this.kind = labelled('filter-kind', 'Filter', element('select', { onchange: () => this.#write() }, usual.map(([name, text]) => option(text, name))));
    this.text = labelled('filter-text', 'As text', element('input', {
      type: 'text', autocomplete: 'off', spellcheck: 'false', autocapitalize: 'off', maxlength: '256', oninput: () => this.text.blame(),
    }), { hint: 'Change it as you like: CHANNEL:FILTER=VALUE. Filters work one after the other, from the top.' });
    this.list = element('ul.filters', {});
    const form = element('form', { novalidate: true, onsubmit: event => this.#add(event) },
      element('div.pair', {}, this.channel.node, this.kind.node), this.text.node, element('button.secondary', { type: 'submit' }, 'Add filter'));
    const { node, count } = panel('filters', 'Filters', this.list, form);
    Object.assign(this, { node, count });
    this.#show();
  }

  /** Those that are on. */
  get texts() { return this.#filters.filter(({ isOn }) => isOn).map(({ text }) => text); }

  /** Offers the channels of a head, and takes over filters that the server began with. */
  update(channels, { isFirst }) {
    const sources = sourceNames(channels);
    const streams = [...new Set(sources.map(name => name.split('.')[0]))].filter(stream => sources.filter(name => name.startsWith(`${stream}.`)).length > 1);
    const { field } = this.channel;
    const before = field.value;
    field.replaceChildren(...streams.map(stream => option(stream, `${stream} – all`)), ...sources.map(name => option(name)));
    if ([...streams, ...sources].includes(before)) field.value = before;
    if (/^(:|$)/.test(this.text.field.value) && sources.length > 0) this.#write();
    if (isFirst && !this.#own) {
      const texts = [...new Set(channels.flatMap(({ filter }) => filter?.split(/\s+/) ?? []))];
      this.#filters = texts.map(text => ({ text, isOn: true }));
      this.#accepted = this.#filters;
      this.#show();
    }
    if (!this.#isAsking || isFirst) return;
    this.#isAsking = false;
    this.#accepted = this.#filters;
    this.text.blame();
  }

  /** Takes filters in place of those that are there. */
  use(texts) { this.#ask(texts.map(text => ({ text, isOn: true }))); }

  /** After a new connection: asks for the filters once more. */
  again() {
    if (this.#own) this.send(this.texts);
  }

  /** What the server says against the filters that were asked for last. */
  refuse(message) {
    if (!this.#isAsking) return;
    this.#isAsking = false;
    const added = this.#filters.find(({ text }) => !this.#accepted.some(other => other.text === text));
    this.#filters = this.#accepted;
    this.#show();
    if (added) this.text.field.value = added.text;
    this.text.blame(message);
    this.node.open = true;
    this.text.field.focus();
  }

  #write() {
    this.text.field.value = `${this.channel.field.value}:${this.kind.field.value}`;
    this.text.blame();
  }

  #add(event) {
    event.preventDefault();
    const text = this.text.field.value.trim();
    const fault = text === '' ? 'Write a filter, such as ecg:notch=50.'
      : this.#filters.some(other => other.text === text) ? 'This filter is there already.'
        : this.texts.length >= mostFilters ? `There are ${mostFilters} filters already: switch one off.` : undefined;
    this.text.blame(fault);
    if (fault) return this.text.field.focus();
    this.#ask([...this.#filters, { text, isOn: true }]);
  }

  #ask(filters) {
    this.#filters = filters;
    this.#own = true;
    this.#isAsking = true;
    this.send(this.texts);
    this.#show();
  }

  #show() {
    const focused = document.activeElement?.id;
    this.list.replaceChildren(...this.#filters.map((filter, index) => {
      const { text, isOn } = filter;
      const box = element('input', {
        type: 'checkbox', id: `filter-${index}`,
        onchange: () => this.#ask(this.#filters.map(one => (one === filter ? { text, isOn: box.checked } : one))),
      });
      box.checked = isOn;
      return element('li', {}, element('label', {}, box, element('code', {}, text)),
        element('button.small', { type: 'button', 'aria-label': `Remove ${text}`, onclick: () => this.#remove(filter) }, 'Remove'));
    }));
    this.list.hidden = this.#filters.length === 0;
    if (focused?.startsWith('filter-')) document.getElementById(focused)?.focus();
    setText(this.count, this.#filters.length === 0 ? '' : `${this.texts.length}`);
  }

  #remove(filter) {
    this.#ask(this.#filters.filter(one => one !== filter));
    this.text.field.focus();
  }
}
