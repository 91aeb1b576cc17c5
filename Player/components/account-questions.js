// Questions about the account, in dialogs. Each resolves when it is answered; Escape answers no.

import { element } from './element.js';
import { say } from './words.js';

/** Shows a dialog; resolves to the value of the button that was pressed, undefined for Escape. */
function ask(title, contents, answers) {
  return new Promise(resolve => {
    let answer;
    const button = ({ label, value, kind = 'secondary' }) => element(`button.${kind}`, {
      type: 'button',
      onclick() {
        answer = value;
        dialog.close();
      },
    }, label);
    const heading = element('h2', { tabindex: -1, dir: 'auto' }, title);
    const dialog = element('dialog.plate.question', {
      'aria-label': title,
      onclose() {
        dialog.remove();
        resolve(answer);
      },
    }, heading, contents, answers.map(button));
    document.body.append(dialog);
    dialog.showModal();
    // No button has the focus, so that nobody agrees by a key that was pressed before.
    heading.focus();
  });
}

/**
 * Asks whether another account may play. `former` is the one before, and `count` the number of entries and photos
 * that were found without an account. Resolves to `{takesAlong}`; undefined for no.
 */
export async function askToContinue({ name, former, count }) {
  const stays = former.isOwn
    ? count > 0 && say('account.staysHere')
    : say('account.staysWith', { name: former.name ?? former.player });
  const isNamesake = !former.isOwn && (former.name ?? former.player) === name;
  const box = element('input', { type: 'checkbox', id: 'takes-along' });
  const takes = count > 0 && element('label.check', {}, box, say('account.takeAlong', { count, name }));
  const isYes = await ask(say('account.continue', { name }),
    [stays && element('p', {}, stays), isNamesake && element('p', {}, say('account.namesake')), element('p', {}, say('account.sends', { name })), takes],
    [{ label: say('account.yes', { name }), value: true, kind: 'primary' }, { label: say('account.no') }]);
  return isYes ? { takesAlong: box.checked } : undefined;
}

/** Asks what happens to the data of an account that is signed out. Resolves to `keep` or `remove`; undefined for neither. */
export function askToSignOut({ name, entries, photos }) {
  const isSent = entries === 0 && photos === 0;
  return ask(say('account.signOutOf', { name }),
    [element('p', {}, isSent ? say('account.allSent') : say('account.unsent')),
      !isSent && element('ul.plain-list', {},
        entries > 0 && element('li', {}, say('journal.entries', { count: entries })),
        photos > 0 && element('li', {}, say('journal.photos', { count: photos })))],
    [{ label: say('account.keep'), value: 'keep', kind: 'primary' }, { label: say('account.remove'), value: 'remove' },
      { label: say('account.cancel') }]);
}

/** Asks whether another phone may use the account. */
export function askToAdd({ device, name }) {
  return ask(say('account.addDevice', { device }), [element('p', {}, say('account.addDeviceText', { name }))],
    [{ label: say('account.addYes'), value: true, kind: 'primary' }, { label: say('account.no') }]);
}
