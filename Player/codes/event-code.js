/** Codes of events: what a text means, and what a bundle keeps of them, the same as Swift's `EventCode` and `CodeHashing`. */

/** The characters of codes; of two that look alike there is one at most. */
export const alphabet = '23456789ACDEFGHJKMNPQRTVWXY';

const alike = { B: '8', S: '5', U: 'V', Z: '2' };

/** Returns the code that a player typed, in either case, with spaces, hyphens and what looks alike; other texts as they are. */
export function meantBy(text) {
  const meant = text.replace(/[ -]/g, '').replace(/[a-z]/g, letter => letter.toUpperCase()).replace(/[BSUZ]/g, letter => alike[letter]);
  return text.length <= 16 && isCode(meant) ? meant : text;
}

export const isCode = text => text.length === 4 && [...text].every(letter => alphabet.includes(letter));

/**
 * Returns a code's hash by the story's `codeHashing`, in hexadecimal digits, which takes some 0.05 s on a desktop. Throws where the browser
 * computes none, as on pages without https, and for what only a newer page knows.
 */
export async function hashOf(code, { function: name, iterations, salt }) {
  if (name !== 'PBKDF2-HMAC-SHA256' || !(iterations <= 1e7)) throw new Error(`codes are hashed by '${name}'`);
  const bytes = Uint8Array.from(salt.match(/../g), digits => parseInt(digits, 16));
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(code), 'PBKDF2', false, ['deriveBits']);
  const bits = await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt: bytes, iterations }, key, 256);
  return [...new Uint8Array(bits)].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns what a scanned text leads to, `{page, story, code}` with the page's address; undefined if it is no link of a code. */
export function codeLink(text) {
  try {
    const { href, hash, protocol } = new URL(text);
    const parts = /^#\/([^/]+)\/code\/([^/]+)$/.exec(hash)?.slice(1).map(decodeURIComponent);
    return parts && /^https?:$/.test(protocol) ? { page: href.slice(0, -hash.length), story: parts[0], code: parts[1] } : undefined;
  } catch {
    return undefined;
  }
}
