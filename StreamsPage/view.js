// Shows the newest value of each channel of a live stream.
import { element, setText } from './components/element.js';
import { Batch, openStream, tokenOfPage, nameOfPage } from './stream-socket.js';

const status = document.getElementById('status');
const rows = [];
const missed = { samples: 0 };
let waiting = null;

function show(head) {
  setText(document.getElementById('title'), head.title ?? 'Live streams');
  const table = document.getElementById('channels');
  for (const channel of head.channels.slice(rows.length)) {
    const value = element('td');
    rows.push(value);
    table.append(element('tr', {}, element('th', { scope: 'row' }, channel.name), value, element('td', {}, channel.unit ?? '')));
  }
}

function draw(socket) {
  const newest = new Map(waiting.flatMap(batch => batch.runs.map(run => [run.channel, run.values[run.count - 1]])));
  for (const [channel, value] of newest) if (rows[channel]) setText(rows[channel], Number.isNaN(value) ? '–' : value.toPrecision(6));
  socket.send(JSON.stringify({ type: 'ack', batch: waiting.at(-1).number }));
  waiting = null;
}

const socket = openStream(nameOfPage(), tokenOfPage());
socket.onmessage = ({ data }) => {
  if (data instanceof ArrayBuffer) {
    if (waiting === null) requestAnimationFrame(() => draw(socket));
    waiting = [...waiting ?? [], new Batch(data)];
    return;
  }
  const message = JSON.parse(data);
  switch (message.type) {
    case 'head': show(message); setText(status, message.live ? 'Live' : 'A recording'); break;
    case 'silent': setText(status, `No sample for ${message.seconds} s`); break;
    case 'missed': missed.samples += message.samples; setText(status, `${missed.samples} samples were missed`); break;
    case 'end': setText(status, 'The stream has ended'); break;
    case 'error': setText(status, message.message); break;
  }
};
socket.onclose = () => setText(status, 'The connection has ended');
