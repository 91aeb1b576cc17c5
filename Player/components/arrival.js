// How an author signals finds: by a sound and by vibration, as far as the player and the device allow it.

import { isChosen } from './choices.js';

/** Milliseconds of vibration and of pauses between. */
const pattern = [80, 60, 160];
/** Seconds: a longer sound is not a signal, and takes much memory. */
const longest = 30;

let context;
/** Whether a gesture of the player has permitted sound. */
let isPermitted = false;
/** The sound that plays. */
let playing;
/** The decoded sounds by their URLs. */
const buffers = new Map();

/** Returns `{sound?, vibrate?}` of an event, or those of its story. */
export const arrivalOf = (event, story) => event.arrival ?? story.arrival ?? {};

/** Returns the URL of an event's sound; undefined if there is none. */
function soundOf(event, { story, media }) {
  const { sound } = arrivalOf(event, story);
  const { url, seconds = 0 } = sound && media.audio(sound.source) || {};
  return seconds > longest ? undefined : url;
}

/** Returns which signals events of a chapter have on this device: of `sound` and `vibration`. */
export function signalsOf(session, { events }) {
  // Browsers of computers have the function, but nothing that vibrates.
  const mayVibrate = 'vibrate' in navigator && navigator.maxTouchPoints > 0;
  return [
    events.some(event => soundOf(event, session)) && 'sound',
    mayVibrate && events.some(event => arrivalOf(event, session.story).vibrate) && 'vibration',
  ].filter(Boolean);
}

/** Loads the sounds of a chapter's events that are not found yet, so that they play at once. */
export function prepareSounds(session, { events }) {
  if (!isChosen('sound', true)) return;
  const sounds = events.filter(event => !session.isFound(event.id)).map(event => soundOf(event, session));
  // What cannot be loaded now is asked for again when it is needed.
  for (const url of sounds) if (url) bufferOf(url).catch(() => {});
}

/** Signals a find. */
export function signalArrival(session, event) {
  if (arrivalOf(event, session.story).vibrate && isChosen('vibration', true)) navigator.vibrate?.(pattern);
  const url = isChosen('sound', true) && soundOf(event, session);
  if (url) play(url).catch(error => console.warn('The sound of a find cannot be played.', error));
}

/** Browsers play sound only after a gesture in the page; keys click, too. */
function open() {
  context = new AudioContext();
  const permit = async () => {
    await context.resume();
    isPermitted = true;
    rest();
  };
  addEventListener('click', permit, { capture: true, once: true });
  if (navigator.userActivation?.hasBeenActive) permit();
}

/** A context that runs uses the battery, also in silence. */
const rest = () => playing || context.suspend();

function bufferOf(url) {
  if (!context) open();
  if (!buffers.has(url)) {
    const loading = fetch(url).then(response => response.arrayBuffer()).then(bytes => context.decodeAudioData(bytes));
    buffers.set(url, loading);
    loading.catch(() => buffers.delete(url));
  }
  return buffers.get(url);
}

/** Whether something else is heard, which a sound would disturb. */
const isHeard = () => playing || [...document.querySelectorAll('audio, video')].some(media => !media.paused && !media.muted);

async function play(url) {
  const buffer = await bufferOf(url);
  if (isHeard() || !isPermitted) return;
  const source = playing = new AudioBufferSourceNode(context, { buffer });
  source.connect(context.destination);
  source.onended = () => source === playing && end();
  source.start();
  // A system that has taken the sound away, as for a call, gives it back at any time: too late for a signal.
  await Promise.race([context.resume(), new Promise(next => setTimeout(next, 1000))]);
  if (context.state !== 'running') end();
}

function end() {
  playing?.stop();
  playing = undefined;
  rest();
}

// What the player starts comes first. Events of media do not bubble.
document.addEventListener('play', ({ target }) => target.muted || playing && end(), true);
