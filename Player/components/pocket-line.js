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
  const screen = screenSwitch(signal);
  const signals = Object.entries(signalsOf(session, chapter)).filter(([, isThere]) => isThere)
    .map(([name]) => toggle(name, () => prepareSounds(session, chapter)));
  prepareSounds(session, chapter);
  const node = element('div.pocket', { role: 'group', 'aria-label': say('pocket.title') }, screen.node, signals);
  let last = position.state === 'on' ? Date.now() : 0;
  const update = () => {
    const isWalking = position.state === 'on' && Date.now() - last < silence && !session.playback.isChapterDone(chapter.id);
    screen.update(isWalking);
    node.hidden = screen.node.hidden && signals.length === 0;
  };
  update();
  position.addEventListener('fix', () => {
    last = Date.now();
    update();
  }, { signal });
  position.addEventListener('state', update, { signal });
  session.addEventListener('change', update, { signal });
  session.addEventListener('clock', update, { signal });
  return node;
}

function screenSwitch(signal) {
  const isThere = 'wakeLock' in navigator;
  const input = element('input', {
    type: 'checkbox', role: 'switch', checked: isChosen('screen', true),
    onchange() {
      choose('screen', input.checked);
      update(true);
    },
  });
  const note = element('small');
  const node = element('label.switch', {}, input, element('span', {}, say('pocket.screen'), note));
  const want = isThere && screenLock(signal, trouble => {
    note.textContent = trouble ? say(`pocket.${trouble}`) : '';
    if (trouble !== 'low' || isLowSaid) return;
    isLowSaid = true;
    notify({ key: 'battery', symbol: 'battery', title: say('pocket.lowTitle'), text: say('pocket.lowText') });
  });
  function update(isWalking) {
    node.hidden = !isThere || !isWalking;
    if (isThere) want(isWalking && input.checked);
  }
  return { node, update };
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
