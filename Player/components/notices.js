// Notices of events during play, above the view and for screen readers.

import { element } from './element.js';
import { icon } from './icon.js';
import { say } from './words.js';

/** Milliseconds until an announced text is removed, so that a screen reader does not find it later. */
const spokenFor = 10_000;

/**
 * Announces texts by a screen reader without showing them: texts, or elements in another language. Simultaneous
 * announcements are read one after the other.
 */
export function speak(...texts) {
  const line = element('p', {}, texts);
  document.getElementById('spoken').append(line);
  setTimeout(() => line.remove(), spokenFor);
}

/**
 * Shows a notice for `seconds` and in this view only, or until it is closed or its link's view is shown. It replaces a
 * notice of the same `key`.
 *
 * `action` is {label, href} for a link, which closes the notice, or {label, onclick} for a button.
 */
export function notify({ key, symbol = 'diamond', title, text, action, seconds, kind, language }) {
  const place = document.getElementById('notices');
  if (key) [...place.children].filter(child => child.dataset.key === key).forEach(child => child.remove());
  const notice = element('section.notice', { 'data-key': key, 'data-kind': kind, 'aria-label': title },
    element('span.badge', {}, icon(symbol)),
    element('div.words', {}, element('strong', { lang: language, dir: 'auto' }, title), text && element('span', { dir: 'auto' }, text)),
    action && (action.href ? element('a.small', { href: action.href, onclick: () => notice.remove() }, action.label)
      : element('button.small', { type: 'button', onclick: action.onclick }, action.label)),
    element('button.plain', { type: 'button', 'aria-label': say('close'), onclick: () => notice.remove() }, icon('cross')));
  place.append(notice);
  while (place.children.length > 3) place.firstElementChild.remove();
  speak(element('span', { lang: language }, title), text ? `. ${text}` : '');
  if (seconds) setTimeout(() => notice.remove(), seconds * 1000);
  addEventListener('hashchange', function leave() {
    if (seconds || action?.href === location.hash) notice.remove();
    if (!notice.isConnected) removeEventListener('hashchange', leave);
  });
  return notice;
}
