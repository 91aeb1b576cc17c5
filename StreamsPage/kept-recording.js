// A recording that the service keeps: what the page does with its samples, and with the settings of how it looks.
//
// The service plays a recording to each viewer. While this one does not play, the page lets it come as fast as it can, so that all
// of it is there to be looked at; of one that is too long for the page's memory, a part.
import { element, setText } from './components/element.js';
import { durationText } from './controls.js';
import { RecordingFault, saveSettings, settingsOf } from './recordings.js';

/** The part of a channel's memory that is filled: what is under way still has room. */
const fullShare = 0.8;
/** The part of what is shown that is empty beside all of it, so that its first and last time have room. */
const fitMargin = 0.015;
/** Seconds from the left to the right while it plays, for who has looked at more than `mostPlayed` until then. */
const [playedSpan, mostPlayed] = [10, 120];
/** Seconds by which a first or last sample counts as there. */
const tolerance = 0.02;

export class KeptRecording {
  isLoading = false;
  isPlaying = false;
  duration = null;
  /** Where the samples begin that are loaded. */
  #from = 0;
  /** As the service has them, with members that the page does not know. */
  #settings = {};
  #tag = null;
  #wasFitted = false;
  /** Whether it has not said yet that it plays. */
  #isNew = true;
  /** Whether it is asked to play and does not yet. */
  #isAsked = false;

  /** `view`: the page, whose chart shows it. */
  constructor(id, view, send) {
    Object.assign(this, { id, view, chart: view.chart, send });
    this.save = element('button.secondary', { type: 'button', disabled: true, onclick: () => this.#save(this.#tag) }, 'Save for this recording');
    this.status = element('p.hint', { role: 'status' });
    this.choices = element('div.group', { hidden: true },
      element('button.small', { type: 'button', onclick: () => this.#take() }, 'Use those'),
      element('button.small', { type: 'button', onclick: () => this.#save(null) }, 'Save mine'));
    this.node = element('div.kept', {}, this.save, this.status, this.choices);
  }

  // MARK: Samples

  /** A new connection: what is here may not be all. The service plays at once, and can be asked for more when it says so. */
  opened() {
    [this.isLoading, this.isPlaying, this.#isNew] = [true, false, true];
    this.chart.pause();
  }

  /** Lets the samples come from a position on, or from the first one that is here; what is shown stands still. */
  load(from = Number.isFinite(this.chart.start) ? Math.max(0, this.chart.start) : 0) {
    const { chart } = this;
    if (this.#isNew) return;
    this.isLoading = true;
    this.#from = Math.min(from, Math.max(chart.start, 0));
    chart.pause();
    // Half a microsecond before it, so that the sample there comes once, whatever way the time is rounded.
    this.send({ type: 'play', position: Math.max(0, from - 5e-7), speed: 'max' });
  }

  /** Called ten times a second: shows what has come. */
  tick() {
    if (this.isLoading) this.chart.invalidate();
  }

  /** Samples have come: it stops where memory ends. */
  added() {
    const { chart } = this;
    if (!this.isLoading || !chart.channels.some(({ ring }) => ring.total - ring.first >= ring.times.length * fullShare)) return;
    this.isLoading = false;
    this.send({ type: 'pause' });
    chart.invalidate();
    if (!this.#wasFitted && this.#settings.span === undefined) this.fit();
  }

  /** The service plays or pauses. Returns whether samples come anew: it may have been asked more than once. */
  takesState({ playing }) {
    this.#isAsked = false;
    if (this.#isNew) {
      this.#isNew = false;
      this.load(this.#from);
    }
    if (!this.isPlaying && playing) this.isLoading = true;
    return this.isPlaying || playing;
  }

  /** Everything has come. Returns false if that was before what it is asked to play now. */
  ended() {
    if (this.isPlaying && this.#isAsked) return false;
    this.isLoading = false;
    this.isPlaying = false;
    this.chart.pause();
    this.chart.invalidate();
    return true;
  }

  /** A head says how long it is. */
  takeDuration(duration) {
    this.duration = duration ?? null;
    if (this.duration !== null && !this.#wasFitted && this.#settings.span === undefined && !this.isPlaying) this.fit();
  }

  /** Whether all samples are here. */
  get isWhole() {
    const { chart, duration } = this;
    return duration === null || chart.start <= tolerance && chart.end >= duration - tolerance;
  }

  /** Where it is, in words. */
  get words() {
    const { chart, duration } = this;
    if (this.isLoading) {
      const share = duration > this.#from ? (chart.end - this.#from) / (duration - this.#from) : 0;
      return share > 0 ? `${Math.floor(Math.min(share, 1) * 100)} %` : '';
    }
    if (!Number.isFinite(chart.end)) return 'it has no samples';
    if (this.isWhole) return '';
    return `it is too long to be shown whole: ${durationText(chart.start)} to ${durationText(chart.end)} of ${durationText(duration)} is here. `
      + 'Move the position for another part';
  }

  /** Shows all that is here. */
  fit() {
    const { chart } = this;
    const [from, to] = this.isLoading && this.duration !== null ? [this.#from, this.duration] : [chart.start, chart.end];
    if (!Number.isFinite(to - from)) return;
    this.#wasFitted = true;
    const margin = Math.max(to - from, 0.1) * fitMargin;
    this.chart.show(from - margin, to + margin);
  }

  /** Shows what is before a position; if it is not here, it is loaded. */
  show(position) {
    const { chart } = this;
    const [from, to] = chart.visible;
    const start = position - (to - from);
    if (!this.isLoading && (position > chart.end + tolerance || start < chart.start - tolerance && chart.start > tolerance)) {
      chart.clear();
      chart.show(start, position);
      this.load(Math.max(0, start));
    } else chart.show(start, position);
  }

  /** What one asks of the player: `play` and `pause`, with a position and a speed. */
  ask({ type, position, speed }) {
    const { playback } = this.view;
    if (type === 'pause') return this.#pause();
    if (!this.isPlaying && speed !== undefined) {
      // The position is dragged, or another speed is chosen.
      if (position !== undefined) return this.show(position);
      return playback.state({ playing: false, speed });
    }
    const isPlaying = this.isPlaying;
    [this.isLoading, this.isPlaying, this.#isAsked, this.#wasFitted] = [false, true, true, true];
    const [from, to] = this.chart.visible;
    const start = position ?? Math.max(0, to);
    if (!isPlaying && to - from > mostPlayed) this.chart.show(start - playedSpan, start);
    if (!isPlaying || position !== undefined) this.chart.resume();
    this.send({ type, speed: speed ?? playback.speed, ...(isPlaying && position === undefined ? {} : { position: start }) });
  }

  /** Stops, and lets the rest come. */
  #pause() {
    const { playback } = this.view;
    this.isPlaying = false;
    playback.state({ playing: false, speed: playback.speed });
    // Some channels have come further than others.
    const { chart } = this;
    const least = Math.min(...chart.channels.map(({ ring }) => ring.end));
    this.load(Math.max(0, least, chart.visible[0] - playedSpan));
  }

  // MARK: Settings

  /** Reads the settings, and shows the recording as they say. */
  async read() {
    try {
      const { settings, tag } = await settingsOf(this.id);
      [this.#settings, this.#tag] = [settings, tag];
      // What is not known is not replaced.
      this.save.disabled = false;
      this.view.settings.use(settings);
      if (settings.span) {
        const [from] = this.chart.visible;
        this.chart.show(Math.max(0, from), Math.max(0, from) + settings.span);
      }
      return true;
    } catch (error) {
      this.#blame(error, 'How it looked could not be read');
      return false;
    }
  }

  async #take() {
    this.choices.hidden = true;
    if (await this.read()) setText(this.status, 'It looks as the other device has saved it.');
    this.save.focus();
  }

  /** Stores how it looks. `tag`: of the settings that it replaces; null for whatever there is. */
  async #save(tag) {
    this.choices.hidden = true;
    this.save.disabled = true;
    setText(this.status, 'Saving …');
    try {
      const settings = { ...this.#settings, format: 'wayreel-plot', version: 1, ...this.view.settings.current(this.#settings) };
      this.#tag = await saveSettings(this.id, settings, tag);
      this.#settings = settings;
      setText(this.status, 'Saved. It is opened like this from now on, and plotted.');
    } catch (error) {
      this.#blame(error, 'It is not saved');
    }
    this.save.disabled = false;
    if (this.choices.hidden) this.save.focus();
    else this.choices.firstChild.focus();
  }

  #blame(error, what) {
    if (!(error instanceof RecordingFault)) throw error;
    this.choices.hidden = !error.isConflict;
    setText(this.status, error.isConflict ? 'It is not saved: another device has saved it meanwhile.' : `${what}: ${error.message}`);
  }
}
