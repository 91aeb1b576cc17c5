// The keys of the chart: what they do while it has the focus, so that speech input does not trigger single letters elsewhere
// (WCAG 2.2, 2.1.4). Control + / shows them everywhere.
import { element } from './components/element.js';
import { icon } from './components/icon.js';

/** Rows: the keys by `KeyboardEvent.key`, what they do for who sees the list, and the action on the view. */
export const shortcuts = [
  [[' ', 'k'], 'Pause, or go on at now', view => view.togglePause()],
  [['h'], 'Go on from where it is paused', view => view.resume(true)],
  [['End', 'n'], 'Go to now', view => view.resume(false)],
  [['Home'], 'Go to the oldest sample that is kept', view => view.goToStart()],
  [['PageUp'], 'Half a page earlier', view => view.pan(-0.5)],
  [['PageDown'], 'Half a page later', view => view.pan(0.5)],
  [['+', '='], 'Show less time', view => view.zoom(1 / 1.5)],
  [['-'], 'Show more time', view => view.zoom(1.5)],
  [['ArrowLeft'], 'Move the cursor left; with Shift further', (view, far) => view.moveCursor(far ? -20 : -1)],
  [['ArrowRight'], 'Move the cursor right; with Shift further', (view, far) => view.moveCursor(far ? 20 : 1)],
  [['ArrowUp'], 'Lanes above', view => view.scrollLanes(-1)],
  [['ArrowDown'], 'Lanes below', view => view.scrollLanes(1)],
  [['b'], 'Begin a range at the cursor, for a mark; or give it up', view => view.toggleRange()],
  [['Escape'], 'Take the cursor away', view => view.dropCursor()],
  [['v'], 'Say the values: at the cursor, otherwise the newest', view => view.speak()],
  [['m'], 'Set a mark', view => view.beginMark()],
  [['s'], 'Scroll or sweep', view => view.set({ movement: view.chart.movement === 'scroll' ? 'sweep' : 'scroll' })],
  [['o'], 'One scale, or each its own', view => view.set({ hasOneScale: !view.chart.hasOneScale })],
  [['l'], 'Logarithmic scale', view => view.set({ isLogarithmic: !view.chart.isLogarithmic })],
  [['?'], 'Show this list', () => showShortcuts()],
];

const names = {
  ' ': 'Space', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc', PageUp: 'Page ↑', PageDown: 'Page ↓', '-': '−',
};

/** Listens to the keys of the chart, and to Control + / of the page. */
export function listenToKeys(view, node) {
  node.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = shortcuts.find(([keys]) => keys.includes(key))?.[2];
    if (!action) return;
    event.preventDefault();
    action(view, event.shiftKey);
  });
  addEventListener('keydown', event => {
    if (event.key !== '/' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    showShortcuts();
  });
}

export function showShortcuts() {
  if (document.querySelector('dialog[open]')) return;
  const rows = [...shortcuts.map(([keys, label]) => [keys.map(key => names[key] ?? key), label]), [['Ctrl /'], 'Show this list, from anywhere']];
  const dialog = element('dialog.plate', { 'aria-labelledby': 'shortcuts-title', onclose: () => dialog.remove() },
    element('h2', { id: 'shortcuts-title' }, 'Keys of the chart'),
    element('p.hint', {}, 'They work while the chart has the focus. A wheel or two fingers show more or less time; dragging moves it, '
      + 'and with Shift chooses a range.'),
    element('dl.keys', {}, rows.map(([keys, label]) => element('div', {},
      element('dt', {}, keys.map(key => element('kbd', {}, key))), element('dd', {}, label)))),
    element('button.small.square.close', { type: 'button', 'aria-label': 'Close', onclick: () => dialog.close() }, icon('cross')));
  document.body.append(dialog);
  dialog.showModal();
}
