// The link of a story or of a find, as an address, as a code for cameras, and to send. Nothing of it names what is to be found.

import { element, shape } from '../components/element.js';
import { icon } from '../components/icon.js';
import { say } from '../components/words.js';
import { openDialog, share } from './dialog.js';
import { qrCode } from './qr-code.js';

/** Returns the address of the page that leads others to a story, or to one of its events. In a folder of a static site, it is a folder. */
export function addressOf({ id, app: { library } }, event) {
  const path = ['s', id, event?.id].filter(Boolean).map(encodeURIComponent).join('/');
  return new URL(library.hasService ? path : `${path}/`, library.base).href;
}

/** Shows the link of a session's story, or of an event that was found. */
export function shareLink(session, event) {
  const address = addressOf(session, event);
  const { name } = session.story;
  const shown = element('p.address', { dir: 'ltr', translate: 'no' }, address);
  const status = element('p.soft', { role: 'status' });
  async function copy() {
    try {
      await navigator.clipboard.writeText(address);
      status.textContent = say('share.copied');
    } catch {
      getSelection().selectAllChildren(shown);
      status.textContent = say('share.failed');
    }
  }
  const send = async () => await share({ title: name, ...event && { text: say('share.findText', { name }) }, url: address }) || copy();
  const canSend = Boolean(navigator.share);
  const rows = qrCode(address);
  openDialog(say(event ? 'share.thisFind' : 'share.title'), [
    rows && [drawnCode(rows), element('p.soft', {}, say('share.hint'))], shown,
    element('div.choices', {},
      canSend && element('button.primary', { type: 'button', onclick: send }, icon('share'), say('share.send')),
      element(canSend ? 'button.secondary' : 'button.primary', { type: 'button', onclick: copy }, say('share.copy'))),
    status,
  ]);
}

/** Returns a code as an image: the dark modules of a row in a run are one shape. It is dark on light by day and by night. */
function drawnCode(rows) {
  const size = rows.length;
  const runs = rows.map((row, y) => [...row.map(Number).join('').matchAll(/1+/g)].map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`));
  return shape('svg', { class: 'qr', viewBox: `-4 -4 ${size + 8} ${size + 8}`, role: 'img', 'aria-label': say('share.code'), 'shape-rendering': 'crispEdges' },
    shape('path', { d: runs.flat().join('') }));
}
