// What is listened to: a recording of several tracks that goes on when its view is left, with a small player at the bottom of the page.

import { element, setText } from './element.js';
import { icon } from './icon.js';
import { link } from './router.js';
import { sheet } from './sheet.js';
import { clock, say } from './words.js';

/** The contents of sounds that are not those of a radio, by which one that plays is known. */
const contents = new WeakMap();

/** Returns a sound as the content of a radio. */
function contentOf(track) {
  if (!contents.has(track)) contents.set(track, { tracks: [track] });
  return contents.get(track);
}

/** The recording that plays, or that was the last to play and is still at hand. */
let current;
let smallPlayer;

/**
 * The tracks of a radio, with the actions of a lock screen, a car or a headset. Events: `track` when another one is chosen, `change` when
 * it plays, pauses or moves, and `trouble`, with `detail` as the key of a text.
 */
class Recording extends EventTarget {
  audio = element('audio', { preload: 'metadata' });
  /** The number of the track. */
  index;
  /** The number of views that show it. */
  views = 0;

  constructor(content, event, session) {
    super();
    Object.assign(this, { content, event, session });
    const { audio } = this;
    for (const name of ['play', 'pause', 'timeupdate', 'durationchange', 'ended', 'seeked', 'ratechange']) {
      audio.addEventListener(name, () => this.#changed());
    }
    audio.addEventListener('play', () => takeTurn(this));
    audio.addEventListener('error', () => audio.hasAttribute('src') && this.#trouble('media.missing'));
    audio.addEventListener('ended', () => this.isLast ? leaveAtEnd(this) : this.choose(this.index + 1, true));
    document.body.append(audio);
  }

  get track() { return this.content.tracks[this.index]; }

  get title() { return this.track.audio.alt ?? this.event.name; }

  /** The attributes of its language. */
  get titleLanguage() {
    const { event, session, track: { audio } } = this;
    return audio.alt ? session.own(audio, 'alt') : session.own(event, 'name');
  }

  get isLast() { return this.index + 1 >= this.content.tracks.length; }

  get isPlaying() { return !this.audio.paused && !this.audio.ended; }

  /** Seconds; 0 until it is known. */
  get duration() { return Number.isFinite(this.audio.duration) ? this.audio.duration : 0; }

  /** Chooses a track, and plays it if `starts` is true. */
  choose(index, starts = false) {
    this.index = index;
    const found = this.session.media.audio(this.track.audio.source);
    this.dispatchEvent(new Event('track'));
    if (!found) return this.#trouble('media.missing');
    const rate = this.audio.playbackRate;
    this.audio.src = found.url;
    this.audio.playbackRate = rate;
    if (starts) this.start();
    return undefined;
  }

  /** Goes on with the same radio in another language, as `goOn` does. */
  continueWith(content, event) {
    const { isPlaying, duration, audio: { currentTime } } = this;
    Object.assign(this, { content, event });
    const found = this.session.media.audio(this.track.audio.source);
    if (found?.url === this.audio.src) {
      this.dispatchEvent(new Event('track'));
    } else {
      this.choose(this.index, isPlaying);
      goOn(this.audio, currentTime, duration);
    }
    this.offerToSystem();
    if (smallPlayer) showSmallPlayer(this);
  }

  toggle() {
    if (this.audio.paused) this.start();
    else this.audio.pause();
  }

  /** Plays, if the browser allows it: some need a tap first. */
  async start() {
    try {
      await this.audio.play();
    } catch (error) {
      if (error.name === 'NotAllowedError') this.#trouble('radio.tap');
      else if (error.name !== 'AbortError') this.#trouble('media.missing');
    }
  }

  moveTo(seconds) { this.audio.currentTime = Math.max(0, Math.min(seconds, this.audio.duration || 0)); }

  #trouble(key) { this.dispatchEvent(new CustomEvent('trouble', { detail: key })); }

  #changed() {
    if (current === this) this.#tellSystem();
    this.dispatchEvent(new Event('change'));
  }

  /** Tells the system's own controls what plays. */
  #tellSystem() {
    if (!('mediaSession' in navigator)) return;
    const { mediaSession } = navigator;
    const { duration, audio: { playbackRate, currentTime } } = this;
    mediaSession.playbackState = this.isPlaying ? 'playing' : 'paused';
    if (duration > 0) mediaSession.setPositionState?.({ duration, playbackRate, position: Math.min(currentTime, duration) });
  }

  /** Sets the title and the actions of the system's controls. */
  offerToSystem() {
    if (!('mediaSession' in navigator)) return;
    const { mediaSession } = navigator;
    const { story, media } = this.session;
    const cover = story.cover && media.image(story.cover.source);
    mediaSession.metadata = new MediaMetadata({
      title: this.title, artist: story.name, album: this.event.name, artwork: cover ? [{ src: cover.src }] : [],
    });
    const actions = {
      play: () => this.start(), pause: () => this.audio.pause(),
      seekbackward: () => this.moveTo(this.audio.currentTime - 10), seekforward: () => this.moveTo(this.audio.currentTime + 10),
      seekto: ({ seekTime }) => this.moveTo(seekTime),
      previoustrack: this.index > 0 ? () => this.choose(this.index - 1, true) : null,
      nexttrack: this.isLast ? null : () => this.choose(this.index + 1, true),
    };
    for (const [action, handler] of Object.entries(actions)) {
      try {
        mediaSession.setActionHandler(action, handler);
      } catch {
        // Browsers support different actions.
      }
    }
  }

  close() {
    this.audio.pause();
    this.audio.removeAttribute('src');
    this.audio.remove();
    if (current !== this) return;
    current = undefined;
    hideSmallPlayer();
    if ('mediaSession' in navigator) navigator.mediaSession.metadata = null;
  }
}

/** The most by which sounds of the same in two languages differ in length, as a share. */
const tolerance = 0.1;

/**
 * Has a sound or video that is being loaded begin at a time of the one in another language before it, if it has about the same `length`: it
 * says the same there. Another one begins at its beginning.
 */
export function goOn(media, seconds, length) {
  const { src } = media;
  media.addEventListener('loadedmetadata', () => {
    if (media.src === src && Math.abs(media.duration - length) <= tolerance * length) media.currentTime = seconds;
  }, { once: true });
}

/** Returns the recording of an item's sound for a view, as of a radio's. */
export function soundOf(item, session) {
  return recordingOf(contentOf(item.audio), placeOf(item, session), session);
}

/** What an item is in the place of a radio's event. */
const placeOf = (item, session) => ({ ...item, isItem: true, href: link(session.id, 'item', item.id) });

/**
 * Returns the recording of a radio for a view: the one that plays already, or a new one. Call `leave` when the view closes. `event` is that of
 * the radio.
 */
export function recordingOf(content, event, session) {
  const recording = current?.content === content ? current : new Recording(content, event, session);
  recording.views += 1;
  if (recording === current) hideSmallPlayer();
  return recording;
}

/** Goes on listening in the language that a session is read in by now. `before` are the session's events until now. */
export function continueListening(session, before) {
  const recording = current?.session === session ? current : undefined;
  if (!recording) return;
  const [content, event] = inLanguageOf(session, recording, before);
  if (content?.tracks?.[recording.index]) recording.continueWith(content, event);
  else recording.close();
}

/** Returns the content of a recording, and what has it, in the language of a session. */
function inLanguageOf(session, { content, event: { id, isItem } }, before) {
  if (isItem) {
    const item = session.story.sections?.flatMap(({ items }) => items).find(item => item.id === id);
    return item?.audio ? [contentOf(item.audio), placeOf(item, session)] : [];
  }
  const event = session.events.get(id);
  return [before.get(id)?.content === content ? event?.content : event?.journal?.content, event];
}

/** Ends a view of a recording. One that plays goes on. */
export function leave(recording) {
  recording.views -= 1;
  if (recording.views > 0) return;
  if (recording.isPlaying) showSmallPlayer(recording);
  else recording.close();
}

/** One recording plays at a time. */
function takeTurn(recording) {
  if (current !== recording) {
    const before = current;
    current = recording;
    if (before?.views > 0) before.audio.pause();
    else before?.close();
    hideSmallPlayer();
  }
  recording.offerToSystem();
}

function leaveAtEnd(recording) {
  if (recording.views === 0) recording.close();
}

// Events of media do not bubble. A video that starts pauses the recording; those without sound do not.
document.addEventListener('play', ({ target }) => {
  if (target !== current?.audio && !target.muted) current?.audio.pause();
}, true);

function hideSmallPlayer() {
  smallPlayer?.close();
  smallPlayer = undefined;
}

function showSmallPlayer(recording) {
  hideSmallPlayer();
  const ends = new AbortController();
  const { session, event } = recording;
  const play = element('button.round', { type: 'button', onclick: () => recording.toggle() });
  const title = element('bdi');
  const time = element('span.time', { dir: 'ltr' });
  const node = sheet({ label: say('listening.title'), kind: 'listening' },
    play,
    element('a.words', { href: event.href ?? link(session.id, 'event', event.id) }, title, time),
    element('button.round', { type: 'button', 'aria-label': say('listening.stop'), onclick: () => recording.close() }, icon('cross')));
  function update() {
    const { isPlaying, duration, audio } = recording;
    if (play.dataset.state !== String(isPlaying)) {
      play.dataset.state = String(isPlaying);
      play.setAttribute('aria-label', say(isPlaying ? 'radio.pause' : 'radio.play'));
      play.replaceChildren(icon(isPlaying ? 'pause' : 'play'));
    }
    setText(title, recording.title);
    title.lang = recording.titleLanguage.lang;
    setText(time, `${clock(audio.currentTime)} / ${clock(duration)}`);
    node.style.setProperty('--share', duration > 0 ? audio.currentTime / duration : 0);
  }
  recording.addEventListener('change', update, { signal: ends.signal });
  update();
  document.getElementById('foot').append(node);
  smallPlayer = {
    close() {
      ends.abort();
      node.remove();
    },
  };
}
