// The list of channels: shown or hidden, one alone, and their newest values or those at the cursor.
import { element, setText } from './components/element.js';
import { panel } from './panels.js';
import { knownText } from './words.js';

const refreshMilliseconds = 250;

/** A name that a narrow list breaks after dots. */
const withBreaks = name => name.split(/(?<=\.)(?=.)/).flatMap(part => [part, element('wbr')]);

export class ChannelPanel {
  #rows = new Map();
  #refreshed = 0;
  #solo;

  constructor(chart) {
    this.chart = chart;
    this.list = element('ul.channels', {});
    this.all = element('button.small', { type: 'button', onclick: () => this.#showAll() }, 'Show all');
    const { node, count } = panel('channels', 'Channels', this.list, this.all);
    Object.assign(this, { node, count });
  }

  /** Makes the rows anew, for other channels. */
  update() {
    const { chart } = this;
    this.#rows.clear();
    const sources = chart.channels.filter(({ isFiltered }) => !isFiltered);
    const rows = sources.flatMap(source => [source, ...chart.channels.filter(({ isFiltered, of }) => isFiltered && of === source.index)]);
    this.list.replaceChildren(...rows.map(channel => this.#row(channel)));
    this.#count();
    this.refresh(Infinity);
  }

  #row(channel) {
    const name = channel.isFiltered ? channel.filter : channel.name;
    const shows = element('input', { type: 'checkbox', id: `shows-${channel.index}`, onchange: () => this.#show(channel, shows.checked) });
    shows.checked = !channel.isHidden;
    const value = element('output.value', { for: shows.id });
    const solo = channel.isFiltered ? null : element('button.small.solo', {
      type: 'button', 'aria-pressed': 'false', 'aria-label': `Only ${channel.name}`, onclick: () => this.#alone(channel),
    }, 'Only');
    const swatch = element('span.swatch.strip-colors', { style: { '--swatch': this.chart.colorOf(channel) }, 'aria-hidden': 'true' });
    const row = element('li', { class: channel.isFiltered ? 'filtered' : null },
      element('label', {}, shows, swatch, element('span.name', {}, withBreaks(name))), value, solo);
    this.#rows.set(channel.key, { channel, shows, swatch, value, solo });
    return row;
  }

  #show(channel, isShown) {
    channel.isHidden = !isShown;
    this.#solo = undefined;
    this.#changed();
  }

  /** Shows one channel with what is filtered from it, or all again. */
  #alone(channel) {
    if (this.#solo === channel.key) return this.#showAll();
    this.#solo = channel.key;
    for (const one of this.chart.channels) one.isHidden = (one.isFiltered ? one.of : one.index) !== channel.index;
    this.#changed();
  }

  #showAll() {
    this.#solo = undefined;
    for (const one of this.chart.channels) one.isHidden = false;
    this.#changed();
  }

  #changed() {
    this.chart.arrange();
    for (const { channel, shows, swatch, solo } of this.#rows.values()) {
      shows.checked = !channel.isHidden;
      swatch.style.setProperty('--swatch', this.chart.colorOf(channel));
      solo?.setAttribute('aria-pressed', String(this.#solo === channel.key));
    }
    this.#count();
    this.refresh(Infinity);
  }

  #count() {
    const { channels } = this.chart;
    const hidden = channels.filter(({ isHidden }) => isHidden).length;
    setText(this.count, hidden > 0 ? `${channels.length - hidden} of ${channels.length}` : `${channels.length}`);
    this.all.hidden = hidden === 0;
  }

  /** Shows values: at the cursor, otherwise the newest. At most four times a second, and only while somebody sees it. */
  refresh(now) {
    if (!this.node.open || now - this.#refreshed < refreshMilliseconds) return;
    this.#refreshed = Number.isFinite(now) ? now : 0;
    const { chart } = this;
    const lanes = new Map(chart.lanes.flatMap(lane => lane.channels.map(channel => [channel.key, lane])));
    const found = chart.cursor === undefined ? undefined : new Map(chart.valuesAt(chart.cursor).map(one => [one.channel.key, one.value]));
    for (const { channel, value } of this.#rows.values()) {
      const lane = lanes.get(channel.key);
      const newest = channel.ring.total > 0 ? channel.ring.value(channel.ring.total - 1) : undefined;
      const one = found ? found.get(channel.key) : newest;
      setText(value, lane ? knownText(lane, one) : '');
    }
  }
}
