// The list of the player's recordings, above the page: each is opened, downloaded and deleted.
import { element, setText } from './components/element.js';
import { icon } from './components/icon.js';
import { durationText } from './controls.js';
import { option } from './panels.js';
import { contentOf, listRecordings, RecordingFault, removeRecording } from './recordings.js';
import { recordingOfPage } from './stream-socket.js';

/** Formats of a download: the value of the request, the ending of the file, and words. */
const formats = [['ndjson', 'ndjson', 'NDJSON'], ['csv', 'csv', 'CSV'], ['edf', 'edf', 'EDF+'], ['dicom', 'dcm', 'DICOM']];
const sizes = [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'bytes']];

const dateText = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function bytesText(bytes) {
  const [unit, name] = sizes.find(([least]) => bytes >= least) ?? sizes.at(-1);
  return `${Number((bytes / unit).toPrecision(unit === 1 ? 4 : 2)).toLocaleString('en')} ${name}`;
}

const counted = (count, one) => `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
const nameOf = ({ title, origin }) => title || origin || 'Recording';

/** Opens the list, unless it is open. */
export function showRecordings() {
  if (!document.querySelector('dialog[open]')) new RecordingList();
}

class RecordingList {
  #next;

  constructor() {
    this.status = element('p', { role: 'status' }, 'Loading …');
    this.format = element('select', { id: 'download-format' }, formats.map(([value, , text]) => option(value, text)));
    this.choice = element('div.field.inline', { hidden: true }, element('label', { for: 'download-format' }, 'Download as'), this.format);
    this.list = element('ul.recordings', {});
    this.more = element('button.secondary', { type: 'button', hidden: true, onclick: () => this.#load() }, 'Older ones');
    this.node = element('dialog.plate.list', { 'aria-labelledby': 'recordings-title', onclose: () => this.node.remove() },
      element('h2', { id: 'recordings-title', tabindex: '-1' }, 'Recordings'), this.status, this.choice, this.list, this.more,
      recordingOfPage() && element('p', {}, element('a', { href: 'streams' }, 'To the live streams')),
      element('button.small.square.close', { type: 'button', 'aria-label': 'Close', onclick: () => this.node.close() }, icon('cross')));
    document.body.append(this.node);
    this.node.showModal();
    this.node.querySelector('h2').focus();
    this.#load();
  }

  async #load() {
    this.more.disabled = true;
    try {
      const { recordings, next } = await listRecordings(this.#next);
      const rows = recordings.map(recording => this.#row(recording));
      this.list.append(...rows);
      if (this.#next) rows[0]?.querySelector('a').focus();
      this.#next = next;
      this.#count();
    } catch (error) {
      this.#tell(error, this.status);
    }
    this.more.disabled = false;
    this.more.hidden = this.#next === undefined;
  }

  #count() {
    const count = this.list.children.length;
    this.choice.hidden = count === 0;
    setText(this.status, count > 0 ? `${counted(count, 'recording')}${this.#next ? ', and older ones' : ''}`
      : 'There is none yet. A sender that records makes one, as does a file that is sent to v1/recordings.');
  }

  /** Says what is wrong. */
  #tell(error, node) {
    if (!(error instanceof RecordingFault)) throw error;
    node.hidden = false;
    node.replaceChildren(error.status === 404 && node === this.status ? 'This server keeps no recordings.' : error.message,
      ...(error.needsAccount ? [' ', element('a', { href: './#/account' }, 'Sign in')] : []));
  }

  #row(recording) {
    const { id, began, seconds, channels, bytes, marks } = recording;
    const name = nameOf(recording);
    const isOpen = recordingOfPage() === id;
    const facts = [
      dateText.format(new Date(began)), recording.recording ? 'is being recorded' : durationText(seconds), counted(channels.length, 'channel'),
      bytesText(bytes), marks > 0 && counted(marks, 'mark'),
    ];
    const fault = element('p.fault', { role: 'alert', hidden: true });
    const download = element('button.small', { type: 'button', 'aria-label': `Download ${name}`, onclick: () => this.#download(recording, download, fault) },
      icon('download'), element('span', {}, 'Download'));
    const remove = element('button.small', { type: 'button', 'aria-label': `Delete ${name}`, onclick: () => ask() }, icon('bin'), element('span', {}, 'Delete'));
    const keep = element('button.small', { type: 'button', onclick: () => answered() }, 'Keep it');
    const sure = element('button.small.wrong', {
      type: 'button', 'aria-label': `Delete ${name} for good`, onclick: () => this.#remove(recording, row, sure, fault),
    }, 'Delete it');
    const buttons = element('div.group', {}, download, remove);
    const question = element('div.group', { role: 'group', 'aria-label': `Delete ${name}?`, hidden: true },
      element('span', {}, 'Delete it for good, with its marks?'), sure, keep);
    const ask = () => {
      [buttons.hidden, question.hidden] = [true, false];
      keep.focus();
    };
    const answered = () => {
      [buttons.hidden, question.hidden] = [false, true];
      remove.focus();
    };
    const row = element('li', {},
      element('a', { href: `streams?recording=${encodeURIComponent(id)}`, 'aria-current': isOpen ? 'page' : null }, name),
      element('p.hint', {}, facts.filter(Boolean).join(' · ')), buttons, question, fault);
    return row;
  }

  async #download({ id, title, origin }, button, fault) {
    const [format, ending] = formats.find(([value]) => value === this.format.value);
    fault.hidden = true;
    button.disabled = true;
    try {
      const address = URL.createObjectURL(await contentOf(id, format));
      const name = (title || origin || id).replace(/\.[a-z]{2,6}$/i, '').replace(/[^\p{L}\p{N} ._-]+/gu, '-').slice(0, 80);
      element('a', { href: address, download: `${name}.${ending}` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    } catch (error) {
      this.#tell(error, fault);
    }
    button.disabled = false;
    button.focus();
  }

  async #remove({ id }, row, button, fault) {
    fault.hidden = true;
    button.disabled = true;
    try {
      await removeRecording(id);
    } catch (error) {
      button.disabled = false;
      // One that is gone already is gone.
      if (error.status !== 404) return this.#tell(error, fault);
    }
    if (recordingOfPage() === id) return location.assign('streams');
    const neighbour = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    this.#count();
    (neighbour?.querySelector('a') ?? this.node.querySelector('h2')).focus();
  }
}
