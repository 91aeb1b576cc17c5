/** The player of this device for the service: `{player, token?}`. On the loopback, without a token, it is "me". */

const key = 'wayreel-account';

export function account() {
  try {
    return { player: 'me', ...JSON.parse(localStorage.getItem(key)) };
  } catch {
    return { player: 'me' };
  }
}

/** Stores a player's name and token; without a value, removes them. */
export function keepAccount(value) {
  if (value) localStorage.setItem(key, JSON.stringify(value));
  else localStorage.removeItem(key);
}

/**
 * Assigns the device to the player of a token in the page's address, `#token=…`, and removes the token from the
 * address. A damaged token is ignored.
 */
export function takeToken() {
  const token = /^#token=([\w-]+\.[\w-]+\.[\w-]+)$/.exec(location.hash)?.[1];
  if (!token) return;
  history.replaceState(null, '', location.pathname + location.search);
  try {
    const text = atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'));
    const { sub } = JSON.parse(new TextDecoder().decode(Uint8Array.from(text, character => character.charCodeAt(0))));
    if (typeof sub === 'string') keepAccount({ player: sub, token });
  } catch {
    return;
  }
}

/** Returns the headers and query that identify the player to the service. */
export function identity({ player, token }) {
  return token
    ? { headers: { Authorization: `Bearer ${token}` }, query: '' }
    : { headers: {}, query: `?player=${encodeURIComponent(player)}` };
}

/** Returns `{reason, code?}` of a response that refuses a request (RFC 9457): a text, and the service's code. */
export async function refusal(response) {
  const status = `${response.status} ${response.statusText}`.trim();
  try {
    const { title, detail, code } = await response.clone().json();
    return { reason: [title, detail].filter(text => typeof text === 'string').join(': ') || status, code };
  } catch {
    return { reason: status };
  }
}
