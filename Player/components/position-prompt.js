// Explains why the page needs the position, with a button that lets the browser ask for permission.

import { element } from './element.js';
import { icon } from './icon.js';
import { speak } from './notices.js';
import { say } from './words.js';

/** Returns a panel that is visible while the position is off or unavailable. */
export function positionPrompt(app, signal) {
  const place = element('div.prompt', { role: 'group', tabindex: -1, 'aria-label': say('position.title') });

  function update() {
    const { state } = app.position;
    place.hidden = state === 'on';
    if (state === 'off') {
      place.replaceChildren(
        element('p', {}, say('position.why')),
        element('button.primary', {
          type: 'button',
          onclick() {
            app.position.start();
            app.orientation.start();
          },
        }, icon('walk'), say('position.start')));
    } else if (state === 'waiting') {
      place.replaceChildren(element('p', {}, element('span.waiting', {}, icon('diamond')), say('position.waiting')));
    } else {
      place.replaceChildren(
        element('p', {}, element('strong', {}, say('position.none'))),
        element('p', {}, say(state === 'denied' ? 'position.denied' : 'position.missing')));
    }
  }
  update();
  app.position.addEventListener('state', () => {
    const hadFocus = place.contains(document.activeElement);
    update();
    if (place.hidden) return;
    speak(place.textContent);
    if (hadFocus) place.focus();
  }, { signal });
  return place;
}
