// The recordings that the service keeps for the player: `v1/recordings`.
import { account, identity } from './journal/account.js';
import { placeOfRecording } from './stream-socket.js';

/** Where there are no accounts, the player of live streams has this name. */
const playerWithoutAccount = 'local';

/** What the service says against a request; `status` is 0 if it does not answer. */
export class RecordingFault extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }

  get needsAccount() { return this.status === 401 || this.status === 403; }
  /** Somebody else has changed it meanwhile. */
  get isConflict() { return this.status === 412; }
}

async function request(path, { headers = {}, query = {}, ...options } = {}) {
  const { token } = account();
  const sender = identity(token ? { token } : { player: playerWithoutAccount });
  const address = new URL(`v1/${path}${sender.query}`, document.baseURI);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  let answer;
  try {
    answer = await fetch(address, { cache: 'no-store', ...options, headers: { ...headers, ...sender.headers } });
  } catch {
    throw new RecordingFault('The service does not answer.', 0);
  }
  if (answer.ok) return answer;
  const { title, detail } = await answer.json().catch(() => ({}));
  const words = [title, detail].filter(text => typeof text === 'string').join(': ');
  throw new RecordingFault(words || `The service answers with ${answer.status}.`, answer.status);
}

/** Reads the body of an answer; a connection that breaks meanwhile is a fault like any other. */
async function body(answer, kind) {
  try {
    return await answer[kind]();
  } catch {
    throw new RecordingFault('The answer of the service is not complete.', 0);
  }
}

/** Whether the server of this page may keep recordings: that of one stream, whose key is in the address, does not. */
export const mayKeepRecordings = () => location.hash.length < 2;

/** Returns a page of the list, the newest first: `{ recordings, next }`. */
export const listRecordings = async after => body(await request('recordings', { query: after ? { after } : {} }), 'json');

export const removeRecording = id => request(placeOfRecording(id), { method: 'DELETE' });

/** Returns the content as a Blob; `format`: ndjson, csv, edf or dicom. */
export const contentOf = async (id, format) => body(await request(placeOfRecording(id), { query: { format } }), 'blob');

/** Returns `{ settings, tag }`. */
export async function settingsOf(id) {
  const answer = await request(`${placeOfRecording(id)}/settings`);
  return { settings: await body(answer, 'json'), tag: answer.headers.get('ETag') };
}

/** Stores settings, and returns their new tag. Throws a conflict if those there are not those of `tag`; with null, whatever they are. */
export async function saveSettings(id, settings, tag) {
  const headers = { 'Content-Type': 'application/json', ...(tag ? { 'If-Match': tag } : {}) };
  const answer = await request(`${placeOfRecording(id)}/settings`, { method: 'PUT', headers, body: JSON.stringify(settings) });
  return answer.headers.get('ETag');
}
