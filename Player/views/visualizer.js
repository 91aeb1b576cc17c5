// Draws audio levels in sync with playback: in each frame those of `audio.currentTime`. The levels are from the bundle;
// no audio is analysed here.

import { element } from '../components/element.js';
import { say } from '../components/words.js';
import { drawBars } from './level-bars.js';
import { drawNeedles } from './needle-meters.js';
import { drawStrip } from './strip-chart.js';

/** The styles: functions that draw `levels` at `seconds` in `width` × `height` pixels of the page. */
export const styles = { strip: drawStrip, bars: drawBars, needles: drawNeedles };

export class Visualizer {
  style = 'bars';
  /** The levels; undefined if there are none. */
  levels;
  /** The time of the current drawing. */
  drawnTime;
  #frame = 0;
  #isVisible = true;

  constructor(audio) {
    this.audio = audio;
    this.canvas = element('canvas.visualizer', { dir: 'ltr', role: 'img', 'aria-label': say('radio.visualizer') });
    this.canvas.visualizer = this;
    this.context = this.canvas.getContext('2d');
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(this.canvas);
    // An invisible canvas is not drawn.
    this.visibility = new IntersectionObserver(([entry]) => {
      this.#isVisible = entry.isIntersecting;
      if (this.#isVisible) this.start();
    });
    this.visibility.observe(this.canvas);
  }

  /** Draws in every frame during playback. */
  start() {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#next());
  }

  #next() {
    this.#frame = 0;
    this.draw();
    if (!this.audio.paused && !this.audio.ended && this.#isVisible) this.start();
  }

  draw() {
    const { canvas, context } = this;
    const ratio = Math.min(devicePixelRatio, 2);
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.drawnTime = this.audio.currentTime;
    if (this.levels) styles[this.style](context, this.levels, this.drawnTime, { width, height });
  }

  close() {
    cancelAnimationFrame(this.#frame);
    this.#frame = -1;
    this.resized.disconnect();
    this.visibility.disconnect();
  }
}
