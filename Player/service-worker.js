/**
 * Answers the player's requests without a network. A classic script, as not every browser takes modules here; its address names the
 * player's version: service-worker.js?version=….
 *
 *   the player's own files     from the cache of this version, filled when it is installed; an author's tools when they are first used
 *   texts of the interface     likewise, of the languages in use; of others when a page asks for them
 *   media of stories           from the caches of downloads (offline/story-caches.js), else the network; ranges as 206
 *   JSON of stories            from the network, and what it said last where there is none
 *   pages of links             from the network; without one, their stories
 */
const version = new URL(location.href).searchParams.get('version');
const scope = self.registration.scope;
const shellPrefix = 'wayreel-shell/';
const shellName = `${shellPrefix}${version}`;
const visitedName = 'wayreel-visited';
/** Milliseconds after which a slow network counts as none, where there is an earlier answer. */
const networkTimeout = 4000;

/** The list of stories, a story, also in one of its languages, or its manifest. */
const storyPath = /^v1\/stories(\.json|\/[^/]+(\/(manifest|story\.[^/]+)\.json)?)?$/;

/** A script that is not loaded with the first visit. */
const extraPath = /\/player-[a-z]+\.js$/;

/** The pages that links to stories and finds lead to. */
const sharePath = /^s\/([^/]+)(?:\/(?!index)([^/]+))?/;

/** The texts of a language. */
const textsPath = /^strings\/[^/]+\.json$/;

addEventListener('install', event => event.waitUntil(install()));
addEventListener('activate', event => event.waitUntil(activate()));
addEventListener('message', ({ data }) => data === 'apply' && skipWaiting());

async function install() {
  const response = await fetch(new URL('player.json', scope), { cache: 'no-store' });
  const settings = await response.clone().json();
  // A page of one version must not get files of another one; the browser tries again at the next visit.
  if (settings.version !== version) throw new Error(`the player is ${settings.version} by now, not ${version}`);
  const names = (await caches.keys()).filter(name => name.startsWith(shellPrefix));
  const inUse = (await Promise.all(names.map(textsOf))).flat();
  const paths = settings.shell.filter(path => !textsPath.test(path) || inUse.includes(path));
  const shell = await caches.open(shellName);
  await shell.addAll(paths.map(path => new Request(new URL(path, scope), { cache: 'reload' })));
  const cache = await caches.open(visitedName);
  await keep(cache, new Request(new URL('player.json', scope)), response);
  await visitStories(cache, settings.service ? '' : '.json').catch(() => {});
}

/** The path within the scope. */
const pathOf = ({ url }) => new URL(url).pathname.slice(new URL(scope).pathname.length);

/** The paths of the texts in a cache of the player's files: of this version, or of one before. */
async function textsOf(name) {
  return (await (await caches.open(name)).keys()).map(pathOf).filter(path => textsPath.test(path));
}

/** The stories themselves, without their media: the page that installs this has asked for them before there was anybody to keep them. */
async function visitStories(cache, ending) {
  const get = async path => {
    const response = await fetch(new URL(path, scope), { cache: 'no-cache' });
    if (response.ok && await isJSON(response)) await keep(cache, new Request(new URL(path, scope)), response.clone());
    return response;
  };
  const stories = await (await get(`v1/stories${ending}`)).json();
  for (const { id, language, languages = [] } of stories.slice(0, 20)) {
    const address = `v1/stories/${encodeURIComponent(id)}`;
    await get(`${address}${ending}`);
    await get(`${address}/manifest.json`);
    // A service has answered in the browser's language already.
    const other = ending && languages.find(tag => navigator.languages.some(wish => wish.toLowerCase().split('-')[0] === tag.toLowerCase().split('-')[0]));
    if (other && other !== language) await get(`${address}/story.${encodeURIComponent(other)}.json`);
  }
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith(shellPrefix) && name !== shellName) await caches.delete(name);
  }
  // The page that installed the first one is its own.
  await clients.claim();
}

addEventListener('fetch', event => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(scope)) return;
  const path = pathOf(request);
  if (/^v1\/stories\/[^/]+\/media\//.test(path)) event.respondWith(media(request));
  else if (path === 'player.json' || storyPath.test(path)) event.respondWith(visited(event));
  else if (textsPath.test(path)) event.respondWith(texts(request));
  else if (sharePath.test(path)) event.respondWith(share(request, path));
  else if (!path.startsWith('v1/')) event.respondWith(shell(request));
});

/** A page of the player is index.html, whatever stands behind the # or ? of its address. */
async function shell(request) {
  const cache = await caches.open(shellName);
  const isPage = request.mode === 'navigate';
  const kept = await cache.match(isPage ? new URL('index.html', scope) : request, { ignoreSearch: true });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok && extraPath.test(request.url)) await keepExtra(cache, request, response.clone()).catch(() => {});
  return response;
}

/** Unless it may be that of a newer player, by what the page has asked last. */
async function keepExtra(cache, request, response) {
  const settings = await (await caches.open(visitedName)).match(new URL('player.json', scope));
  if ((await settings?.json())?.version === version) await cache.put(request, response);
}

/** Without a network there is no such page, and it would only lead on. */
async function share(request, path) {
  return fetch(request).catch(() => {
    const [, story, event] = sharePath.exec(path);
    return Response.redirect(new URL(`#/${story}${event ? `/event/${event}` : ''}`, scope), 302);
  });
}

/** Those of another language are better than none: the page names the language of the answer's address. */
async function texts(request) {
  const cache = await caches.open(shellName);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request).catch(() => Response.error());
  if (response.ok && await isJSON(response)) {
    await cache.put(request, response.clone()).catch(() => {});
    return response;
  }
  const [other] = await textsOf(shellName);
  return other ? cache.match(new URL(other, scope)) : response;
}

async function visited(event) {
  const { request } = event;
  const cache = await caches.open(visitedName);
  const isSettings = new URL(request.url).pathname.endsWith('/player.json');
  let isNews = false;
  const asked = fetch(request).then(async response => {
    // A service that is out of order says nothing new, and neither does a network that asks for a login first.
    isNews = response.ok ? await isJSON(response) : response.status < 500 && !isSettings;
    if (response.ok && isNews) event.waitUntil(keep(cache, request, response.clone()).catch(() => {}));
    return response;
  });
  const kept = await cache.match(request);
  if (!kept) return asked;
  event.waitUntil(asked.catch(() => {}));
  const late = new Promise(resolve => setTimeout(resolve, networkTimeout)).then(() => ofSlowNetwork(kept));
  return Promise.race([asked.then(response => isNews ? response : kept, () => kept), late]);
}

/** The page must not say that there is no network where it is only slow. */
function ofSlowNetwork(kept) {
  const headers = new Headers(kept.headers);
  headers.set('Wayreel-Kept', 'late');
  return new Response(kept.body, { headers });
}

async function isJSON(response) {
  try {
    await response.clone().json();
    return true;
  } catch {
    return false;
  }
}

/**
 * Without the Date header: a time of long ago would put the player's clock wrong. By `Wayreel-Kept` the page knows that the answer is not
 * the network's: `yes`, or `late` while the network may still answer.
 */
async function keep(cache, request, response) {
  const headers = { 'Content-Type': response.headers.get('Content-Type') ?? '', 'Wayreel-Kept': 'yes' };
  await cache.put(request.url, new Response(await response.blob(), { headers }));
}

async function media(request) {
  for (const name of await caches.keys()) {
    if (!name.startsWith('wayreel-story/')) continue;
    const kept = await (await caches.open(name)).match(request.url);
    if (kept) return part(request, kept);
  }
  return fetch(request);
}

/** As much of a kept answer as the request's range asks for (RFC 9110, section 14); players of sound and video do. */
async function part(request, kept) {
  const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.get('Range') ?? '');
  if (!range || !(range[1] || range[2])) return kept;
  const blob = await kept.blob();
  const { size } = blob;
  const first = range[1] ? Number(range[1]) : Math.max(0, size - Number(range[2]));
  const last = range[1] && range[2] ? Math.min(Number(range[2]), size - 1) : size - 1;
  if (first > last) return new Response(null, { status: 416, headers: { 'Content-Range': `bytes */${size}` } });
  return new Response(blob.slice(first, last + 1), {
    status: 206, statusText: 'Partial Content',
    headers: {
      'Content-Type': kept.headers.get('Content-Type') ?? '', 'Accept-Ranges': 'bytes',
      'Content-Range': `bytes ${first}-${last}/${size}`, 'Content-Length': String(last - first + 1),
    },
  });
}
