// A camera event: its clue, and the player's camera as a file input or a live preview. The treated capture is shown
// beside the photo.

import { authored, element, setText } from '../components/element.js';
import { icon } from '../components/icon.js';
import { picture } from '../components/picture.js';
import { notify, speak } from '../components/notices.js';
import { dateAndTime, say } from '../components/words.js';
import { CaptureQueue } from '../journal/capture-queue.js';
import { CameraUnavailable, showCamera, still } from '../sensors/camera-stream.js';

export function show(content, event, session, app) {
  return new CameraView(content, event, session, app);
}

class CameraView {
  #addresses = [];

  constructor(content, event, session, app) {
    Object.assign(this, { content, event, session, app });
    this.live = element('dialog.live', { 'aria-label': say('camera.live'), onclose: () => this.ended() });
    this.taken = element('div.captures');
    this.trouble = element('p.missing', { hidden: true });
    // Opens the phone's camera app, with all of its features and at full resolution.
    this.file = element('input.spoken', {
      type: 'file', accept: 'image/*', capture: 'environment', id: 'capture-file',
      onchange: () => this.file.files[0] && this.keep(this.file.files[0]),
    });
    this.node = element('div.camera', {},
      element('section.clue', {},
        element('p.label', {}, icon('camera'), say('camera.clue')),
        authored(content.clue, session),
        content.sample && this.#sample()),
      this.live,
      element('div.choices', {},
        element('label.primary', { for: 'capture-file' }, icon('camera'), say('camera.take')), this.file,
        element('button.secondary', { type: 'button', onclick: () => this.preview() }, icon('eye'), say('camera.live'))),
      this.trouble, this.taken);
  }

  /** Returns the event's sample with its treatment, or without it if the bundle lacks the treated one. */
  #sample() {
    const { media } = this.session;
    const after = picture(media, this.content.sample, { role: 'preview', event: this.event.id }) ?? picture(media, this.content.sample);
    if (!after) return null;
    return element('details.sample', {}, element('summary', {}, say('camera.sample')), element('figure', {}, after));
  }

  async opened() {
    this.queue = await CaptureQueue.of(this.app);
    this.changed = () => this.showTaken();
    this.queue.addEventListener('change', this.changed);
    await this.showTaken();
  }

  close() {
    this.stop?.();
    this.queue?.removeEventListener('change', this.changed);
    this.#addresses.forEach(URL.revokeObjectURL);
  }

  // Live preview

  async preview() {
    const video = element('video', { playsinline: true, muted: true, autoplay: true, 'aria-label': say('camera.live') });
    video.muted = true;
    let stop;
    try {
      stop = await showCamera(video);
    } catch (error) {
      if (!(error instanceof CameraUnavailable)) throw error;
      return this.fail(say(`camera.${error.reason}`));
    }
    // The player may have left while the browser asked.
    if (!this.node.isConnected) return stop();
    this.stop = stop;
    this.trouble.hidden = true;
    const shutter = element('button.shutter', { type: 'button', 'aria-label': say('camera.shutter'), onclick: () => this.release(video) });
    this.live.replaceChildren(video, element('p.clue-line', { lang: this.session.language, dir: 'auto' }, this.content.clue), shutter,
      element('button.round', { type: 'button', 'aria-label': say('close'), onclick: () => this.live.close() }, icon('cross')));
    // A modal dialog keeps the focus; Escape closes it.
    this.live.showModal();
    shutter.focus();
  }

  async release(video) {
    const photo = await still(video);
    this.live.close();
    await this.keep(photo);
  }

  ended() {
    this.stop?.();
    this.stop = undefined;
    this.live.replaceChildren();
  }

  // Captures

  async keep(photo) {
    this.trouble.hidden = true;
    try {
      const id = await this.queue.add(this.session.id, this.event.id, photo);
      this.session.takeNow('capture', { event: this.event.id, id });
      speak(say('camera.kept'));
      await this.showTaken();
      this.taken.scrollIntoView({ block: 'nearest' });
      await this.queue.send();
    } catch (error) {
      const isFull = error.name === 'StorageFull';
      notify({ key: 'storage', symbol: 'device', title: say('camera.failed'), text: say(isFull ? 'storage.full' : 'storage.trouble') });
    }
    this.file.value = '';
  }

  async showTaken() {
    const captures = (await this.queue.list(this.session.id)).filter(capture => capture.event === this.event.id);
    this.#addresses.forEach(URL.revokeObjectURL);
    this.#addresses = [];
    const address = blob => {
      this.#addresses.push(URL.createObjectURL(blob));
      return this.#addresses.at(-1);
    };
    this.taken.replaceChildren(...captures.reverse().map(capture => this.#capture(capture, address)));
  }

  #capture({ id, timestamp, state: queued, cause = 'offline', reason, before, after }, address) {
    const state = this.app.library.keepsPlayers ? queued : 'device';
    const words = state === 'waiting' ? `waiting.${cause}` : state;
    const images = [element('img', { src: address(before), alt: say('camera.before') })];
    const figure = element('figure.compare', {}, images);
    const caption = element('figcaption', {}, element('time', { datetime: timestamp }, dateAndTime(Date.parse(timestamp))),
      element('span.state', { 'data-state': state }, icon({ sent: 'check', refused: 'cross', full: 'cross' }[state] ?? 'device'),
        say(`camera.state.${words}`, { reason: reason ?? '' })),
      (state === 'full' || (state === 'waiting' && cause === 'trouble')) && element('button.small', { type: 'button', onclick: () => this.queue.retry(id) }, say('trouble.again')));
    if (after) {
      images.push(element('img.after', { src: address(after), alt: say('camera.after') }));
      const slider = element('input', {
        type: 'range', min: 0, max: 100, value: 50, 'aria-label': say('camera.compare'), id: `compare-${id}`,
        oninput: () => figure.style.setProperty('--share', slider.value / 100),
      });
      figure.replaceChildren(...images, element('span.divider'), element('span.side.start', {}, say('camera.beforeShort')),
        element('span.side.end', {}, say('camera.afterShort')), slider);
    }
    return element('div.capture', {}, figure, caption);
  }

  fail(text) {
    this.trouble.hidden = false;
    setText(this.trouble, text);
    speak(text);
  }
}
