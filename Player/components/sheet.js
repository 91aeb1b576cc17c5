// Sheets at the bottom of the screen. A sheet scrolls by itself, and stays above the keyboard; views stay above the sheets of the whole
// page, which are in #foot.

import { element } from './element.js';

/** Returns a sheet. `kind` is a further class. */
export function sheet({ label, key, kind }, ...children) {
  return element(`section.sheet${kind ? `.${kind}` : ''}`, { 'aria-label': label, 'data-key': key }, ...children);
}

/** The least pixels of a keyboard; the bars of browsers, which also change the height, are smaller. */
const leastKeyboard = 120;

/**
 * Keeps CSS variables up to date, in pixels: `--keyboard` is what a keyboard covers at the bottom, and `--foot` the height of the sheets
 * of the page. The root has `data-keyboard` while there is a keyboard.
 */
export function followKeyboard() {
  const root = document.documentElement;
  const foot = document.getElementById('foot');
  new ResizeObserver(() => root.style.setProperty('--foot', `${foot.offsetHeight}px`)).observe(foot);
  const { visualViewport } = window;
  if (!visualViewport) return;
  const update = () => {
    const { height, offsetTop, scale } = visualViewport;
    // Who has zoomed in sees less, too, but without a keyboard.
    const covered = scale > 1.01 ? 0 : Math.max(0, Math.round(innerHeight - offsetTop - height));
    const isKeyboard = covered >= leastKeyboard;
    root.style.setProperty('--keyboard', `${isKeyboard ? covered : 0}px`);
    root.toggleAttribute('data-keyboard', isKeyboard);
    if (isKeyboard) document.activeElement?.scrollIntoView({ block: 'nearest' });
  };
  visualViewport.addEventListener('resize', update);
  visualViewport.addEventListener('scroll', update);
  update();
}
