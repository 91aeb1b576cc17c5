// The WebSockets of live streams: how they are opened, and the layout of their binary messages.

/** The key in the fragment of the address, which no request contains. */
export const tokenOfPage = () => location.hash.slice(1) || null;

/** The name of the stream in the address, as `?stream=walk`. */
export const nameOfPage = () => new URLSearchParams(location.search).get('stream') ?? 'view';

/** Opens a stream as its viewer, or as its sender for the protocol `wayreel-source`. */
export function openStream(name, token, protocol = 'wayreel-live') {
  const address = new URL(`v1/streams/${encodeURIComponent(name)}/${protocol === 'wayreel-live' ? 'live' : 'source'}`, document.baseURI);
  address.protocol = address.protocol.replace('http', 'ws');
  const socket = new WebSocket(address, token === null ? [protocol] : [protocol, `bearer.${token}`]);
  socket.binaryType = 'arraybuffer';
  return socket;
}

/** A batch of runs: `{ channel, count, start, interval, offsets, values }`; times in seconds, `offsets` null if they are even. */
export class Batch {
  constructor(buffer) {
    const view = new DataView(buffer);
    this.number = view.getUint32(4, true);
    this.arrival = view.getFloat64(8, true);
    this.sent = view.getFloat64(16, true);
    this.runs = [];
    let at = 24;
    for (let index = view.getUint16(2, true); index > 0; index--) {
      const [channel, flags, count] = [view.getUint16(at, true), view.getUint16(at + 2, true), view.getUint32(at + 4, true)];
      const [start, interval] = [view.getFloat64(at + 8, true), view.getFloat64(at + 16, true)];
      at += 24;
      const offsets = flags & 1 ? null : new Float32Array(buffer, at, count);
      if (offsets) at += 4 * count;
      this.runs.push({ channel, count, start, interval, offsets, values: new Float32Array(buffer, at, count) });
      at = (at + 4 * count + 7) & ~7;
    }
  }
}

/** The bytes of a batch of a sender: `runs` are `{ channel, times, values }`, times in seconds. */
export function encodedBatch(number, runs) {
  const bytes = runs.map(run => 24 + 8 * run.values.length);
  const buffer = new ArrayBuffer(24 + bytes.reduce((sum, count) => sum + count, 0));
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
    new Float32Array(buffer, at + 24, count).set(times.map(time => time - times[0]));
    new Float32Array(buffer, at + 24 + 4 * count, count).set(values);
    at += bytes[index];
  }
  return buffer;
}
