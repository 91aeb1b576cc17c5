// Audio with a visualizer: play, pause, seek, speed, transcript, and the keys of a lock screen or a headset.

import { authored, element, setText } from '../components/element.js';
import { icon } from '../components/icon.js';
import { speak } from '../components/notices.js';
import { roundButton } from '../components/top-bar.js';
import { clock, number, say } from '../components/words.js';
import { Visualizer, styles } from './visualizer.js';

const speeds = [0.75, 1, 1.25, 1.5, 2];

export function show(content, event, session) {
  const audio = element('audio', { preload: 'metadata' });
  const visualizer = new Visualizer(audio);
  return new RadioPlayer(content, event, session, audio, visualizer);
}

class RadioPlayer {
  constructor(content, event, session, audio, visualizer) {
    Object.assign(this, { content, event, session, audio, visualizer });
    this.play = element('button.play', { type: 'button', onclick: () => this.toggle() });
    this.position = element('span', {}, clock(0));
    this.length = element('span');
    this.seek = element('input', {
      type: 'range', min: 0, max: 1, step: 0.01, value: 0, 'aria-label': say('radio.seek'),
      oninput: () => this.moveTo(Number(this.seek.value)),
    });
    this.transcript = element('details.transcript');
    this.trouble = element('p.missing', { hidden: true });
    this.tracks = content.tracks.length > 1 ? this.#trackList() : undefined;
    this.node = element('div.radio', {},
      element('div.screen', {}, visualizer.canvas, this.#styleChoice()),
      // Time goes from left to right, in all languages.
      element('div.timeline', { dir: 'ltr' }, this.seek, this.position, this.#speedChoice(), this.length),
      element('div.controls', { dir: 'ltr' },
        roundButton('back10', say('radio.back'), () => this.moveTo(audio.currentTime - 10)),
        this.play,
        roundButton('forward10', say('radio.forward'), () => this.moveTo(audio.currentTime + 10))),
      this.trouble, this.tracks, this.transcript, audio);
    for (const name of ['play', 'pause', 'timeupdate', 'durationchange', 'ended', 'seeked', 'ratechange']) {
      audio.addEventListener(name, () => this.update());
    }
    audio.addEventListener('error', () => this.fail(say('media.missing')));
    audio.addEventListener('ended', () => this.index + 1 < content.tracks.length && this.choose(this.index + 1, true));
    this.update();
  }

  opened() { return this.choose(0); }

  close() {
    this.audio.pause();
    this.audio.removeAttribute('src');
    this.visualizer.close();
    if ('mediaSession' in navigator) navigator.mediaSession.metadata = null;
  }

  #trackList() {
    return element('ol.tracks', { role: 'list' }, this.content.tracks.map(({ audio }, index) => element('li', {},
      element('button', { type: 'button', lang: this.session.language, dir: 'auto', onclick: () => this.choose(index, true) },
        element('b', {}, number(index + 1)), element('span', {}, audio.alt ?? say('radio.track', { number: index + 1 }))))));
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
      speeds.map(speed => element('option', { value: speed, selected: speed === 1 }, label(speed))));
    return choice;
  }

  /** Loads a track, and plays it if `starts` is true. */
  async choose(index, starts = false) {
    const { audio: asset, transcript } = this.content.tracks[index];
    this.index = index;
    this.trouble.hidden = true;
    const found = this.session.media.audio(asset.source);
    [...(this.tracks?.children ?? [])].forEach((row, number) => row.firstChild.setAttribute('aria-current', String(number === index)));
    this.transcript.hidden = !transcript;
    this.transcript.replaceChildren(element('summary', {}, say('radio.transcript')),
      authored(transcript, this.session));
    if (!found) return this.fail(say('media.missing'));
    const rate = this.audio.playbackRate;
    this.audio.src = found.url;
    this.audio.playbackRate = rate;
    this.#setMediaSession(asset);
    if (starts) this.start();
    try {
      this.visualizer.levels = await this.session.media.levels(asset.source);
    } catch {
      this.visualizer.levels = undefined;
    }
    this.visualizer.draw();
  }

  /** Sets the metadata and actions of a lock screen, a car or a headset. */
  #setMediaSession(asset) {
    if (!('mediaSession' in navigator)) return;
    const { mediaSession } = navigator;
    const cover = this.session.story.cover && this.session.media.image(this.session.story.cover.source);
    mediaSession.metadata = new MediaMetadata({
      title: asset.alt ?? this.event.name, artist: this.session.story.name, album: this.event.name, artwork: cover ? [{ src: cover.src }] : [],
    });
    const actions = {
      play: () => this.start(), pause: () => this.audio.pause(),
      seekbackward: () => this.moveTo(this.audio.currentTime - 10), seekforward: () => this.moveTo(this.audio.currentTime + 10),
      seekto: ({ seekTime }) => this.moveTo(seekTime),
      previoustrack: this.index > 0 ? () => this.choose(this.index - 1, true) : null,
      nexttrack: this.index + 1 < this.content.tracks.length ? () => this.choose(this.index + 1, true) : null,
    };
    for (const [action, handler] of Object.entries(actions)) {
      try {
        mediaSession.setActionHandler(action, handler);
      } catch {
        // Browsers support different actions.
      }
    }
  }

  toggle() {
    if (this.audio.paused) this.start();
    else this.audio.pause();
  }

  /** Plays, if the browser allows it: some need a tap first. */
  async start() {
    try {
      await this.audio.play();
      this.trouble.hidden = true;
    } catch (error) {
      if (error.name === 'NotAllowedError') this.fail(say('radio.tap'));
      else if (error.name !== 'AbortError') this.fail(say('media.missing'));
    }
  }

  moveTo(seconds) {
    this.audio.currentTime = Math.max(0, Math.min(seconds, this.audio.duration || 0));
    this.visualizer.draw();
  }

  fail(text) {
    this.trouble.hidden = false;
    setText(this.trouble, text);
    speak(text);
  }

  update() {
    const { audio } = this;
    const isPlaying = !audio.paused && !audio.ended;
    if (this.play.dataset.state !== String(isPlaying)) {
      this.play.dataset.state = String(isPlaying);
      this.play.setAttribute('aria-label', say(isPlaying ? 'radio.pause' : 'radio.play'));
      this.play.replaceChildren(icon(isPlaying ? 'pause' : 'play'));
    }
    const duration = Number.isFinite(audio.duration) ? audio.duration : 0;
    this.seek.max = duration || 1;
    this.seek.value = audio.currentTime;
    this.seek.style.setProperty('--share', duration > 0 ? audio.currentTime / duration : 0);
    this.seek.setAttribute('aria-valuetext', say('radio.at', { time: clock(audio.currentTime), length: clock(duration) }));
    setText(this.position, clock(audio.currentTime));
    setText(this.length, clock(duration));
    if ('mediaSession' in navigator) {
      navigator.mediaSession.playbackState = isPlaying ? 'playing' : 'paused';
      const { playbackRate, currentTime } = audio;
      if (duration > 0) navigator.mediaSession.setPositionState?.({ duration, playbackRate, position: Math.min(currentTime, duration) });
    }
    if (isPlaying) this.visualizer.start();
    else this.visualizer.draw();
  }
}
