/** Downloads stories for playing without a network, updates them, and removes them. */
import { keepWords } from '../components/words.js';
import { asStorageError } from '../journal/device-database.js';
import { chooseScreen, isMediaPath, mediaIn, pathsOf, tilePaths } from '../story/media-choice.js';
import { hasMediaIn, languageFor, languagesOf, lockName, StoryUnavailable, thisScreen, versionOf } from '../story/story-library.js';
import { cacheName, downloadedStories, storyCaches, writeRecord } from './story-caches.js';

const notOnDevice = new Set(['treatment', 'icon', 'maskable-icon', 'touch-icon', 'share']);

/** The number of concurrent downloads. */
const width = 4;

/**
 * Returns the files of a bundle that a screen and a language need, with parts of HLS and tiles of base maps: `{path, bytes, type}`. Files of treatments are
 * not needed, since the service treats captures, nor are icons and images for links, which systems and others load.
 */
function neededFiles(manifest, screen, language) {
  const { name } = chooseScreen(manifest.screens, screen) ?? {};
  const wanted = mediaIn(language, manifest).filter(entry =>
    !notOnDevice.has(entry.role) && (entry.screen === undefined || entry.screen === name));
  const paths = new Set([...wanted.map(entry => entry.path), ...tilePaths(manifest)]);
  const files = manifest.files.filter(file => paths.has(file.path)).flatMap(pathsOf);
  return files.filter(({ path, bytes }) => isMediaPath(path) && bytes >= 0);
}

/** Headers as those of the service, so that a file that is opened directly, such as an SVG, runs no script. */
const safeHeaders = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox", 'X-Content-Type-Options': 'nosniff',
};

const sum = files => files.reduce((total, { bytes }) => total + bytes, 0);

/** Events: `change`, with `detail.story`. */
export class StoryDownloads extends EventTarget {
  /** The one of the page. */
  static of(app) { return app.downloads ??= new StoryDownloads(app); }

  constructor({ library }) {
    super();
    this.library = library;
  }

  /**
   * Returns the plan of a download in a language, by default the one that suits the reader best:
   * `{version, language, bytes, files, bytesMissing, downloaded?, isUpdate, lacksLanguage, free?, persisted?}`, where `downloaded` is the
   * version on the device, `lacksLanguage` whether that has not all media of the language, and `free` the remaining quota in bytes.
   * Without a network it describes the version on the device.
   */
  async plan(id, screen = thisScreen(), language = undefined) {
    const kept = (await downloadedStories()).get(id);
    let manifest;
    try {
      manifest = await this.#manifest(id);
    } catch (error) {
      if (!kept) throw error;
      ({ manifest } = kept);
    }
    const tag = language ?? languageFor(manifest.story);
    const files = neededFiles(manifest, screen, tag);
    const missing = await this.#missing(id, files);
    const version = versionOf(manifest);
    const { quota, usage } = await navigator.storage?.estimate?.() ?? {};
    const isUpdate = kept !== undefined && kept.version !== version;
    return {
      version, language: tag, bytes: sum(files), files: files.length, bytesMissing: sum(missing), downloaded: kept?.version, isUpdate,
      lacksLanguage: kept !== undefined && !isUpdate && !hasMediaIn(tag, kept),
      free: quota === undefined ? undefined : Math.max(0, quota - usage),
      persisted: await navigator.storage?.persisted?.(),
    };
  }

  #manifest(id) { return this.library.json(new URL('manifest.json', this.library.addresses(id).bundle)); }

  /** Returns the files that no version on the device has; they are named by their content. */
  async #missing(id, files) {
    const { bundle } = this.library.addresses(id);
    const kept = new Set();
    for (const { name } of await storyCaches(id)) {
      for (const { url } of await (await caches.open(name)).keys()) kept.add(url);
    }
    return files.filter(({ path }) => !kept.has(new URL(path, bundle).href));
  }

  /**
   * Downloads or updates a story, with its texts in all languages and the media of one, by default the one that suits the reader best;
   * those of languages that are on the device stay there. Files from an earlier attempt are not loaded again. `onProgress({bytes, total, files,
   * filesTotal})` counts the missing files. A page that plays the previous version continues with it. Rejects with
   * StorageFull, an AbortError of `signal`, or StoryUnavailable.
   */
  async download(id, { screen = thisScreen(), language, onProgress = () => {}, signal } = {}) {
    if (!globalThis.caches) throw new StoryUnavailable('This browser keeps no files for this page.');
    try {
      // If the bundle changes during the download, it is restarted; files that both versions have are kept.
      for (let round = 0; round < 3; round++) {
        if (await this.#downloadVersion(id, screen, language, onProgress, signal)) return;
      }
    } catch (error) {
      throw signal?.aborted ? signal.reason : asStorageError(error);
    }
    throw new StoryUnavailable('The story changes while it is loaded.');
  }

  /** Resolves to whether the version is still the current one at the end. */
  async #downloadVersion(id, screen, language, onProgress, signal) {
    const { bundle } = this.library.addresses(id);
    const manifest = await this.#manifest(id);
    const stories = await this.#stories(id, manifest);
    const version = versionOf(manifest);
    const all = languagesOf(manifest.story);
    const kept = (await downloadedStories()).get(id);
    const wanted = language ?? languageFor(manifest.story);
    const languages = all.filter(tag => tag === wanted || kept && hasMediaIn(tag, kept));
    const files = [...new Map(languages.flatMap(tag => neededFiles(manifest, screen, tag)).map(file => [file.path, file])).values()];
    const missing = await this.#missing(id, files);
    const others = await storyCaches(id);
    const cache = await caches.open(cacheName(id, version));
    const progress = { bytes: 0, total: sum(missing), files: 0, filesTotal: missing.length };
    onProgress({ ...progress });
    const missingPaths = new Set(missing.map(({ path }) => path));
    const count = bytes => {
      progress.bytes += bytes;
      onProgress({ ...progress });
    };
    const work = files.values();
    const worker = async () => {
      for (const file of work) {
        signal?.throwIfAborted();
        const address = new URL(file.path, bundle).href;
        if (await cache.match(address)) continue;
        if (missingPaths.has(file.path)) {
          await this.#load(cache, address, file, count, signal);
          progress.files += 1;
          onProgress({ ...progress });
        } else {
          await copy(address, others, cache);
        }
      }
    };
    // If one worker fails, the others continue: their files need not be loaded again.
    const ends = await Promise.allSettled(Array.from({ length: width }, worker));
    const failed = ends.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
    if (versionOf(await this.#manifest(id)) !== version) return false;
    const paths = files.map(({ path }) => path);
    const number = ((await downloadedStories()).get(id)?.number ?? 0) + 1;
    const record = { story: stories[all[0]], manifest, version, paths, bytes: sum(files), number };
    // Others may have no media of their own.
    const loaded = new Set(paths);
    if (all.length > 1) await keepWords(all);
    const complete = all.filter(tag => neededFiles(manifest, screen, tag).every(({ path }) => loaded.has(path)));
    await writeRecord(cache, all.length > 1 ? { ...record, stories, languages: complete } : record);
    this.#dispatchChange(id);
    return true;
  }

  /** Returns the story in all of its languages, by their tags: texts are small. */
  async #stories(id, manifest) {
    const { story, translation } = this.library.addresses(id);
    const tags = languagesOf(manifest.story);
    const addresses = tags.length > 1 ? tags.map(translation) : [story];
    const stories = await Promise.all(addresses.map(address => this.library.json(address)));
    return Object.fromEntries(stories.map((story, index) => [tags[index], story]));
  }

  async #load(cache, address, { bytes, path }, count, signal) {
    let response;
    try {
      response = await fetch(address, { cache: 'no-store', signal });
    } catch (error) {
      throw new StoryUnavailable('There is no network.', { cause: error });
    }
    if (!response.ok) throw new StoryUnavailable(`${path}: ${response.status}`);
    let received = 0;
    let fault;
    const counting = new TransformStream({
      transform(chunk, controller) {
        received += chunk.byteLength;
        count(chunk.byteLength);
        controller.enqueue(chunk);
      },
      flush(controller) {
        // Otherwise the file is truncated, or is a page of an intermediary.
        if (received === bytes) return;
        fault = new StoryUnavailable(`${path}: ${received} of ${bytes} bytes`);
        controller.error(fault);
      },
    });
    const headers = {
      'Content-Type': response.headers.get('Content-Type') ?? '', 'Content-Length': String(bytes), ...safeHeaders,
    };
    try {
      await cache.put(address, new Response(response.body.pipeThrough(counting), { headers }));
    } catch (error) {
      // Browsers report an error of their own when a stream fails.
      throw fault ?? error;
    }
  }

  /** Removes a story from the device, but not its journal. */
  async remove(id) {
    for (const { name } of await storyCaches(id)) await caches.delete(name);
    this.#dispatchChange(id);
  }

  /** Removes versions older than the newest complete one, if no page plays them. Call it at the start. */
  async tidy() {
    const newest = await downloadedStories();
    for (const { name, id, version } of await storyCaches()) {
      const record = newest.get(id);
      if (!record || record.version === version || !navigator.locks) continue;
      await navigator.locks.request(lockName(id, version), { ifAvailable: true }, lock => lock && caches.delete(name));
    }
  }

  #dispatchChange(story) { this.dispatchEvent(new CustomEvent('change', { detail: { story } })); }
}

async function copy(address, others, cache) {
  for (const { name } of others) {
    const response = await (await caches.open(name)).match(address);
    if (response) return cache.put(address, response);
  }
  return undefined;
}
