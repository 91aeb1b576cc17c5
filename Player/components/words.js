// The page's texts from strings/LANGUAGE.json, and numbers in the format of that language.

import { lookUp } from './language-lookup.js';

/** The available languages, named in the languages themselves. */
export const languages = { de: 'Deutsch', en: 'English', es: 'Español', fr: 'Français', pt: 'Português', ar: 'العربية' };

const rightToLeft = ['ar'];
/** Where the last chosen language is kept, and the ones before it. */
const [key, earlierKey] = ['wayreel-language', 'wayreel-languages'];
let words = {};
let plural = new Intl.PluralRules('en');
/** The number of loads so far, by which one that takes too long is dropped. */
let loads = 0;

export let language = 'en';

/** The languages that were chosen on this device, the last one first. Some browsers refuse to keep anything, and throw. */
let chosen;
/** The most that are kept. */
const most = 5;

/** Returns the languages that the reader wants, the best first: those chosen on this device, then the browser's. */
export function wishes() {
  try {
    chosen ??= [localStorage.getItem(key), ...localStorage.getItem(earlierKey)?.split(',') ?? []].filter(Boolean);
  } catch {
    chosen ??= [];
  }
  return [...chosen, ...navigator.languages];
}

/** Whether the reader has chosen a language on this device. */
export function hasChosen() { return wishes() && chosen.length > 0; }

/** Keeps the reader's choice for this device, or for this page if the browser keeps nothing. It may be a language of stories alone. */
export function wish(tag) {
  wishes();
  if (!/^[a-z\d-]+$/i.test(tag)) return;
  chosen = [tag, ...chosen.filter(other => other !== tag)].slice(0, most);
  try {
    localStorage.setItem(key, tag);
    localStorage.setItem(earlierKey, chosen.slice(1).join(','));
  } catch (error) {
    console.warn('The language is not kept on this device.', error);
  }
}

/**
 * Loads the available language that suits the reader best, or before that `first`. Where it is not on the device and there is no network,
 * the page keeps its own, or starts in any that is there; `language` names it.
 */
export async function loadWords(first) {
  const wanted = lookUp(Object.keys(languages), first ? [first, ...wishes()] : wishes()) ?? 'en';
  const load = ++loads;
  if (wanted === language && hasWords()) return;
  const response = await fetch(addressOf(wanted));
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  const loaded = Object.keys(languages).find(tag => response.url.endsWith(`/${tag}.json`)) ?? wanted;
  if (loaded !== wanted && hasWords()) return;
  const texts = await response.json();
  if (load !== loads && hasWords()) return;
  words = texts;
  language = loaded;
  plural = new Intl.PluralRules(language);
  document.documentElement.lang = language;
  document.documentElement.dir = rightToLeft.includes(language) ? 'rtl' : 'ltr';
}

const addressOf = tag => new URL(`../strings/${tag}.json`, import.meta.url);

/** Has the service worker keep the texts of languages that may be wanted without a network. */
export function keepWords(tags) {
  const wanted = tags.map(tag => lookUp(Object.keys(languages), [tag])).filter(Boolean);
  return Promise.allSettled([...new Set(wanted)].map(tag => fetch(addressOf(tag))));
}

/** Whether the texts are loaded. */
export const hasWords = () => Object.keys(words).length > 0;

/** Chooses a language of the page for this device. One that cannot be loaded is not chosen. */
export async function chooseLanguage(tag) {
  await loadWords(tag);
  if (language === tag) wish(tag);
}

/**
 * Returns the text of a key, with `{name}` replaced by values, which may have another writing direction. If it has plural
 * forms, the value `count` chooses one:
 * `{ "one": "{count} event", "other": "{count} events" }`.
 */
export function say(key, values = {}) {
  return phrase(key, values).join('');
}

/** Returns the same as a list of texts and of those values that are elements: names in `<bdi>`. */
export function phrase(key, values = {}) {
  const text = words[key] ?? key;
  const form = typeof text === 'string' ? text : text[plural.select(values.count)] ?? text.other;
  return form.split(/\{(\w+)\}/).map((part, index) => {
    const value = values[part];
    if (index % 2 === 0) return part;
    if (typeof value === 'number') return number(value);
    // U+2068 and U+2069 isolate a name of another direction, with its punctuation, from the text around it.
    return typeof value === 'string' && isForeign(value) ? `\u2068${value}\u2069` : value ?? '';
  });
}

/** The texts of the service's codes of problems. */
const refusals = {
  unknownFormat: 'format', unsupported: 'format', decoding: 'damaged', damaged: 'damaged', crashed: 'damaged', hung: 'damaged',
  limit: 'large', tooManyPixels: 'large', tooManyBytes: 'large', tooManyFrames: 'large', outOfMemory: 'large', timedOut: 'large',
  quota: 'quota', token: 'token', player: 'token', 'not-found': 'gone', storage: 'storage', overloaded: 'overloaded', 'client-rate': 'overloaded', 'client-share': 'overloaded',
  'journal-full': 'journalFull', removed: 'removed', internal: 'fault', 'damaged-journal': 'fault', 'not-the-service': 'answer',
};

/** What the service says about faults of this page has no meaning for players. */
const requestFaults = ['body', 'challenge', 'encoding', 'form', 'headers', 'host', 'idempotency', 'journal', 'malformed', 'method', 'origin', 'parameter'];

/**
 * Returns why the service refuses something, in the page's language if it knows the `code`, else as the service says it. The
 * code `http-404` is that of an answer that gives only a status.
 */
export function refusalText(code = '', reason = '') {
  const [, status] = /^http-(\d+)$/.exec(code) ?? [];
  if (status) return say('refused.status', { status });
  if (requestFaults.includes(code)) return say('refused.request');
  return Object.hasOwn(refusals, code) ? say(`refused.${refusals[code]}`) : reason;
}

/** Hebrew, Arabic and other scripts from right to left. */
export const toTheLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

const isForeign = text => text !== '' && (document.documentElement.dir === 'rtl' || toTheLeft.test(text));

export function number(value, options = {}) {
  return new Intl.NumberFormat(language, options).format(value);
}

/** Returns the name of a language in the page's language, or in another one; the tag itself if it is unknown. */
export function languageName(tag, inLanguage = language) {
  try {
    return new Intl.DisplayNames(inLanguage, { type: 'language' }).of(tag);
  } catch {
    return tag;
  }
}

/** Returns a list as a sentence has it: `3 entries and 1 photo`. */
export function listing(texts) {
  return new Intl.ListFormat(language).format(texts);
}

/** Formats metres, as kilometres from 1000 on, rounded to differences that a walker can notice. */
export function distance(metres) {
  if (metres >= 1000) return number(metres / 1000, { style: 'unit', unit: 'kilometer', maximumFractionDigits: 1 });
  const rounded = metres < 20 ? Math.round(metres) : Math.round(metres / 5) * 5;
  return number(rounded, { style: 'unit', unit: 'meter' });
}

export function fileSize(bytes) {
  const [value, unit] = bytes < 1e6 ? [Math.ceil(bytes / 1e3), 'kilobyte'] : [bytes / 1e6, 'megabyte'];
  return number(value, { style: 'unit', unit, maximumFractionDigits: value < 10 ? 1 : 0 });
}

/** Formats seconds, such as `3:07`. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds || 0));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Formats milliseconds in hours and minutes, or in days and hours. */
export function duration(milliseconds) {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  const [large, small, units] = minutes < 48 * 60
    ? [Math.floor(minutes / 60), minutes % 60, ['hour', 'minute']]
    : [Math.floor(minutes / 1440), Math.floor(minutes % 1440 / 60), ['day', 'hour']];
  const parts = [large, small].map((value, index) => value > 0 && number(value, { style: 'unit', unit: units[index], unitDisplay: 'short' }));
  return parts.filter(Boolean).join(' ');
}

export function date(milliseconds) {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(milliseconds);
}

export function dateAndTime(milliseconds) {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(milliseconds);
}

/**
 * Returns the time at which something opens, at the clocks of a time zone: `{day, clock, short}`. `day` is there if it is another day than
 * that of `now` there; the zone is named if the device's clock shows another time. Both times are in milliseconds since 1970.
 */
export function openingTime(time, timeZone, now) {
  const format = options => new Intl.DateTimeFormat(language, { timeZone, ...options });
  const date = moment => format({ dateStyle: 'short' }).format(moment);
  const hour = { hour: 'numeric', minute: '2-digit' };
  const full = { dateStyle: 'short', timeStyle: 'short' };
  const isElsewhere = format(full).format(time) !== new Intl.DateTimeFormat(language, full).format(time);
  const clock = format(isElsewhere ? { ...hour, timeZoneName: 'short' } : hour).format(time);
  if (date(time) === date(now)) return { clock, short: format(hour).format(time) };
  const isSoon = time - now < 6 * 86_400_000;
  const day = format(isSoon ? { weekday: 'long' } : { day: 'numeric', month: 'long' }).format(time);
  return { day, clock, short: format(isSoon ? { weekday: 'short', ...hour } : { day: 'numeric', month: 'short' }).format(time) };
}

/** Returns the direction relative to the view; `turn` is in degrees clockwise. */
export function direction(turn) {
  const sector = Math.round((((turn % 360) + 360) % 360) / 45) % 8;
  return say('direction.' + ['ahead', 'aheadRight', 'right', 'behindRight', 'behind', 'behindLeft', 'left', 'aheadLeft'][sector]);
}

/** Returns the compass direction of a bearing in degrees. */
export function compassPoint(bearing) {
  return say('compass.' + ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'][Math.round((((bearing % 360) + 360) % 360) / 45) % 8]);
}
