// Audio with or without a visualizer: play, pause, seek, speed, captions, transcript.

import { authored, element, setText } from '../components/element.js';
import { icon } from '../components/icon.js';
import { choose, isChosen } from '../components/choices.js';
import { leave, recordingOf, soundOf } from '../components/listening.js';
import { speak } from '../components/notices.js';
import { roundButton } from '../components/top-bar.js';
import { clock, language, number, say } from '../components/words.js';
import { Visualizer, styles } from './visualizer.js';

const speeds = [0.75, 1, 1.25, 1.5, 2];

export function show(content, event, session) {
  const recording = recordingOf(content, event, session);
  return new RadioView(session, recording, new Visualizer(recording.audio));
}

/** Shows the sound of an item, without a visualizer. */
export function showSound(item, session) {
  return new RadioView(session, soundOf(item, session));
}

class RadioView {
  #life = new AbortController();

  constructor(session, recording, visualizer) {
    const { audio, content } = recording;
    Object.assign(this, { content, session, recording, audio, visualizer });
    this.play = element('button.play', { type: 'button', onclick: () => recording.toggle() });
    this.position = element('span', {}, clock(0));
    this.length = element('span');
    this.seek = element('input', {
      type: 'range', min: 0, max: 1, step: 0.01, value: 0, 'aria-label': say('radio.seek'),
      oninput: () => this.moveTo(Number(this.seek.value)),
    });
    this.caption = element('p.caption', { hidden: true, dir: 'auto' });
    this.captions = roundButton('captions', say('radio.captions'), () => {
      choose('captions', !isChosen('captions', false));
      this.#showCaptions();
    }, 'false');
    this.transcript = element('details.transcript');
    this.trouble = element('p.missing', { hidden: true });
    this.tracks = content.tracks.length > 1 ? this.#trackList() : undefined;
    this.node = element('div.radio', {},
      visualizer && element('div.screen', {}, visualizer.canvas, this.#styleChoice()),
      this.caption,
      // Time goes from left to right, in all languages.
      element('div.timeline', { dir: 'ltr' }, this.seek, this.position, element('span.row', {}, this.#speedChoice(), this.captions), this.length),
      element('div.controls', { dir: 'ltr' },
        roundButton('back10', say('radio.back'), () => this.moveTo(audio.currentTime - 10)),
        this.play,
        roundButton('forward10', say('radio.forward'), () => this.moveTo(audio.currentTime + 10))),
      this.trouble, this.tracks, this.transcript);
    const { signal } = this.#life;
    recording.addEventListener('track', () => this.showTrack(), { signal });
    recording.addEventListener('change', () => this.update(), { signal });
    recording.addEventListener('trouble', ({ detail }) => this.fail(say(detail)), { signal });
    this.update();
  }

  opened() {
    if (this.recording.index === undefined) return this.recording.choose(0);
    return this.showTrack();
  }

  close() {
    this.#life.abort();
    this.visualizer?.close();
    leave(this.recording);
  }

  #trackList() {
    return element('ol.tracks', { role: 'list' }, this.content.tracks.map(({ audio }, index) => element('li', {},
      element('button', { type: 'button', onclick: () => this.recording.choose(index, true) },
        element('b', {}, number(index + 1)),
        audio.alt ? element('bdi', this.session.own(audio, 'alt'), audio.alt) : element('bdi', {}, say('radio.track', { number: index + 1 }))))));
  }

  #styleChoice() {
    const chosen = { strip: 'strip', waveform: 'strip', bars: 'bars' }[this.content.visualizer?.style] ?? 'bars';
    this.visualizer.style = chosen;
    return element('fieldset.segments.quiet', {}, element('legend.spoken', {}, say('radio.styles')),
      Object.keys(styles).map(value => element('label', {},
        element('input', {
          type: 'radio', name: 'visualizer', value, checked: value === chosen,
          onchange: () => {
            this.visualizer.style = value;
            this.visualizer.draw();
          },
        }), element('span', {}, say(`radio.style.${value}`)))));
  }

  #speedChoice() {
    const label = speed => say('radio.speed', { speed: number(speed) });
    const change = () => { this.audio.playbackRate = Number(choice.value); };
    const choice = element('select.speed', { 'aria-label': say('radio.speedLabel'), onchange: change },
      speeds.map(speed => element('option', { value: speed, selected: speed === this.audio.playbackRate }, label(speed))));
    return choice;
  }

  /** Shows the track that is chosen. */
  async showTrack() {
    const { index, track } = this.recording;
    const { audio: asset, transcript } = track;
    this.trouble.hidden = true;
    [...(this.tracks?.children ?? [])].forEach((row, number) => row.firstChild.setAttribute('aria-current', String(number === index)));
    this.transcript.hidden = !transcript;
    this.transcript.replaceChildren(element('summary', {}, say('radio.transcript')), authored(transcript, this.session.own(track, 'transcript')));
    this.#showCaptions();
    if (!this.visualizer) return;
    const levels = await this.session.media.levels(asset.source).catch(() => undefined);
    if (index !== this.recording.index) return;
    this.visualizer.levels = levels;
    this.visualizer.draw();
  }

  /**
   * Shows what is said and heard while it plays, if the player wants it: in the page's language, else in the story's, else in any that
   * there is. Where nothing is said, the place stays, so that nothing moves.
   */
  #showCaptions() {
    const { audio, session, caption, captions: button, recording: { track: { captions = [] } } } = this;
    const all = captions.map(({ source, language }) => ({ src: session.media.captions(source), tag: language ?? session.language })).filter(({ src }) => src);
    const ofLanguage = wanted => all.find(({ tag }) => tag.split('-')[0] === wanted.split('-')[0]);
    const chosen = ofLanguage(language) ?? ofLanguage(session.language) ?? all[0];
    const isOn = chosen !== undefined && isChosen('captions', false);
    button.hidden = !chosen;
    button.setAttribute('aria-pressed', String(isOn));
    caption.hidden = !isOn;
    caption.textContent = '';
    audio.replaceChildren();
    if (!isOn) return;
    caption.lang = chosen.tag;
    const node = element('track', { kind: 'captions', src: chosen.src, srclang: chosen.tag });
    node.track.mode = 'hidden';
    // The browser's own list of active cues is empty until something plays.
    const isNow = ({ startTime, endTime }) => startTime <= audio.currentTime && audio.currentTime < endTime;
    const show = () => setText(caption, [...node.track.cues ?? []].filter(isNow).map(cue => cue.getCueAsHTML().textContent).join('\n'));
    node.track.addEventListener('cuechange', show, { signal: this.#life.signal });
    node.addEventListener('load', show);
    audio.append(node);
  }

  moveTo(seconds) {
    this.recording.moveTo(seconds);
    this.visualizer?.draw();
  }

  fail(text) {
    this.trouble.hidden = false;
    setText(this.trouble, text);
    speak(text);
  }

  update() {
    const { audio, recording: { isPlaying, duration } } = this;
    if (isPlaying) this.trouble.hidden = true;
    if (this.play.dataset.state !== String(isPlaying)) {
      this.play.dataset.state = String(isPlaying);
      this.play.setAttribute('aria-label', say(isPlaying ? 'radio.pause' : 'radio.play'));
      this.play.replaceChildren(icon(isPlaying ? 'pause' : 'play'));
    }
    this.seek.max = duration || 1;
    this.seek.value = audio.currentTime;
    this.seek.style.setProperty('--share', duration > 0 ? audio.currentTime / duration : 0);
    this.seek.setAttribute('aria-valuetext', say('radio.at', { time: clock(audio.currentTime), length: clock(duration) }));
    setText(this.position, clock(audio.currentTime));
    setText(this.length, clock(duration));
    if (isPlaying) this.visualizer?.start();
    else this.visualizer?.draw();
  }
}
