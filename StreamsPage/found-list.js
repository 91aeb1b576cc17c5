// What filters have found, below the marks that people set: the newest of it, each with its time.
import { element, setText } from './components/element.js';
import { exactTimeText } from './charts/chart-axes.js';
import { foundText } from './words.js';

const mostRows = 100;
const refreshMilliseconds = 500;

export class FoundList {
  /** Those of `chart.events` that are listed, and their rows. */
  #events = [];
  #rows = new Map();
  #refreshed = 0;

  /** `goTo`: shows a time. */
  constructor(chart, goTo) {
    Object.assign(this, { chart, goTo });
    this.count = element('span.count', {});
    this.list = element('ol.found', { 'aria-labelledby': 'found-title' });
    this.node = element('section', { hidden: true }, element('h3', { id: 'found-title' }, 'Found by filters ', this.count), this.list);
  }

  /** Lists what is new, at most twice a second. Rows that stay are not touched, so that the focus stays in them. */
  refresh(now) {
    const { events } = this.chart;
    if (events === this.#events || now - this.#refreshed < refreshMilliseconds) return;
    [this.#events, this.#refreshed] = [events, now];
    this.node.hidden = events.length === 0;
    setText(this.count, events.length > mostRows ? `${mostRows} of ${events.length.toLocaleString('en')}` : `${events.length}`);
    const newest = events.toSorted((a, b) => b.time - a.time).slice(0, mostRows);
    const rows = new Map(newest.map(event => [`${event.kind} ${event.channel} ${event.time}`, event]));
    const hadFocus = this.list.contains(document.activeElement);
    for (const [key, row] of this.#rows) {
      if (rows.has(key)) continue;
      row.node.remove();
      this.#rows.delete(key);
    }
    let next = this.list.firstChild;
    for (const [key, event] of rows) {
      if (!this.#rows.has(key)) this.#rows.set(key, this.#row(event));
      const { node, text } = this.#rows.get(key);
      setText(text, foundText(event));
      if (node === next) next = next.nextSibling;
      else this.list.insertBefore(node, next);
    }
    if (hadFocus && !this.list.contains(document.activeElement)) this.list.querySelector('li:last-child button')?.focus();
  }

  #row({ kind, time }) {
    const text = element('span', {});
    const node = element('li', {}, element('button.go', { type: 'button', 'data-kind': kind, onclick: () => this.goTo(time) },
      element('span.time', {}, exactTimeText(this.chart, time)), text));
    return { node, text };
  }
}
