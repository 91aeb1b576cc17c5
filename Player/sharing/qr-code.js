// QR codes (ISO/IEC 18004) of short texts: byte mode, versions 1 to 10, error correction M, of which 15 % of the codewords may be lost.

/** By version, from 1: the codewords of data, those for error correction in each block, and the number of blocks. */
const dataCounts = [16, 28, 44, 64, 86, 108, 124, 154, 182, 216];
const corrections = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26];
const blockCounts = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];

/** What says that the error correction is M, and the mask, from 0; and what says the version, from 7 (annexes C and D). */
const formats = [0x5412, 0x5125, 0x5e7c, 0x5b4b, 0x45f9, 0x40ce, 0x4f97, 0x4aa0];
const versions = [0x07c94, 0x085bc, 0x09a99, 0x0a4d3];

/** The masks: whether they turn over the module at a row and column. */
const masks = [
  (y, x) => (y + x) % 2 === 0,
  y => y % 2 === 0,
  (y, x) => x % 3 === 0,
  (y, x) => (y + x) % 3 === 0,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (y, x) => (y * x) % 2 + (y * x) % 3 === 0,
  (y, x) => ((y * x) % 2 + (y * x) % 3) % 2 === 0,
  (y, x) => ((y + x) % 2 + (y * x) % 3) % 2 === 0,
];

/**
 * Returns the rows of a code, arrays with true for the dark modules, without the four light modules that belong around it; undefined if
 * the text has more than 213 bytes.
 */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  // The mode and the number of bytes take 12 bits, or 20 from version 10 on.
  const version = dataCounts.findIndex((count, index) => bytes.length <= count - (index < 9 ? 2 : 3)) + 1;
  if (version === 0) return undefined;
  const words = codewords(bytes, version);
  const codes = masks.map((_, mask) => modules(version, words, mask));
  const costs = codes.map(penalty);
  return codes[costs.indexOf(Math.min(...costs))];
}

// Codewords

/** The powers of 2 in the field of 256 elements with the polynomial 0x11d, and their exponents. */
const [powers, exponents] = [[], []];
for (let value = 1, power = 0; power < 255; power += 1) {
  powers[power] = value;
  exponents[value] = power;
  value = value << 1 ^ (value > 127 ? 0x11d : 0);
}
const product = (a, b) => a && b ? powers[(exponents[a] + exponents[b]) % 255] : 0;

/** Returns the remainder of the data's polynomial by that with the first `count` powers of 2 as its roots (Reed–Solomon). */
function correction(data, count) {
  let divisor = [1];
  for (let root = 0; root < count; root += 1) {
    divisor = [...divisor, 0].map((value, index) => value ^ product(divisor[index - 1] ?? 0, powers[root]));
  }
  const rest = [...data, ...Array(count).fill(0)];
  for (let at = 0; at < data.length; at += 1) {
    const factor = rest[at];
    divisor.forEach((value, index) => { rest[at + index] ^= product(value, factor); });
  }
  return rest.slice(data.length);
}

/** Returns the data and its corrections, block by block in turn. */
function codewords(bytes, version) {
  const bits = [];
  const write = (value, count) => { while (count > 0) bits.push(value >> --count & 1); };
  write(4, 4);
  write(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach(byte => write(byte, 8));
  const length = dataCounts[version - 1];
  write(0, Math.min(4, length * 8 - bits.length));
  write(0, -bits.length & 7);
  for (let pad = 0; bits.length < length * 8; pad += 1) write(pad % 2 === 0 ? 0xec : 0x11, 8);
  const data = Array.from({ length }, (_, index) => parseInt(bits.slice(index * 8, index * 8 + 8).join(''), 2));
  const count = blockCounts[version - 1];
  const short = Math.floor(length / count);
  let start = 0;
  // The last blocks have one codeword more.
  const blocks = Array.from({ length: count }, (_, index) => data.slice(start, start += short + (index >= count - length % count ? 1 : 0)));
  const inTurn = blocks => Array.from({ length: Math.max(...blocks.map(block => block.length)) }, (_, index) => blocks.map(block => block[index]))
    .flat().filter(value => value !== undefined);
  return [...inTurn(blocks), ...inTurn(blocks.map(block => correction(block, corrections[version - 1])))];
}

// Modules

function modules(version, words, mask) {
  const size = 17 + 4 * version;
  const rows = Array.from({ length: size }, () => []);
  const set = (y, x, isDark) => { if (y in rows && x >= 0 && x < size) rows[y][x] = Boolean(isDark); };
  /** Squares around a module, the dark ones at some distances from it. */
  const rings = (y, x, reach, dark) => {
    for (let down = -reach; down <= reach; down += 1) {
      for (let right = -reach; right <= reach; right += 1) set(y + down, x + right, dark.includes(Math.max(Math.abs(down), Math.abs(right))));
    }
  };
  for (const [y, x] of [[3, 3], [3, size - 4], [size - 4, 3]]) rings(y, x, 4, [0, 1, 3]);
  const last = size - 7;
  const centres = version === 1 ? [] : version < 7 ? [6, last] : [6, (6 + last) / 2, last];
  for (const y of centres) for (const x of centres) if (rows[y][x] === undefined) rings(y, x, 2, [0, 2]);
  for (let at = 0; at < size; at += 1) {
    rows[6][at] ??= at % 2 === 0;
    rows[at][6] ??= at % 2 === 0;
  }
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = formats[mask] >> bit & 1;
    set(bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit, 8, isDark);
    set(8, bit < 8 ? size - 1 - bit : bit < 9 ? 7 : 14 - bit, isDark);
  }
  set(size - 8, 8, true);
  for (let bit = 0; version >= 7 && bit < 18; bit += 1) {
    const [a, b, isDark] = [Math.floor(bit / 3), size - 11 + bit % 3, versions[version - 7] >> bit & 1];
    set(a, b, isDark);
    set(b, a, isDark);
  }
  // The codewords are in columns of two modules from the right, upwards and downwards in turn.
  let bit = 0;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    for (let step = 0; step < size; step += 1) {
      const y = (right > 6 ? right : right + 1) % 4 === 0 ? size - 1 - step : step;
      for (const x of [right, right - 1]) rows[y][x] ??= (words[bit >> 3] >> 7 - (bit++ & 7) & 1) === 1 !== masks[mask](y, x);
    }
  }
  return rows;
}

/** How hard a code is to read: long lines, blocks, what looks like a finder pattern, and a share of dark modules that is far from a half. */
function penalty(rows) {
  const columns = rows.map((_, x) => rows.map(row => row[x]));
  let cost = 0;
  for (const line of [...rows, ...columns]) {
    const text = line.map(Number).join('');
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) cost += run.length - 2;
    for (const finder of ['10111010000', '00001011101']) {
      for (let at = text.indexOf(finder); at >= 0; at = text.indexOf(finder, at + 1)) cost += 40;
    }
  }
  for (let y = 1; y < rows.length; y += 1) {
    for (let x = 1; x < rows.length; x += 1) {
      if (rows[y][x] === rows[y - 1][x] && rows[y][x] === rows[y][x - 1] && rows[y][x] === rows[y - 1][x - 1]) cost += 3;
    }
  }
  const dark = rows.flat().filter(Boolean).length;
  return cost + Math.floor(Math.abs(dark * 20 / rows.length ** 2 - 10)) * 10;
}
