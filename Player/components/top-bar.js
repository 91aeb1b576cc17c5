// The bar above a view: a link back, the heading, and actions.

import { element } from './element.js';
import { icon } from './icon.js';
import { say } from './words.js';

/** `actions` are elements at the end of the bar; `language` is that of an author's title. */
export function topBar({ title, back, language, actions = [] }) {
  return element('header.top-bar', {},
    back && element('a.round', { href: back, 'aria-label': say('back') }, icon('back')),
    element('h1', { lang: language, dir: 'auto' }, title),
    element('div.actions', {}, actions));
}

/** Returns a round button of a bar or of the map. `pressed` is the state of a toggle button. */
export function roundButton(name, label, onclick, pressed) {
  return element('button.round', { type: 'button', 'aria-label': label, 'aria-pressed': pressed, title: label, onclick }, icon(name));
}

export function roundLink(name, label, href) {
  return element('a.round', { href, 'aria-label': label, title: label }, icon(name));
}
