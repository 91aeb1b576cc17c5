/**
 * Reads Mapbox Vector Tiles 2.1 (https://github.com/mapbox/vector-tile-spec), which are protocol buffers. Whatever is damaged is left
 * out: nothing here throws, and work and memory are bounded by the tile's bytes.
 */

/** The most bytes of an unpacked tile; what comes after them is not read. */
export const mostBytes = 8_000_000;

/** Returns the bytes of a tile, unpacked if its host has sent it as it is stored, in gzip. */
export async function unpacked(buffer) {
  const bytes = new Uint8Array(buffer);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.subarray(0, mostBytes);
  const parts = [];
  let length = 0;
  try {
    const reader = new Response(bytes).body.pipeThrough(new DecompressionStream('gzip')).getReader();
    while (length < mostBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value.subarray(0, mostBytes - length));
      length += parts.at(-1).length;
    }
    if (length === mostBytes) reader.cancel().catch(() => {});
  } catch {
    // What came before the damage may be whole features.
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Thrown where bytes end too early, or cannot be what they should be. */
class Damage extends Error {}

const [varintType, fixed64, delimited, fixed32] = [0, 1, 2, 5];

/** Reads a message, or a part of one. */
class Reader {
  constructor(bytes, at, end) {
    Object.assign(this, { bytes, at, end });
  }

  get isOver() { return this.at >= this.end; }

  /** An unsigned number of up to 64 bits, exact up to 2^53. */
  varint() {
    let [value, factor] = [0, 1];
    for (let count = 0; count < 10; count++) {
      if (this.at >= this.end) throw new Damage();
      const byte = this.bytes[this.at++];
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    throw new Damage();
  }

  /** A number of 64 bits in two's complement. */
  signed() {
    let [low, high] = [0, 0];
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= this.end) throw new Damage();
      const byte = this.bytes[this.at++];
      if (shift < 32) low |= (byte & 0x7f) << shift;
      if (shift === 28) high |= (byte & 0x7f) >> 4;
      else if (shift > 28) high |= (byte & 0x7f) << shift - 32;
      if (byte < 0x80) return high * 2 ** 32 + (low >>> 0);
    }
    throw new Damage();
  }

  /** The number of a field and how it is written. */
  tag() {
    const tag = this.varint();
    return [Math.floor(tag / 8), tag & 7];
  }

  /** What is written with its length. */
  part() {
    const length = this.varint();
    if (length > this.end - this.at) throw new Damage();
    const part = new Reader(this.bytes, this.at, this.at + length);
    this.at += length;
    return part;
  }

  skip(type) {
    if (type === varintType) this.varint();
    else if (type === delimited) this.part();
    else if (type === fixed64 || type === fixed32) this.fixed(type === fixed64 ? 8 : 4);
    else throw new Damage();
  }

  /** A view of a number of fixed length. */
  fixed(length) {
    if (length > this.end - this.at) throw new Damage();
    this.at += length;
    return new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at - length, length);
  }

  text() { return decoder.decode(this.bytes.subarray(this.at, this.end)); }
}

const decoder = new TextDecoder();

/** Geometry types of features. */
export const point = 1;
export const line = 2;
export const polygon = 3;

/** Something in a layer of a tile. */
export class Feature {
  /** `point`, `line` or `polygon`, or another number, which nothing is drawn for. */
  type = 0;
  #layer;
  #tags;
  #geometry;

  constructor(layer, reader) {
    this.#layer = layer;
    while (!reader.isOver) {
      const [field, type] = reader.tag();
      if (field === 2 && type === delimited) this.#tags = reader.part();
      else if (field === 3 && type === varintType) this.type = reader.varint();
      else if (field === 4 && type === delimited) this.#geometry = reader.part();
      else reader.skip(type);
    }
  }

  /** The value of an attribute: a text, number or truth value; undefined without it. */
  get(name) {
    const wanted = this.#layer.keys.get(name);
    if (wanted === undefined || !this.#tags) return undefined;
    const tags = new Reader(this.#tags.bytes, this.#tags.at, this.#tags.end);
    try {
      while (!tags.isOver) {
        const [key, value] = [tags.varint(), tags.varint()];
        if (key === wanted) return this.#layer.values[value];
      }
    } catch {
      // The attributes end within one.
    }
    return undefined;
  }

  /**
   * The geometry in the layer's units: `{points, ends}`, x and y in turn, and for each line, ring or place the index behind its last
   * number. Rings do not repeat their first point. A damaged geometry is as long as it can be read.
   */
  get geometry() {
    const { bytes, at, end } = this.#geometry ?? { at: 0, end: 0 };
    // A point takes two bytes and more.
    const points = new Int32Array((end - at) & ~1);
    const ends = [];
    const reader = new Reader(bytes, at, end);
    let [count, x, y] = [0, 0, 0];
    const close = () => { if (count > (ends.at(-1) ?? 0)) ends.push(count); };
    try {
      while (!reader.isOver) {
        const command = reader.varint();
        const [kind, times] = [command & 7, Math.floor(command / 8)];
        if (kind === closePath) continue;
        if (kind !== moveTo && kind !== lineTo) break;
        for (let time = 0; time < times; time++) {
          const [dx, dy] = [zigzag(reader.varint()), zigzag(reader.varint())];
          if (kind === moveTo) close();
          x = x + dx | 0;
          y = y + dy | 0;
          points[count++] = x;
          points[count++] = y;
        }
      }
    } catch {
      // The geometry ends within a command.
    }
    close();
    return { points: points.subarray(0, count), ends };
  }
}

const [moveTo, lineTo, closePath] = [1, 2, 7];
const zigzag = number => number % 2 === 1 ? -(number + 1) / 2 : number / 2;

/** The most features, names and values of attributes of a tile. */
const mostEntries = 200_000;

/** Returns the layers of a tile: `[{name, extent, features}]`, as much as can be read. */
export function readTile(bytes) {
  const layers = [];
  let left = mostEntries;
  const count = () => { if (--left < 0) throw new Damage(); };
  const reader = new Reader(bytes, 0, bytes.length);
  try {
    while (!reader.isOver) {
      const [field, type] = reader.tag();
      if (field === 3 && type === delimited) {
        const layer = readLayer(reader.part(), count);
        if (layer) layers.push(layer);
      } else {
        reader.skip(type);
      }
    }
  } catch {
    // What was read before the damage is whole.
  }
  return layers;
}

/** Returns a layer; undefined if it cannot be read at all. */
function readLayer(reader, count) {
  const layer = { name: '', extent: 4096, features: [], keys: new Map(), values: [] };
  const features = [];
  let keys = 0;
  try {
    while (!reader.isOver) {
      const [field, type] = reader.tag();
      count();
      if (field === 1 && type === delimited) layer.name = reader.part().text();
      else if (field === 2 && type === delimited) features.push(reader.part());
      else if (field === 3 && type === delimited) layer.keys.set(reader.part().text(), keys++);
      else if (field === 4 && type === delimited) layer.values.push(valueOf(reader.part()));
      else if (field === 5 && type === varintType) layer.extent = reader.varint();
      else reader.skip(type);
    }
  } catch {
    // The names of attributes may be missing; features are still what they are.
  }
  for (const part of features) {
    try {
      layer.features.push(new Feature(layer, part));
    } catch {
      // The others may be whole.
    }
  }
  return layer.name && layer.extent > 0 ? layer : undefined;
}

function valueOf(reader) {
  let value;
  while (!reader.isOver) {
    const [field, type] = reader.tag();
    if (field === 1 && type === delimited) value = reader.part().text();
    else if (field === 2 && type === fixed32) value = reader.fixed(4).getFloat32(0, true);
    else if (field === 3 && type === fixed64) value = reader.fixed(8).getFloat64(0, true);
    else if (field === 4 && type === varintType) value = reader.signed();
    else if (field === 5 && type === varintType) value = reader.varint();
    else if (field === 6 && type === varintType) value = zigzag(reader.varint());
    else if (field === 7 && type === varintType) value = reader.varint() > 0;
    else reader.skip(type);
  }
  return value;
}
