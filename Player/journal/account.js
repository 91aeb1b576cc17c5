/** Who plays on this device, for the service: `{player, token?}`. On the loopback, without a token, it is "me". */

const key = 'wayreel-account';

export function account() {
  try {
    return { player: 'me', ...JSON.parse(localStorage.getItem(key)) };
  } catch {
    return { player: 'me' };
  }
}

/** Keeps a player's name and token; none: the device belongs to nobody. */
export function keepAccount(value) {
  if (value) localStorage.setItem(key, JSON.stringify(value));
  else localStorage.removeItem(key);
}

/** Gives the device to the player of a token in the page's address, `#token=…`, and takes it out of there. A damaged one is none. */
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

/** Headers and query that tell the service who asks. */
export function identity({ player, token }) {
  return token
    ? { headers: { Authorization: `Bearer ${token}` }, query: '' }
    : { headers: {}, query: `?player=${encodeURIComponent(player)}` };
}

/** Why a service refused, in its own words (RFC 9457), as far as they are text. */
export async function refusal(response) {
  try {
    const { title, detail } = await response.clone().json();
    return [title, detail].filter(text => typeof text === 'string').join(': ') || `${response.status}`;
  } catch {
    return `${response.status} ${response.statusText}`.trim();
  }
}
