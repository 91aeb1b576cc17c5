// A WebSocket of live levels: PCM of a file, or a tone, is sent as fast as it would sound; messages are shown as they arrive.
import { element } from './components/element.js';
import { fields } from './field.js';
import { address, request } from './request.js';

const seconds = 2, pieces = 20, maxShown = 200;

/** Two seconds of 1 kHz at −12 dBFS. */
function tone({ rate, channels, isFloat }) {
  const samples = isFloat ? new Float32Array(rate * seconds * channels) : new Int16Array(rate * seconds * channels);
  for (let index = 0; index < samples.length; index++) {
    const value = 0.251 * Math.sin(2 * Math.PI * 1000 * Math.floor(index / channels) / rate);
    samples[index] = isFloat ? value : Math.round(value * 32767);
  }
  return samples.buffer;
}

export function liveSocketView(operation) {
  const { node, fields: all } = fields(operation.parameters, () => {});
  const file = element('input', { type: 'file', id: 'live-file', 'aria-describedby': 'live-file-hint' });
  const status = element('p.status', { role: 'status' });
  const list = element('ol.events', { 'aria-label': 'Messages', tabindex: '0', hidden: true });
  const connect = element('button.primary', { type: 'submit' }, 'Connect and send');
  const stop = element('button.secondary', { type: 'button', hidden: true, onclick: () => socket?.close() }, 'Stop');
  let socket = null;
  const value = (name, other) => all.find(item => item.parameter.name === name)?.values()[0] ?? other;

  async function send(event) {
    event.preventDefault();
    const form = { rate: Number(value('sample-rate', 48000)), channels: Number(value('channels', 2)), isFloat: value('format') === 'f32le' };
    const data = file.files.length > 0 ? await file.files[0].arrayBuffer() : tone(form);
    const { path } = request(operation, all);
    list.replaceChildren();
    list.hidden = false;
    status.textContent = 'Connecting …';
    [connect.disabled, stop.hidden] = [true, false];
    socket = new WebSocket(address(path).replace(/^http/, 'ws'));
    let received = 0, isOpen = false;
    socket.onopen = async () => {
      isOpen = true;
      const size = Math.min(Math.ceil(data.byteLength / (seconds * pieces)), 256 * 1024);
      for (let at = 0; at < data.byteLength && socket.readyState === WebSocket.OPEN; at += size) {
        socket.send(data.slice(at, at + size));
        await new Promise(resolve => setTimeout(resolve, 1000 / pieces));
      }
      if (socket.readyState === WebSocket.OPEN) socket.send('end');
    };
    socket.onmessage = message => {
      status.textContent = `${++received} messages`;
      list.append(element('li', {}, element('code', {}, message.data)));
      if (list.childElementCount > maxShown) list.firstChild.remove();
    };
    socket.onclose = close => {
      status.textContent = isOpen ? `Closed with ${close.code} after ${received} messages` : 'Refused: an option is wrong, or there is no room';
      [connect.disabled, stop.hidden] = [false, true];
    };
  }

  return element('div.body', {}, element('p', {}, operation.description),
    element('form', { onsubmit: send, novalidate: true },
      element('div.field', { 'data-wide': '' }, element('label', { for: 'live-file' }, 'Samples', element('span.type', {}, 'file')), file,
        element('p.hint', { id: 'live-file-hint' }, 'Raw PCM as the options say. Without a file, two seconds of a tone at −12 dBFS are sent.')),
      node, element('div.buttons', {}, connect, stop)),
    status, list);
}

/** A WebSocket of sensors, which has a page of its own. */
export function streamSocketView(operation) {
  const [page, does] = operation.path.endsWith('/source') ? ['sensors', 'sends the sensors of this device'] : ['streams', 'shows streams and recordings'];
  return element('div.body', {}, element('p', {}, operation.description),
    element('p', {}, element('a', { href: address(`/${page}`) }, `/${page}`), ` ${does}.`));
}
