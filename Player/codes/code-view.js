// The code of an event: of the page's address, as a scanned link leads here, of the camera, or typed.

import { element } from '../components/element.js';
import { icon } from '../components/icon.js';
import { wordsOf } from '../components/obstacle.js';
import { link } from '../components/router.js';
import { topBar } from '../components/top-bar.js';
import { say } from '../components/words.js';
import { CameraUnavailable, showCamera } from '../sensors/camera-stream.js';
import { codeLink, hashOf, isCode, meantBy } from './event-code.js';
import { noteTry, timeToWait } from './code-tries.js';

/** Milliseconds between two looks at the camera's image. */
const interval = 200;

export async function show({ story: id, code }, app, signal) {
  const session = await app.session(id);
  const view = new CodeView(session, signal);
  view.canScan = await canScan();
  return { title: say('code.title'), body: view.body(code), opened: () => code && view.enter(code), close: () => view.close() };
}

/** Whether the browser reads QR codes. */
async function canScan() {
  try {
    return (await BarcodeDetector.getSupportedFormats()).includes('qr_code');
  } catch {
    return false;
  }
}

class CodeView {
  constructor(session, signal) {
    Object.assign(this, { session, signal });
  }

  body(code = '') {
    this.status = element('p', { role: 'status', id: 'code-status' });
    this.field = element('input', {
      type: 'text', id: 'code', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', enterkeyhint: 'go', required: true,
      maxlength: 16, dir: 'ltr', translate: 'no', value: code.slice(0, 16), 'aria-describedby': 'code-status',
    });
    this.button = element('button.primary', { type: 'submit' }, say('code.enter'));
    const onsubmit = event => {
      event.preventDefault();
      this.enter(this.field.value);
    };
    this.video = element('video', { playsinline: true, muted: true, hidden: true, 'aria-label': say('code.scan') });
    this.video.muted = true;
    const scan = this.canScan && element('button.secondary', { type: 'button', onclick: () => this.scan() }, icon('camera'), say('code.scan'));
    return element('div.page', {}, topBar({ title: say('code.title'), back: link(this.session.id) }),
      element('section.lockbox.event-code', {},
        element('form', { onsubmit }, element('label', { for: 'code' }, say('code.label')),
          element('div.answer', {}, this.field, this.button), this.status),
        scan, this.video));
  }

  tell(...parts) { this.status.replaceChildren(...parts); }

  /** Finds the event of a code, and shows it. */
  async enter(text) {
    const { id, story, playback } = this.session;
    const code = meantBy(text);
    if (!story.codeHashing) return this.tell(say('code.none'));
    if (!isCode(code)) return this.tell(say('code.form'));
    if (this.#isBusy || this.#waits()) return undefined;
    this.#isBusy = true;
    this.tell(say('code.checking'));
    let hash;
    try {
      hash = await hashOf(code, story.codeHashing);
    } catch (error) {
      console.error(error);
      return this.tell(say('code.browser'));
    } finally {
      this.#isBusy = false;
    }
    if (this.signal.aborted) return undefined;
    const event = playback.eventOfCode(hash);
    noteTry(id, Boolean(event));
    if (!event) {
      this.tell(say('code.wrong'));
      this.field.select();
      return this.#waits();
    }
    this.session.takeNow('code', { text: hash });
    if (this.session.isFound(event.id)) return location.replace(link(id, 'event', event.id));
    return this.tell(say('code.later'), ' ', ...wordsOf(this.session.obstacle(event)));
  }

  #isBusy = false;

  /** Whether the player has to wait after wrong codes. The button is there again when the time is over. */
  #waits() {
    const wait = timeToWait(this.session.id);
    if (!wait) return false;
    this.button.disabled = true;
    this.status.append(' ', say('code.wait', { count: Math.ceil(wait / 1000) }));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.button.disabled = false;
      this.tell();
    }, wait);
    return true;
  }

  // Scanning

  async scan() {
    if (this.stop) return;
    try {
      this.stop = await showCamera(this.video);
    } catch (error) {
      if (!(error instanceof CameraUnavailable)) throw error;
      this.tell(say(`code.camera.${error.reason}`));
      return;
    }
    if (this.signal.aborted) {
      this.close();
      return;
    }
    this.video.hidden = false;
    const detector = new BarcodeDetector({ formats: ['qr_code'] });
    while (this.stop) {
      const [seen] = await detector.detect(this.video).catch(() => []);
      if (seen && this.stop) {
        this.close();
        await this.read(seen.rawValue);
        return;
      }
      await new Promise(resolve => setTimeout(resolve, interval));
    }
  }

  /** Enters the code of a scanned link, or says whose it is. */
  read(text) {
    const { id, app } = this.session;
    const found = codeLink(text);
    if (!found) return this.tell(say('code.noCode'));
    const page = new URL(found.page);
    if (page.host !== location.host || !page.pathname.startsWith(app.library.base.pathname)) {
      return this.tell(say('code.foreign', { host: page.host }));
    }
    if (found.story !== id) {
      return this.tell(say('code.other'), ' ', element('a', { href: link(found.story, 'code', found.code) }, say('code.otherOpen')));
    }
    this.field.value = found.code;
    return this.enter(found.code);
  }

  close() {
    this.stop?.();
    this.stop = undefined;
    this.video.hidden = true;
    if (this.signal.aborted) clearTimeout(this.timer);
  }
}
