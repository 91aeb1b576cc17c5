// The current lockbox: its question, the answer, hints, and the next one.

import { element } from '../components/element.js';
import { icon } from '../components/icon.js';
import { speak } from '../components/notices.js';
import { opening } from '../components/opening.js';
import { say } from '../components/words.js';
import { plainText } from '../engine/plain-text.js';

/** Returns the panel. `folds`: whether its form is collapsed at first, as on the map. */
export function lockboxPanel(session, chapter, folds = false) {
  const node = element('section.lockbox', { 'aria-label': say('lockbox.title') });
  let shown;

  function update() {
    if (chapter.lockboxes.length === 0) {
      node.hidden = true;
      return;
    }
    const asked = session.playback.askedLockboxes.find(lockbox => lockbox.chapter === chapter.id);
    const opened = chapter.lockboxes.filter(lockbox => session.opened.has(lockbox.id)).length;
    const key = `${asked?.id} ${opened}`;
    if (key === shown) return;
    const hadFocus = node.contains(document.activeElement);
    shown = key;
    if (asked) ask(asked, opened, hadFocus);
    else showOpened(opened);
  }

  function showOpened(opened) {
    const isOpen = opened === chapter.lockboxes.length;
    node.dataset.state = isOpen ? 'open' : 'waiting';
    node.replaceChildren(element('p.state', {}, icon(isOpen ? 'open' : 'lock'),
      element('span', {}, isOpen ? say('lockbox.allOpen', { count: opened }) : say('lockbox.later'))));
  }

  function ask(asked, opened, takesFocus) {
    node.dataset.state = 'asked';
    const lockbox = session.lockboxes.get(asked.id);
    const hint = element('p.hint', { id: `hint-${lockbox.id}` });
    const answer = element('input', {
      id: `answer-${lockbox.id}`, type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'send',
      maxlength: 1000, required: true, 'aria-describedby': `hint-${lockbox.id}`, lang: session.language, dir: 'auto',
    });
    showHint(hint, asked.hint, lockbox);
    const own = session.own(lockbox, 'question');
    const { words, rest } = opening(lockbox.question, own);
    const form = element('form', {
      onsubmit(event) {
        event.preventDefault();
        const outcomes = session.takeNow('answer', { lockbox: lockbox.id, text: answer.value });
        const wrong = outcomes.find(outcome => outcome.outcome === 'answer-wrong');
        if (wrong) {
          showHint(hint, wrong.hint, lockbox, true);
          speak(say('lockbox.wrong'), ' ', element('span', ownHint(lockbox, wrong.hint), wrong.hint));
          answer.select();
          hint.scrollIntoView({ block: 'nearest' });
          node.dataset.wrong = '';
          setTimeout(() => delete node.dataset.wrong, 500);
        }
      },
    },
    element('label', { for: answer.id },
      element('span.question', own, words)),
    rest,
    element('div.answer', {}, answer, element('button.primary', { type: 'submit' }, say('lockbox.answer'))),
    hint);
    const count = chapter.lockboxes.length;
    const title = count > 1 ? say('lockbox.number', { number: opened + 1, count }) : say('lockbox.title');
    const peek = element('span.peek', { ...own, 'aria-hidden': 'true' }, plainText(lockbox.question));
    node.replaceChildren(element('details', { open: !folds || takesFocus },
      element('summary', {}, element('span.state', {}, icon('lock'), element('span', {}, title), peek)),
      form));
    if (takesFocus) answer.focus();
  }

  /** The engine tells a hint by its words. */
  const ownHint = ({ hints }, hint) => session.own(hints, hints?.indexOf(hint));

  function showHint(place, hint, lockbox, isWrong = false) {
    place.hidden = !hint && !isWrong;
    place.replaceChildren(icon(hint ? 'hint' : 'cross'), element('span', {},
      isWrong && element('strong', {}, say('lockbox.wrong'), ' '),
      hint && element('span', ownHint(lockbox, hint), hint)));
  }

  return { node, update };
}
