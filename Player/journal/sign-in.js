/** Sign-in and sign-out: the service says who a token belongs to, and the person says whether the account changes. */
import { askToContinue } from '../components/account-questions.js';
import { say } from '../components/words.js';
import { account, databaseOf, identity, keepAccount, refusal } from './account.js';
import { JournalContents } from './journal-contents.js';
import { JournalStore } from './journal-store.js';

const timeout = 20_000;

/** The service refuses a request, or does not answer: then `status` is undefined. */
export class SignInFault extends Error {
  name = 'SignInFault';

  constructor(reason, status, code) {
    super(reason);
    Object.assign(this, { status, code });
  }
}

/**
 * Sends a request about accounts, and returns its JSON; undefined for an empty response. `token` defaults to that of
 * the account that plays. Rejects with SignInFault.
 */
export async function ask(library, path, { method = 'GET', body, token = account().token } = {}) {
  const headers = token ? identity({ token }).headers : {};
  let response;
  try {
    response = await fetch(library.address(path), {
      method, cache: 'no-store', signal: AbortSignal.timeout(timeout),
      headers: body ? { ...headers, 'Content-Type': 'application/json' } : headers,
      body: body && JSON.stringify(body),
    });
  } catch (error) {
    throw new SignInFault(error.message);
  }
  if (!response.ok) {
    const { reason, code } = await refusal(response);
    throw new SignInFault(reason, response.status, code);
  }
  try {
    return response.status === 204 ? undefined : await response.json();
  } catch {
    // A network that asks for a login first answers with a page.
    throw new SignInFault('The answer is not JSON.');
  }
}

/** Returns bytes as requests have them: in base64url without padding (RFC 4648, section 5). */
export function encoded(bytes) {
  const binary = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Signs in by what a link says, unless the service does not know it, or the person says no: by the token of the
 * operator, the code of another phone, or that of the provider's answer. An error has `words`, `{title, text}`.
 */
export async function signInByLink(app, kind, value) {
  try {
    return await follow(app, kind, value);
  } catch (error) {
    throw Object.assign(error, { words: wordsOf(kind, value, error) });
  }
}

async function follow(app, kind, value) {
  switch (kind) {
  case 'token': return continueAs(app, { ...await ask(app.library, 'account', { token: value }), token: value });
  case 'pair':
    app.pairingCode = value;
    location.hash = '#/~account';
    return undefined;
  case 'sign-in': {
    const { signInByProvider } = await import('./provider.js');
    return enter(app, await signInByProvider(app.library, value));
  }
  default: throw new SignInFault(value, 403);
  }
}

/** Says in the page's language why a link signs nobody in. */
function wordsOf(kind, value, { name, status }) {
  if (kind === 'sign-in-error') {
    const fault = ['denied', 'expired'].includes(value) ? value : 'failed';
    return { title: say('account.failed'), text: say(`account.provider.${fault}`) };
  }
  if (name !== 'SignInFault') return { title: say('account.failed'), text: say('account.fault.browser') };
  const isRefused = status >= 400 && status < 500 && status !== 429;
  if (!isRefused) return { title: say('account.linkUnknown'), text: say('account.linkLater') };
  return kind === 'token'
    ? { title: say('account.linkRefused'), text: say(status === 404 ? 'account.none' : 'account.linkEnded') }
    : { title: say('account.failed'), text: say('account.provider.expired') };
}

/** Lets the account of a new session play; a session that is not wanted ends at once. */
export async function enter(app, session) {
  if (await continueAs(app, session)) return;
  await ask(app.library, 'account/sessions/current', { method: 'DELETE', token: session.token });
}

/**
 * Lets an account play from now on, and loads the page anew. Asks first, unless that account plays already: whoever
 * opens another person's link would otherwise send that person all that follows. Resolves to whether it was done.
 */
export async function continueAs(app, { player, name, token }) {
  const former = account();
  let takesAlong = false;
  if (former.isOwn || former.player !== player) {
    const count = former.isOwn ? await countOf(former.database) : 0;
    const answer = await askToContinue({ name: name ?? player, former, count });
    if (!answer) return false;
    ({ takesAlong } = answer);
  }
  if (takesAlong) await takeAlong(former.database, databaseOf(player));
  keepAccount({ player, name, token });
  location.reload();
  return true;
}

async function contentsOf({ database }) {
  return { journals: await database.all('journals'), photos: await database.all('captures') };
}

/** Returns the number of entries and photos in a database. */
async function countOf(name) {
  const store = await JournalStore.open(name);
  const { journals, photos } = await contentsOf(store);
  store.close();
  return journals.reduce((sum, document) => sum + new JournalContents(document).size, photos.length);
}

/** Returns how many entries and photos of the account that plays the service does not have yet. */
export async function waiting() {
  const store = await JournalStore.open();
  const { journals, photos } = await contentsOf(store);
  const entries = await Promise.all(journals.map(({ story }) => store.waiting(story, account().player)));
  store.close();
  return {
    entries: entries.reduce((sum, { waiting }) => sum + waiting, 0),
    photos: photos.filter(({ state }) => state === 'waiting' || state === 'full').length,
  };
}

/** Moves what was found without an account into the database of an account. */
async function takeAlong(from, to) {
  const [source, target] = [await JournalStore.open(from), await JournalStore.open(to)];
  const { journals, photos } = await contentsOf(source);
  for (const document of journals) {
    await target.merge(document.story, new JournalContents(document));
    await source.database.change('journals', document.story, () => null);
  }
  for (const photo of photos) {
    await target.database.change('captures', photo.id, () => photo);
    await source.database.change('captures', photo.id, () => null);
  }
  source.close();
  target.close();
}

/** The names of browsers and systems in a browser's description of itself; the first one that is in it counts. */
const browsers = { Firefox: 'Firefox', FxiOS: 'Firefox', Edg: 'Edge', SamsungBrowser: 'Samsung Internet', OPR: 'Opera', Chrome: 'Chrome', CriOS: 'Chrome', Safari: 'Safari' };
const systems = { iPhone: 'iPhone', iPad: 'iPad', Android: 'Android', Windows: 'Windows', 'Mac OS': 'Mac', CrOS: 'Chromebook', Linux: 'Linux' };

const first = names => Object.entries(names).find(([mark]) => navigator.userAgent.includes(mark))?.[1];

/** Returns what a person calls this device: `Chrome, Android`. */
export function deviceName() {
  return [first(browsers), first(systems)].filter(Boolean).join(', ') || 'Web';
}
