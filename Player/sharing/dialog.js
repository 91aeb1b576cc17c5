// A dialog of what is to be shared, which closes when another view is shown.

import { element } from '../components/element.js';
import { roundButton } from '../components/top-bar.js';
import { say } from '../components/words.js';

/** Opens a dialog. `closed` is called when it closes. */
export function openDialog(title, content, closed) {
  const close = () => dialog.close();
  const dialog = element('dialog.plate.question.sharing', {
    'aria-label': title,
    onclose() {
      removeEventListener('hashchange', close);
      dialog.remove();
      closed?.();
    },
  }, element('h2', {}, title), content, roundButton('cross', say('close'), close));
  addEventListener('hashchange', close);
  document.body.append(dialog);
  dialog.showModal();
}

/** Shares by the device's own dialog; resolves to whether it could. Who closes that dialog has shared nothing. */
export async function share(data) {
  try {
    await navigator.share(data);
    return true;
  } catch (error) {
    return error.name === 'AbortError';
  }
}
