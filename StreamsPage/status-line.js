// The line that says what the state is: the colour of its lamp, in a word, and more. The word is said when it changes.
import { element, setText } from './components/element.js';

/** How long the page tells of samples that were missed, in ms. */
const tellMissed = 15_000;
const node = id => document.getElementById(id);

export class StatusLine {
  hasEnded = false;
  /** When the last sample came before a silence, by `performance.now()`; undefined while samples come. */
  silentSince = undefined;
  fault = '';
  #missed = { samples: 0, at: -Infinity };
  #text = element('span', {});

  constructor(view) { this.view = view; }

  addMissed(samples) { this.#missed = { samples: this.#missed.samples + samples, at: performance.now() }; }

  /** Samples come. */
  goOn() {
    this.silentSince = undefined;
    this.hasEnded = false;
  }

  get #state() {
    const { chart, connection, head, kept, playback } = this.view;
    const seconds = since => Math.max(1, Math.round(since));
    if (connection.state === 'refused') return ['broken', 'No connection', connection.reason];
    if (connection.isMissing) return ['waiting', 'Waiting', connection.reason];
    if (connection.state === 'waiting') {
      return ['broken', 'Reconnecting', `in ${seconds((connection.nextAttempt - performance.now()) / 1000)} s. ${connection.reason}`];
    }
    if (connection.state === 'connecting') return connection.hasFailed ? ['broken', 'Reconnecting', connection.reason] : ['waiting', 'Connecting …', ''];
    if (!head) return ['waiting', 'Connected', 'waiting for the stream'];
    if (this.fault) return ['broken', 'Fault', this.fault];
    if (performance.now() - this.#missed.at < tellMissed) {
      return ['behind', 'Behind', `${this.#missed.samples.toLocaleString('en')} samples were missed: the page or the network is too slow`];
    }
    if (kept?.isLoading) return ['waiting', 'Loading …', kept.words];
    if (kept?.isPlaying === false) return ['paused', 'Recording', kept.words];
    if (chart.paused) return ['paused', 'Paused', !head.live ? 'the chart stands still' : head.recording ? 'the recording goes on' : 'what comes is kept'];
    if (this.hasEnded) return ['ended', 'Ended', head.live ? 'the source has ended' : 'the recording is over'];
    if (!head.live && !playback.isPlaying) return ['paused', 'Recording', 'it is not playing'];
    if (this.silentSince !== undefined) return ['behind', 'Silent', `no sample for ${seconds((performance.now() - this.silentSince) / 1000)} s`];
    if (chart.delay >= 0.05) return ['behind', 'Behind now', `by ${chart.delay.toFixed(1)} s`];
    if (!head.live) return ['live', 'Playing', playback.speed === 1 ? '' : playback.speed === 'max' ? 'as fast as it can' : `${playback.speed} ×`];
    return ['live', 'Live', chart.late > 0 ? `${chart.late.toLocaleString('en')} samples came too late` : head.recording ? 'recording' : ''];
  }

  update() {
    const { connection, head } = this.view;
    const [lamp, word, more] = this.#state;
    node('state').dataset.state = lamp;
    setText(node('kind'), word);
    const detail = node('detail');
    const action = connection.needsAccount ? 'account' : connection.state === 'waiting' && !connection.isMissing ? 'retry'
      : this.hasEnded && head?.live && connection.state === 'open' ? 'again' : '';
    if (detail.dataset.action !== action) detail.replaceChildren(this.#text, ...this.#actions(action));
    detail.dataset.action = action;
    setText(this.#text, more);
  }

  #actions(action) {
    const { connection } = this.view;
    if (action === 'retry') return [' ', element('button.link', { type: 'button', onclick: () => connection.retry() }, 'Try now')];
    if (action === 'again') return [' ', element('button.link', { type: 'button', onclick: () => connection.again() }, 'Connect again')];
    return action === 'account' ? [' ', element('a', { href: './#/account' }, 'Sign in')] : [];
  }
}
