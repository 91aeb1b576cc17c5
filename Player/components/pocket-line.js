// While a player walks: the screen stays on, and finds are signalled. A line says so, with a switch for each.

import { screenLock } from '../sensors/screen-lock.js';
import { prepareSounds, signalsOf } from './arrival.js';
import { choose, isChosen } from './choices.js';
import { element } from './element.js';
import { notify } from './notices.js';
import { roundButton } from './top-bar.js';
import { say } from './words.js';

/** Milliseconds without a fix after which the player does not walk. */
const silence = 120_000;

/** Whether it was said that the battery is low. */
let isLowSaid = false;

/** Returns the line of a chapter's map or tour. It is hidden where there is nothing to switch. */
export function pocketLine(session, chapter, signal) {
  const { position } = session.app;
  const input = element('input', {
    type: 'checkbox', role: 'switch', checked: isChosen('screen', true),
    onchange() {
      choose('screen', input.checked);
      update();
    },
  });
  const note = element('small');
  const screen = element('label.switch', {}, input, element('span', {}, say('pocket.screen'), note));
  const signals = signalsOf(session, chapter).map(name => toggle(name, () => prepareSounds(session, chapter)));
  const node = element('div.pocket', {}, screen, signals);
  const want = 'wakeLock' in navigator ? screenLock(signal, trouble => {
    note.textContent = trouble ? say(`pocket.${trouble}`) : '';
    if (trouble !== 'low' || isLowSaid) return;
    isLowSaid = true;
    notify({ key: 'battery', symbol: 'device', title: say('pocket.lowTitle'), text: say('pocket.lowText') });
  }) : undefined;
  let last = Date.now();
  function update() {
    const isWalking = position.state === 'on' && Date.now() - last < silence && !session.playback.isChapterDone(chapter.id);
    screen.hidden = !want || !isWalking;
    want?.(isWalking && input.checked);
    node.hidden = screen.hidden && signals.length === 0;
  }
  function moved() {
    last = Date.now();
    update();
  }
  prepareSounds(session, chapter);
  update();
  position.addEventListener('fix', moved, { signal });
  position.addEventListener('state', update, { signal });
  session.addEventListener('change', update, { signal });
  session.addEventListener('clock', update, { signal });
  return node;
}

function toggle(name, changed) {
  const button = roundButton(name, say(`pocket.${name}`), () => {
    const isOn = !isChosen(name, true);
    choose(name, isOn);
    button.setAttribute('aria-pressed', String(isOn));
    changed();
  }, String(isChosen(name, true)));
  return button;
}
