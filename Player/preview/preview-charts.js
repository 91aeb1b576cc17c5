// Strip charts of a replayed walk, under the map: the accuracy of positions, the speed and the heading.

import { element } from '../components/element.js';
import { say } from '../components/words.js';
import { StripChart } from '../charts/strip-chart.js';
import { geodesic } from '../engine/geodesic.js';

/** Seconds of the walk from the left to the right. */
const span = 120;

export class PreviewCharts {
  #chart = new StripChart();
  #frame = 0;
  #start;
  #last;
  #signal;

  /** Plots the fixes and headings of `app` until `signal` aborts. */
  constructor(app, signal) {
    this.app = app;
    this.#signal = signal;
    const chart = this.#chart;
    chart.span = span;
    chart.setChannels([
      { index: 0, name: say('preview.accuracy'), unit: 'm' }, { index: 1, name: say('preview.pace'), unit: 'm/s' },
      { index: 2, name: say('preview.heading'), unit: '°', range: [0, 360] },
    ]);
    this.spoken = element('p.spoken');
    this.node = element('section.preview-charts', { dir: 'ltr', 'aria-label': say('preview.charts') }, chart.node, this.spoken);
    app.position.addEventListener('fix', ({ detail }) => this.#took(detail), { signal });
    signal.addEventListener('abort', () => {
      cancelAnimationFrame(this.#frame);
      this.#frame = -1;
      resized.disconnect();
      chart.close();
      this.node.remove();
    });
    const resized = new ResizeObserver(() => this.#draw());
    resized.observe(chart.node);
  }

  #took(fix) {
    const time = Date.parse(fix.time) / 1000;
    // A track may begin before the fix of a click.
    if (this.#last && time < this.#last.time || this.#start === undefined) {
      this.#chart.clear();
      [this.#start, this.#last] = [time, undefined];
    }
    this.#chart.clock = { notation: 'clock', origin: this.#start };
    const at = time - this.#start;
    const seconds = this.#last ? time - this.#last.time : 0;
    const speed = fix.speed ?? (seconds > 0 ? geodesic(this.#last, fix).distance / seconds : undefined);
    const heading = fix.course ?? this.app.orientation.heading;
    [fix.accuracy, speed, heading].forEach((value, channel) => {
      if (Number.isFinite(value)) this.#chart.add(channel, at, 0, undefined, [value], 1);
    });
    this.#last = { ...fix, time };
    this.spoken.textContent = this.#chart.valuesAt(at).filter(({ value }) => value !== undefined)
      .map(({ channel, value }) => `${channel.name} ${value.toFixed(1)} ${channel.unit}`).join(', ');
    this.#draw();
  }

  /** Draws once in the next frame: between fixes nothing moves. */
  #draw() {
    if (this.#signal.aborted || this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(now => {
      this.#frame = 0;
      this.#chart.frame(now);
    });
  }
}
