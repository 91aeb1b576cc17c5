/**
 * Stories on the device, each version in its own cache: `wayreel-story/{id}/{version}`. A cache holds the bundle's
 * files under their addresses, and a record under `wayreel-record`, which is written last: `{story, manifest, version,
 * paths, bytes, number}`, and of a story in several languages `stories`, by their tags, and `languages`, those whose media are all there. Later downloads of a story have a higher number, whatever the device's clock says; records of earlier
 * players have none, but the time `completed`.
 */

const prefix = 'wayreel-story/';
const recordName = 'wayreel-record';

export const cacheName = (id, version) => `${prefix}${encodeURIComponent(id)}/${version}`;

/** Returns the caches of stories, or of one story: `[{name, id, version}]`. */
export async function storyCaches(id = undefined) {
  let names;
  try {
    names = await caches.keys();
  } catch {
    // Insecure pages and some private windows have no caches.
    return [];
  }
  const named = names.filter(name => name.startsWith(prefix)).map(name => {
    const [encoded, version] = name.slice(prefix.length).split('/');
    return { name, id: decodeURIComponent(encoded), version };
  });
  return id === undefined ? named : named.filter(cache => cache.id === id);
}

/** Returns the record of a cache; undefined if the download is incomplete. */
async function recordOf({ name }) {
  const response = await (await caches.open(name)).match(recordName);
  return response?.json();
}

export async function writeRecord(cache, record) {
  const headers = { 'Content-Type': 'application/json' };
  await cache.put(recordName, new Response(JSON.stringify(record), { headers }));
}

function isNewer(record, other) {
  const number = ({ number = 0 } = {}) => number;
  return record !== undefined
    && (number(record) - number(other) || (record.completed ?? 0) - (other.completed ?? 0)) > 0;
}

/** Returns the record of the newest complete version of each story, by id. */
export async function downloadedStories() {
  const newest = new Map();
  for (const cache of await storyCaches()) {
    const record = await recordOf(cache);
    if (record && !isNewer(newest.get(cache.id), record)) newest.set(cache.id, record);
  }
  return newest;
}
