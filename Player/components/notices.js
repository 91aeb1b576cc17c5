// Notices of events during play, above the view and for screen readers.

import { element, setText } from './element.js';
import { icon } from './icon.js';
import { say } from './words.js';

/** Announces text by a screen reader without showing it. */
export function speak(text) {
  const spoken = document.getElementById('spoken');
  setText(spoken, '');
  requestAnimationFrame(() => setText(spoken, text));
}

/**
 * Shows a notice for `seconds`, or until it is closed. It replaces a notice of the same `key`.
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
  speak([title, text].filter(Boolean).join('. '));
  if (seconds) setTimeout(() => notice.remove(), seconds * 1000);
  return notice;
}
