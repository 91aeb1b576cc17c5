// The row of a story that shows whether it is on the device, and its download with size and progress.

import { element, setText } from './element.js';
import { icon } from './icon.js';
import { fileSize, languageName, say } from './words.js';
import { notify, speak } from './notices.js';

/** A row that shows whether a story is on the device, downloads it and removes it. `loaded` is called after a download. */
export function downloadRow(app, story, loaded = () => {}) {
  const row = element('div.download');
  let running;

  async function show() {
    try {
      const { StoryDownloads } = await import('../offline/story-downloads.js');
      const plan = await StoryDownloads.of(app).plan(story.id);
      if (plan.bytesMissing === 0 && plan.downloaded === plan.version) return showKept(plan);
      showOffer(plan);
    } catch {
      showLine('device', story.downloaded ? say('device.kept', { size: fileSize(story.downloaded.bytes) }) : say('device.unknown'));
    }
  }

  function showLine(symbol, text, ...rest) {
    row.replaceChildren(element('span.state', {}, icon(symbol), element('span', {}, text)), ...rest);
  }

  function showKept(plan) {
    showLine('check', say('device.kept', { size: fileSize(plan.bytes) }),
      element('button.small', { type: 'button', onclick: remove }, say('device.remove')));
  }

  function showOffer(plan) {
    const label = say(plan.isUpdate ? 'device.update' : 'device.download', { size: fileSize(plan.bytesMissing) });
    const state = plan.lacksLanguage ? say('device.language', { language: languageName(plan.language) }) : say(plan.isUpdate ? 'device.old' : 'device.none');
    showLine('device', state,
      element('button.small', { type: 'button', onclick: () => download(plan) }, icon('download'), label));
    if (plan.free !== undefined && plan.free < plan.bytesMissing) row.append(element('p.soft', {}, say('storage.full')));
  }

  async function download(plan) {
    running = new AbortController();
    const meter = element('progress', { max: plan.bytesMissing, value: 0, 'aria-label': say('device.loading', { name: story.name }) });
    const count = element('span', {}, say('device.progress', { done: fileSize(0), total: fileSize(plan.bytesMissing) }));
    const stop = element('button.small', { type: 'button', onclick: () => running.abort() }, say('device.stop'));
    row.replaceChildren(element('span.state', {}, icon('download'), count), stop, meter);
    stop.focus();
    try {
      await app.downloads.download(story.id, {
        signal: running.signal,
        onProgress({ bytes, total }) {
          meter.max = total;
          meter.value = bytes;
          setText(count, say('device.progress', { done: fileSize(bytes), total: fileSize(total) }));
        },
      });
      app.sessions?.forget(story.id);
      await app.installation?.persist?.();
      speak(say('device.done', { name: story.name }));
      app.offerInstallation?.();
    } catch (error) {
      if (error.name !== 'AbortError') {
        const text = say(error.name === 'StorageFull' ? 'storage.full' : 'device.again');
        notify({ key: 'storage', symbol: 'device', title: say('device.failed'), text });
      }
    }
    await show();
    row.querySelector('button')?.focus();
    loaded();
  }

  async function remove() {
    await app.downloads.remove(story.id);
    app.sessions?.forget(story.id);
    await show();
    row.querySelector('button')?.focus();
  }

  show();
  return row;
}
