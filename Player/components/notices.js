// Notices of events during play, above the view and for screen readers: one at a time, and questions of the page in a sheet below.

import { element } from './element.js';
import { icon } from './icon.js';
import { sheet } from './sheet.js';
import { say } from './words.js';

/** Milliseconds until an announced text is removed, so that a screen reader does not find it later. */
const spokenFor = 10_000;
/** Seconds for which a notice is shown: with a link, and without. */
const [shownWithLink, shown] = [12, 7];
/** Milliseconds between checks of the time that is left. */
const tick = 500;

/**
 * Announces texts by a screen reader without showing them: texts, or elements in another language. Simultaneous
 * announcements are read one after the other.
 */
export function speak(...texts) {
  const line = element('p', {}, texts);
  document.getElementById('spoken').append(line);
  setTimeout(() => line.remove(), spokenFor);
}

/** The notice that is shown, `{…, node}`, and those that wait for it to leave. */
let current;
let waiting = [];

/** What was found comes first, then other links. */
const rank = ({ kind, action }) => kind ? 0 : action ? 1 : 2;

/**
 * Shows a notice, after those before it, for some seconds in which it is visible and has neither the pointer nor the focus. It replaces a
 * notice of the same `key`. One of a lower rank makes way, and is shown again afterwards if it has a link.
 *
 * `kind` is that of an event that was found; `heard` is the caption of its sound, for who does not hear it: where there is one, the text is
 * only spoken. `language`, `textLanguage` and `heardLanguage` are those of an author's title, text and caption; `words()` are the text with names
 * in their languages. `action` is {label, href}; the notice leaves when that view is shown.
 */
export function notify(notice) {
  const { key, title, text, language, textLanguage, words = () => text } = notice;
  speak(element('span', { lang: language }, title), ...text ? ['. ', element('span', { lang: textLanguage }, words())] : []);
  const isReplaced = other => Boolean(key) && other?.key === key;
  const makesWay = current && !isReplaced(current) && rank(current) > rank(notice);
  const again = makesWay && current.action ? [current] : [];
  waiting = [...again, ...waiting.filter(other => !isReplaced(other)), notice].sort((a, b) => rank(a) - rank(b));
  if (!current || makesWay || isReplaced(current)) showNext();
}

function showNext() {
  clearInterval(current?.timer);
  current?.node.remove();
  current = waiting.shift();
  if (!current) return;
  const { key, symbol = 'diamond', title, text, heard, action, kind, language, textLanguage, heardLanguage, words = () => text, seconds } = current;
  const node = element('section.notice', { 'data-key': key, 'data-kind': kind, 'aria-label': title },
    element('span.badge', {}, icon(symbol)),
    element('div.words', {}, element('strong', { lang: language, dir: 'auto' }, title),
      heard ? element('span.heard', {}, icon('sound'), element('bdi', { lang: heardLanguage }, heard))
        : text && element('span', { lang: textLanguage, dir: 'auto' }, words())),
    action && element('a.small', { href: action.href }, action.label),
    element('button.plain', { type: 'button', 'aria-label': say('close'), onclick: showNext }, icon('cross')));
  current.node = node;
  document.getElementById('notices').append(node);
  // A pointer that happens to be where a notice appears does not hold it.
  let isHeld = false;
  node.addEventListener('pointermove', ({ pointerType, movementX, movementY }) => {
    if (pointerType === 'mouse' && (movementX || movementY)) isHeld = true;
  });
  node.addEventListener('pointerleave', () => { isHeld = false; });
  let left = (seconds ?? (action ? shownWithLink : shown)) * 1000;
  current.timer = setInterval(() => {
    if (document.hidden || node.checkVisibility?.() === false || isHeld || node.matches(':focus-within')) return;
    left -= tick;
    if (left <= 0) showNext();
  }, tick);
}

addEventListener('hashchange', () => {
  const isOther = notice => notice.action?.href !== location.hash;
  waiting = waiting.filter(isOther);
  if (current && !isOther(current)) showNext();
});

/**
 * Asks the player in a sheet, which stays until it is answered. It replaces the question of the same `key`. `action` is {label, onclick}.
 * If the player has asked for it by a button, `from`, the focus goes to the sheet, and back. `onclose` hears of a no.
 */
export function ask({ key, symbol, title, text, action, from, onclose }) {
  const foot = document.getElementById('foot');
  [...foot.children].filter(child => child.dataset.key === key).forEach(child => child.remove());
  const node = sheet({ label: title, key, kind: 'notice' },
    element('span.badge', {}, icon(symbol)),
    element('div.words', {}, element('strong', {}, title), text && element('span', {}, text)),
    element('button.small', { type: 'button', onclick: () => { node.remove(); action.onclick(); } }, action.label),
    element('button.plain', { type: 'button', 'aria-label': say('close'), onclick: () => { node.remove(); from?.focus(); onclose?.(); } }, icon('cross')));
  // One question at a time: the newest is in front, and the next one is there when it is answered.
  foot.prepend(node);
  if (from) node.querySelector('.small').focus();
  speak(title, text ? `. ${text}` : '');
}
