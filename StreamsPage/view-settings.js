// How the page looks: what the browser remembers of it for live streams, and what the service stores with a kept recording.
import { clamp } from './charts/strip-chart.js';
import { spans } from './live-chart.js';

const storageKey = 'wayreel-streams';

export class ViewSettings {
  /** Fixed ranges of lanes by the names of their channels, and channels that are hidden at first. */
  #ranges = new Map();
  #hidden = new Set();
  /** Filters that are asked for as soon as there is a head. */
  #filters;

  constructor(view) { Object.assign(this, { view, chart: view.chart }); }

  get hasRanges() { return this.#ranges.size > 0; }

  /** The channels of a head, with what is known of them. */
  applied(channels) { return channels.map(channel => ({ ...channel, range: this.#ranges.get(channel.name), isHidden: this.#hidden.has(channel.name) })); }

  /** Keeps the ranges of lanes as they are, or lets them go. */
  keepRanges(isKept) { this.#fix(isKept ? this.chart.lanes.filter(({ range, isLogarithmic }) => range && !isLogarithmic) : []); }

  #fix(lanes) {
    this.#ranges = new Map(lanes.map(({ name, range }) => [name, range]));
    for (const channel of this.chart.channels) channel.range = this.#ranges.get(channel.name);
    this.chart.arrange();
  }

  /** Asks for the filters of the settings, once there is a head. */
  useFilters() {
    const { head, filters } = this.view;
    if (!head || !this.#filters) return;
    const texts = this.#filters;
    this.#filters = undefined;
    if (String(texts) !== String(filters.texts)) filters.use(texts);
  }

  // MARK: Of a recording

  /** Shows a recording as its settings say; what they leave out stays as it is. */
  use({ span, movement, oneScale, hidden = [], ranges = {}, scales = {}, filters = [] }) {
    const { chart } = this;
    if (span) chart.span = clamp(span, spans.least, spans.most);
    if (movement) chart.movement = movement;
    if (oneScale !== undefined) chart.hasOneScale = oneScale;
    chart.isLogarithmic = Object.values(scales).includes('log');
    this.#hidden = new Set(hidden);
    this.#filters = filters;
    for (const channel of chart.channels) channel.isHidden = this.#hidden.has(channel.name);
    this.#fix(Object.entries(ranges).map(([name, range]) => ({ name, range })));
    this.view.channels.update();
    this.useFilters();
    this.view.changed();
  }

  /** How the recording looks now, for its settings; `before`: those that it had. */
  current({ hidden = [], scales = {} }) {
    const { chart } = this;
    const sources = chart.channels.filter(({ isFiltered }) => !isFiltered);
    const names = new Set(sources.map(({ name }) => name));
    const isLogarithmic = Object.values(scales).includes('log');
    return {
      span: chart.visible[1] - chart.visible[0], movement: chart.movement, oneScale: chart.hasOneScale,
      hidden: [...hidden.filter(name => !names.has(name)), ...sources.filter(one => one.isHidden).map(({ name }) => name)],
      ranges: Object.fromEntries(this.#ranges),
      scales: isLogarithmic === chart.isLogarithmic ? scales : Object.fromEntries(chart.isLogarithmic ? [...names].map(name => [name, 'log']) : []),
      filters: this.view.filters.texts,
    };
  }

  // MARK: Of the browser

  restore() {
    const { chart } = this;
    // Who wants less motion gets a trace that stands still while it is drawn over.
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) chart.movement = 'sweep';
    try {
      const { span, movement, hasOneScale, isLogarithmic } = JSON.parse(localStorage.getItem(storageKey)) ?? {};
      if (span >= spans.least && span <= spans.most) chart.span = span;
      if (['scroll', 'sweep'].includes(movement)) chart.movement = movement;
      chart.hasOneScale = hasOneScale === true;
      chart.isLogarithmic = isLogarithmic === true;
    } catch {
      // Without storage, or with a damaged one, the page begins as it comes.
    }
  }

  /** Remembers how a live stream looks: a recording has settings of its own. */
  store() {
    const { span, movement, hasOneScale, isLogarithmic } = this.chart;
    try {
      if (!this.view.kept) localStorage.setItem(storageKey, JSON.stringify({ span, movement, hasOneScale, isLogarithmic }));
    } catch {
      // As above.
    }
  }
}
