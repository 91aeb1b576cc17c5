// The WebSockets of live streams: how they are opened, and the layout of their binary messages.
import { account } from './journal/account.js';

/** The key in the fragment of the address, which no request contains; or the token of who is signed in on the player's page. */
export const tokenOfPage = () => location.hash.slice(1) || account().token || null;

// An address with another key is another page.
addEventListener('hashchange', () => location.reload());

/** The name of the stream in the address, as `?stream=walk`. */
export const nameOfPage = (other = 'view') => new URLSearchParams(location.search).get('stream') || other;

/** The id of the kept recording in the address, as `?recording=4465757e`; null for a page of a live stream. */
export const recordingOfPage = () => new URLSearchParams(location.search).get('recording');

/** Where a live stream is, and a kept recording, below `v1/`. */
export const placeOfStream = name => `streams/${encodeURIComponent(name)}`;
export const placeOfRecording = id => `recordings/${encodeURIComponent(id)}`;

/** The address of what is at a place: `live` to view it, `source` to send it. */
const addressOf = (place, end) => new URL(`v1/${place}/${end}`, document.baseURI);

/** Opens what is at a place as its viewer, or a stream as its sender for the protocol `wayreel-source`. */
export function openStream(place, token, protocol = 'wayreel-live') {
  const address = addressOf(place, protocol === 'wayreel-live' ? 'live' : 'source');
  address.protocol = address.protocol.replace('http', 'ws');
  const socket = new WebSocket(address, token === null ? [protocol] : [protocol, `bearer.${token}`]);
  socket.binaryType = 'arraybuffer';
  return socket;
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** `count` floats of a buffer, without a copy where the device has their byte order. */
function floats(buffer, at, count) {
  if (isLittleEndian) return new Float32Array(buffer, at, count);
  const view = new DataView(buffer, at, 4 * count);
  return Float32Array.from({ length: count }, (_, i) => view.getFloat32(4 * i, true));
}

/**
 * A batch of runs: `{ channel, count, start, interval, offsets, values }`; times in seconds, `offsets` null if they are even. Throws
 * a RangeError for a message that is cut off or of another kind.
 */
export class Batch {
  constructor(buffer) {
    const view = new DataView(buffer);
    if (view.getUint8(0) !== 1) throw new RangeError('a message of an unknown kind');
    this.number = view.getUint32(4, true);
    /** When its newest sample arrived, and when it was sent, in ms since 1970 of the server's clock. */
    this.arrival = view.getFloat64(8, true);
    this.sent = view.getFloat64(16, true);
    this.runs = [];
    let at = 24;
    for (let index = view.getUint16(2, true); index > 0; index--) {
      const [channel, flags, count] = [view.getUint16(at, true), view.getUint16(at + 2, true), view.getUint32(at + 4, true)];
      const [start, interval] = [view.getFloat64(at + 8, true), view.getFloat64(at + 16, true)];
      at += 24;
      const offsets = flags & 1 ? null : floats(buffer, at, count);
      if (offsets) at += 4 * count;
      this.runs.push({ channel, count, start, interval, offsets, values: floats(buffer, at, count) });
      at = (at + 4 * count + 7) & ~7;
    }
  }
}

/** The bytes of a batch of a sender: `runs` are `{ channel, times, values }`, times in seconds. */
export function encodedBatch(number, runs) {
  const sizes = runs.map(run => 24 + 8 * run.values.length);
  const buffer = new ArrayBuffer(24 + sizes.reduce((sum, size) => sum + size, 0));
  const view = new DataView(buffer);
  view.setUint8(0, 1);
  view.setUint16(2, runs.length, true);
  view.setUint32(4, number, true);
  view.setFloat64(16, performance.timeOrigin + performance.now(), true);
  let at = 24;
  for (const [index, { channel, times, values }] of runs.entries()) {
    const count = values.length;
    view.setUint16(at, channel, true);
    view.setUint32(at + 4, count, true);
    view.setFloat64(at + 8, times[0], true);
    for (let i = 0; i < count; i++) {
      view.setFloat32(at + 24 + 4 * i, times[i] - times[0], true);
      view.setFloat32(at + 24 + 4 * (count + i), values[i], true);
    }
    at += sizes[index];
  }
  return buffer;
}

/** Why a service refuses a stream, `{ text, seconds, isAccount, isMissing }`, as a WebSocket itself does not say; undefined if it does not. */
export async function refusalOf(place, token, end) {
  try {
    const answer = await fetch(addressOf(place, end), { headers: token ? { Authorization: `Bearer ${token}` } : {} });
    if (![401, 403, 404, 429, 503].includes(answer.status)) return undefined;
    const { title, detail } = await answer.json().catch(() => ({}));
    return {
      text: [title, detail].filter(text => typeof text === 'string').join(': ') || `The service answers with ${answer.status}.`,
      seconds: Number(answer.headers.get('Retry-After')) || undefined, isAccount: answer.status === 401 || answer.status === 403,
      isMissing: answer.status === 404,
    };
  } catch {
    return undefined;
  }
}
