// The page's keyboard shortcuts: what a key does, where, and the label in the list that players see. A shortcut of the whole page
// has a modifier, as speech input would trigger single letters (WCAG 2.2, 2.1.4).

import { element } from './element.js';
import { roundButton } from './top-bar.js';
import { say } from './words.js';

/**
 * The shortcuts by place: `page` is everywhere, and the others are views that have the focus. `keys` are those of `nameOf`, each
 * with its action; an action is passed the app or the view. `label` is a text of strings/.
 */
export const shortcuts = {
  page: [{ label: 'shortcuts.list', keys: { 'Control+/': () => showShortcuts() } }],
  goggles: [
    { label: 'shortcuts.turn', keys: { ArrowLeft: view => view.turn(-10, 0), ArrowRight: view => view.turn(10, 0) } },
    { label: 'shortcuts.tilt', keys: { ArrowUp: view => view.turn(0, 5), ArrowDown: view => view.turn(0, -5) } },
  ],
  images: [
    { label: 'shortcuts.image', keys: { ArrowLeft: view => view.arrow(-1, 0), ArrowRight: view => view.arrow(1, 0) } },
    { label: 'shortcuts.enlarge', keys: { '+': view => view.enlarge(1), '-': view => view.enlarge(-1) } },
    { label: 'shortcuts.moveImage', keys: { ArrowUp: view => view.arrow(0, -1), ArrowDown: view => view.arrow(0, 1) } },
  ],
};

/** Fields use keys themselves. */
const fields = 'input, select, textarea, [contenteditable]';

/** Returns the name of a pressed key: its value, after `Control+` (also for Command) and `Alt+` if those are pressed. */
function nameOf({ key, ctrlKey, metaKey, altKey }) {
  return `${ctrlKey || metaKey ? 'Control+' : ''}${altKey ? 'Alt+' : ''}${key}`;
}

/** Returns a listener for `keydown` that performs the shortcuts of a place with the app or the view. */
export function shortcutListener(place, target) {
  return event => {
    if (event.isComposing || event.target.closest?.(fields)) return;
    const action = shortcuts[place].map(({ keys }) => keys[nameOf(event)]).find(Boolean);
    if (!action) return;
    event.preventDefault();
    action(target);
  };
}

/** The symbols of keys whose names are not characters. */
const symbols = { Control: 'Ctrl', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };

/** Returns the list of all shortcuts. */
export function shortcutList() {
  const shown = name => element('kbd', { dir: 'ltr' }, name.split(/\+(?=.)/).map(part => symbols[part] ?? part).join(' + '));
  return element('ul.shortcuts', { role: 'list' }, Object.values(shortcuts).flat().map(({ label, keys }) =>
    element('li', {}, element('span.keys', {}, Object.keys(keys).map(shown)), element('span', {}, say(label)))));
}

/** Shows the list in a dialog. */
function showShortcuts() {
  if (document.querySelector('dialog[open]')) return;
  const dialog = element('dialog.plate', { 'aria-label': say('shortcuts.title'), onclose: () => dialog.remove() },
    element('h2', {}, say('shortcuts.title')), shortcutList(),
    roundButton('cross', say('close'), () => dialog.close()));
  document.body.append(dialog);
  dialog.showModal();
}
