// What happens while somebody walks: a notice above the view, and the same said to those who do not see it.

import { element, setText } from './element.js';
import { icon } from './icon.js';
import { say } from './words.js';

/** Says something by a screen reader and shows nothing. */
export function speak(text) {
  const spoken = document.getElementById('spoken');
  setText(spoken, '');
  requestAnimationFrame(() => setText(spoken, text));
}

/**
 * Shows a notice until it is closed, or for so many `seconds`. A notice of the same `key` takes its place.
 *
 * `action`: {label, href} of a link, which closes the notice, or {label, onclick} of a button.
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
