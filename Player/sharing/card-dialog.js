// The card of a journey: the player sees it, chooses one of the own photos for it, and shares it or saves it. Nothing is sent to the service.

import { element } from '../components/element.js';
import { icon } from '../components/icon.js';
import { dateAndTime, say } from '../components/words.js';
import { CaptureAlbum } from '../journal/capture-album.js';
import { CaptureQueue } from '../journal/capture-queue.js';
import { drawCard, height, loadFace, width } from './card.js';
import { openDialog, share } from './dialog.js';
import { addressOf } from './share-link.js';

/** The most photos to choose from, the latest ones. */
const most = 24;
/** Pixels of their small pictures. */
const thumb = 160;

/** The symbols of the figures that the card has: finds, score, time and distance. */
const shown = ['diamond', 'quiz', 'clock', 'walk'];

/** Opens the dialog. `rows` are the figures of the journey, `[symbol, label, value]`. */
export async function openCard(session, rows) {
  const { story, events } = session;
  const address = addressOf(session);
  const figures = rows.filter(([symbol]) => shown.includes(symbol)).map(([symbol, label, value]) => ({ symbol, label, value }));
  const card = {
    name: story.name, language: session.language, house: story.face?.name, figures, address,
    marks: [...events.keys()].map(id => session.isFound(id)).sort((a, b) => b - a), isDone: session.playback.state.isDone,
  };
  const words = [card.house, ...figures.map(figure => say('card.figure', figure))].filter(Boolean).join(' · ');
  const alt = say('card.alt', { name: story.name, figures: words });

  const life = new AbortController();
  const canvas = element('canvas.card-picture', { width, height, role: 'img', 'aria-label': alt });
  const save = element('a.secondary', { download: '' }, icon('download'), say('card.save'));
  const send = element('button.primary', { type: 'button', hidden: true }, icon('share'), say('card.share'));
  const choice = element('fieldset.photos', { hidden: true }, element('legend', {}, say('card.photo')));
  const title = story.name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ');
  let count = 0;

  /** Draws the card with a photo, and makes its file. The last choice counts. */
  async function draw(photo) {
    const turn = ++count;
    const image = photo && await pictureOf(photo).catch(() => undefined);
    if (turn !== count) return image?.close();
    drawCard(canvas, card, image);
    image?.close();
    canvas.dataset.photo = photo?.id ?? '';
    const blob = await new Promise(resolve => canvas.toBlob(resolve, 'image/png'));
    if (turn !== count || life.signal.aborted) return undefined;
    const file = new File([blob], `${title}.png`, { type: 'image/png' });
    URL.revokeObjectURL(save.href);
    Object.assign(save, { href: URL.createObjectURL(file), download: file.name });
    send.hidden = !navigator.canShare?.({ files: [file] });
    send.onclick = () => share({ files: [file], title: story.name, text: `${alt}\n${address}` });
    return undefined;
  }

  openDialog(say('card.title'), [canvas, choice, element('p.soft', {}, say('card.text')), element('div.choices', {}, send, save)], () => {
    life.abort();
    URL.revokeObjectURL(save.href);
  });
  await loadFace(story.name);
  await draw();
  await offerPhotos(choice, session, life.signal, draw);
}

/** Offers the photos of this device, the last one first, and then those that other devices took and that can be loaded. */
async function offerPhotos(choice, session, signal, draw) {
  const queue = await CaptureQueue.of(session.app);
  const album = CaptureAlbum.of(session.app, queue);
  const events = new Set([...session.contents.captures.values()].map(({ event }) => event));
  const photos = (await Promise.all([...events].map(event => album.list(session, event)))).flat();
  const isElsewhere = ({ state }) => state === 'elsewhere';
  photos.sort((a, b) => isElsewhere(a) - isElsewhere(b) || (a.timestamp < b.timestamp ? 1 : -1));
  for (let photo of photos.slice(0, most)) {
    if (isElsewhere(photo)) photo = await album.load(photo).catch(() => false) && await queue.get(photo.id);
    const image = photo && await pictureOf(photo, thumb).catch(() => undefined);
    if (signal.aborted) return;
    if (image) add(photo, image);
  }

  /** The first one that can be shown is the card's until another one is chosen. */
  function add(photo, image) {
    const canvas = element('canvas', { width: thumb, height: thumb });
    const side = Math.min(image.width, image.height);
    canvas.getContext('2d').drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, thumb, thumb);
    image.close();
    if (choice.hidden) {
      option(undefined, say('card.noPhoto'), element('span', {}, icon('cross')));
      draw(photo);
    }
    option(photo, [session.events.get(photo.event)?.name, dateAndTime(Date.parse(photo.timestamp))].filter(Boolean).join(', '), canvas, choice.hidden);
    choice.hidden = false;
  }

  function option(photo, label, shown, checked) {
    const input = element('input', { type: 'radio', name: 'photo', 'aria-label': label, checked, onchange: () => draw(photo) });
    choice.append(element('label', {}, input, shown));
  }
}

/** Decodes a photo as the story treated it, else as it was taken; at most `side` pixels wide if that is given. Rejects if the browser cannot. */
async function pictureOf({ after, preview, before }, side) {
  let trouble;
  for (const blob of [after, preview, before].filter(Boolean)) {
    try {
      return await createImageBitmap(blob, side && { resizeWidth: side, resizeQuality: 'medium' });
    } catch (error) {
      trouble = error;
    }
  }
  throw trouble;
}
