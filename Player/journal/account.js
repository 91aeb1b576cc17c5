/**
 * The accounts of this device. Each has a database of its own, so that nothing of one account is ever sent with the
 * token of another. Who plays without an account is "me".
 *
 * localStorage has `{version: 2, current?, own, accounts: [{player, name?, token?, database}]}`: `current` is the
 * account that plays, and `own` the database of who plays without one.
 */

const key = 'wayreel-account';

function read() {
  let kept;
  try {
    kept = JSON.parse(localStorage.getItem(key));
  } catch {
    kept = undefined;
  }
  if (kept?.version === 2 && Array.isArray(kept.accounts)) return kept;
  // Earlier players had one account and one database, which stays with that account.
  const { player, token } = kept ?? {};
  const accounts = typeof player === 'string' ? [{ player, token, database: 'wayreel' }] : [];
  return { version: 2, current: accounts[0]?.player, own: accounts.length > 0 ? 'wayreel/' : 'wayreel', accounts };
}

function write(change) {
  const kept = read();
  change(kept);
  localStorage.setItem(key, JSON.stringify(kept));
}

const named = (accounts, player) => accounts.find(account => account.player === player);

/** Returns the account that plays, `{player, name?, token?, database, isOwn?}`; `isOwn` is set without an account. */
export function account() {
  const { current, own, accounts } = read();
  return named(accounts, current) ?? { player: 'me', database: own, isOwn: true };
}

/** Returns the account of a database, likewise; undefined if it was removed from this device. */
export function accountOf(database) {
  const { own, accounts } = read();
  if (database === own) return { player: 'me', database, isOwn: true };
  return accounts.find(account => account.database === database);
}

/** Returns the database that an account has, or will have, on this device. */
export function databaseOf(player) {
  return named(read().accounts, player)?.database ?? `wayreel/${encodeURIComponent(player)}`;
}

/** Keeps a player's token, and lets that account play from the next load of the page on. */
export function keepAccount({ player, name, token }) {
  const database = databaseOf(player);
  write(kept => {
    const others = kept.accounts.filter(account => account.player !== player);
    Object.assign(kept, { current: player, accounts: [...others, { player, name, token, database }] });
  });
}

/** Removes the token of the account that plays. Its data stay in its database, unless `forgets` is set. */
export function leaveAccount({ forgets = false } = {}) {
  const { player } = account();
  write(kept => {
    const others = kept.accounts.filter(account => account.player !== player);
    const left = forgets ? [] : kept.accounts.filter(account => account.player === player)
      .map(({ token, ...rest }) => rest);
    Object.assign(kept, { current: undefined, accounts: [...others, ...left] });
  });
}

/** Calls a function when another tab changes the account that plays. */
export function watchAccount(changed) {
  const { player, token } = account();
  addEventListener('storage', event => {
    const now = account();
    if ((event.key === key || event.key === null) && (now.player !== player || now.token !== token)) changed();
  });
}

/** Returns a value of the page's address, `#NAME=…`, and removes it from the address. */
export function takeFromAddress(name) {
  const [, found, value] = /^#([\w-]+)=([\w.-]+)$/.exec(location.hash) ?? [];
  if (found !== name) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return value;
}

/** Returns the headers and query that identify an account to the service. */
export function identity({ player, token }) {
  return token
    ? { headers: { Authorization: `Bearer ${token}` }, query: '' }
    : { headers: {}, query: `?player=${encodeURIComponent(player)}` };
}

/** Whether nothing can be sent for an account: it was signed out, or removed. */
export const isSignedOut = sender => !sender || (!sender.token && sender.isOwn !== true && sender.database !== undefined);

/**
 * Returns `{reason, code}` of a response that refuses a request (RFC 9457): a text, and the service's code. That of an answer
 * without one, for example a proxy's page, is `http-` with the status.
 */
export async function refusal(response) {
  const status = `${response.status} ${response.statusText}`.trim();
  try {
    const { title, detail, code } = await response.clone().json();
    return { reason: [title, detail].filter(text => typeof text === 'string').join(': ') || status, code: code ?? `http-${response.status}` };
  } catch {
    return { reason: status, code: `http-${response.status}` };
  }
}
