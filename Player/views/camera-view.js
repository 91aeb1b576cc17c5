// A camera event: its clue, and the player's camera as a file input or a live preview. The treated capture is shown
// beside the photo.

import { authored, element, setText } from '../components/element.js';
import { icon } from '../components/icon.js';
import { picture } from '../components/picture.js';
import { ask, notify, speak } from '../components/notices.js';
import { dateAndTime, refusalText, say } from '../components/words.js';
import { CaptureAlbum } from '../journal/capture-album.js';
import { CaptureQueue } from '../journal/capture-queue.js';
import { CameraUnavailable, showCamera, still } from '../sensors/camera-stream.js';

export function show(content, event, session, app) {
  return new CameraView(content, event, session, app);
}

class CameraView {
  #addresses = [];
  #life = new AbortController();

  constructor(content, event, session, app) {
    Object.assign(this, { content, event, session, app });
    this.live = element('dialog.live', { 'aria-label': say('camera.live'), onclose: () => this.ended() });
    this.taken = element('div.captures');
    this.trouble = element('p.missing', { hidden: true });
    // Opens the phone's camera app, with all of its features and at full resolution.
    this.file = element('input.unseen', {
      type: 'file', accept: 'image/*', capture: 'environment', id: 'capture-file',
      onchange: () => this.file.files[0] && this.keep(this.file.files[0]),
    });
    this.node = element('div.camera', {},
      element('section.clue', {},
        element('p.label', {}, icon('camera'), say('camera.clue')),
        authored(content.clue, session.own(content, 'clue')),
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
    this.album = CaptureAlbum.of(this.app, this.queue);
    const { signal } = this.#life;
    this.queue.addEventListener('change', () => this.showTaken(), { signal });
    // Captures of other devices come with the journal.
    this.session.addEventListener('change', async () => {
      const captures = await this.album.list(this.session, this.event.id);
      if (captures.map(({ id }) => id).join() !== this.shown) await this.showTaken();
    }, { signal });
    await this.showTaken();
  }

  close() {
    this.stop?.();
    this.#life.abort();
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
    // A long task scrolls, also by keys.
    const clue = element('div.clue-line', { role: 'group', tabindex: 0, 'aria-label': say('camera.clue') },
      authored(this.content.clue, this.session.own(this.content, 'clue')));
    this.live.replaceChildren(video, clue, shutter,
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
    // Some camera apps and file managers hand over nothing.
    if (photo.size === 0) {
      this.file.value = '';
      return notify({ key: 'storage', symbol: 'camera', title: say('camera.failed'), text: say('refused.format') });
    }
    try {
      const { id: story, language, media } = this.session;
      const id = await this.queue.add(story, this.event.id, photo, language === media.languages[0] ? undefined : language);
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
    const captures = await this.album.list(this.session, this.event.id);
    this.shown = captures.map(({ id }) => id).join();
    this.#addresses.forEach(URL.revokeObjectURL);
    this.#addresses = [];
    this.taken.replaceChildren(...captures.map(capture => this.#capture(capture)));
  }

  #address(blob) {
    this.#addresses.push(URL.createObjectURL(blob));
    return this.#addresses.at(-1);
  }

  #capture(capture) {
    const { id, timestamp, cause = 'offline', reason, code } = capture;
    const state = capture.isOfOther ? 'elsewhere' : this.app.library.keepsPlayers ? capture.state : 'device';
    const words = state === 'waiting' ? `waiting.${cause}` : state;
    const mayRetry = state === 'full' || (state === 'waiting' && cause === 'trouble');
    const caption = element('figcaption', {}, element('time', { datetime: timestamp }, dateAndTime(Date.parse(timestamp))),
      element('span.state', { 'data-state': state }, icon({ sent: 'check', refused: 'cross', full: 'cross' }[state] ?? 'device'),
        say(`camera.state.${words}`, { reason: refusalText(code, reason) })),
      mayRetry && element('button.small', { type: 'button', onclick: () => this.queue.retry(id) }, say('trouble.again')));
    return element('div.capture', {}, this.#images(capture), caption, this.#actions(capture));
  }

  /** Returns the treated image beside the photo, or whichever of them can be shown. */
  #images(capture) {
    const { id, before, preview, after } = capture;
    const figure = element('figure.compare');
    const words = key => figure.replaceChildren(element('p.unseen', {}, icon('camera'), say(key)));
    const treated = after && element('img', { src: this.#address(after), alt: say('camera.after') });
    if (capture.state === 'elsewhere') {
      words('camera.loading');
      this.album.load(capture).then(isThere => isThere || words('camera.unloaded'), () => words('camera.unloaded'));
      return figure;
    }
    const photo = preview ?? before;
    if (!photo) {
      figure.append(treated);
      return figure;
    }
    const taken = element('img', { src: this.#address(photo), alt: say('camera.before') });
    // Few browsers show HEIC.
    taken.addEventListener('error', () => {
      if (treated) figure.replaceChildren(treated);
      else words('camera.unseen');
      treated?.classList.remove('after');
      if (!preview) this.album.preview(capture).catch(error => console.warn('There is no preview.', error));
    });
    figure.append(taken);
    if (!treated) return figure;
    treated.classList.add('after');
    const slider = element('input', {
      type: 'range', min: 0, max: 100, value: 50, 'aria-label': say('camera.compare'), id: `compare-${id}`,
      oninput: () => figure.style.setProperty('--share', slider.value / 100),
    });
    figure.append(treated, element('span.divider'), element('span.side.start', {}, say('camera.beforeShort')),
      element('span.side.end', {}, say('camera.afterShort')), slider);
    return figure;
  }

  /** Returns the buttons that save, share and delete a capture. */
  #actions(capture) {
    const image = capture.after ?? capture.before;
    const remove = element('button.small', {
      type: 'button', onclick: () => ask({
        key: 'remove', symbol: 'bin', title: say('camera.removeTitle'), text: say('camera.removeText'), from: remove,
        action: { label: say('camera.remove'), onclick: () => this.remove(capture) },
      }),
    }, icon('bin'), say('camera.remove'));
    if (!image) return element('div.actions', {}, remove);
    const ending = { 'image/jpeg': 'jpg', 'image/svg+xml': 'svg' }[image.type] ?? image.type.split('/')[1] ?? 'jpg';
    const name = `${this.session.story.name} - ${this.event.name}`.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ');
    const file = new File([image], `${name}.${ending}`, { type: image.type });
    return element('div.actions', {},
      element('a.small', { href: this.#address(image), download: file.name }, icon('download'), say('camera.save')),
      navigator.canShare?.({ files: [file] }) && element('button.small', {
        type: 'button',
        // Who closes the system's sheet has shared nothing.
        onclick: () => navigator.share({ files: [file], title: name }).catch(() => {}),
      }, icon('share'), say('camera.share')),
      remove);
  }

  async remove(capture) {
    await this.album.remove(capture);
    speak(say('camera.removed'));
    this.file.focus();
  }

  fail(text) {
    this.trouble.hidden = false;
    setText(this.trouble, text);
    speak(text);
  }
}
