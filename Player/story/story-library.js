/**
 * Stories of the service or of a static folder, and those that are on the device.
 *
 * player.json beside index.html says which: `{"service": true, "players": true, "accounts": true, "version": "…", "shell": ["index.html",
 * …], "api": "v1/"}`. `players` is whether the service keeps journals and captures, `accounts` whether players sign in for that, `version` is a hash of the player's
 * files, `shell` lists them, for the service worker; `api` is optional. `face` is the house's, if it has one: {name, language, colors, font?,
 * logo?}, see components/face.js.
 * URLs are relative to player.json and the same in both, except that a static folder's JSON of stories ends with .json:
 *
 *     v1/stories                v1/stories.json             all stories, without chapters
 *     v1/stories/{id}           v1/stories/{id}.json        a story: at a service in a language that Accept-Language wants
 *     v1/stories/{id}/story.{language}.json                 a story in one of its languages, if it has several
 *     v1/stories/{id}/manifest.json, v1/stories/{id}/media/…
 */
import { bestLanguage } from '../components/language-lookup.js';
import { wishes } from '../components/words.js';
import { DeviceClock } from '../journal/device-clock.js';
import { downloadedStories } from '../offline/story-caches.js';
import { MediaChoice } from './media-choice.js';
import { currentStory, storyVersion } from './story-format.js';
import { markLanguages } from './text-languages.js';

/** A story that is neither on the network nor on the device. `reason` is 'network', 'service' for one that fails, or 'damaged'. */
export class StoryUnavailable extends Error {
  name = 'StoryUnavailable';

  constructor(message, { reason = 'network', cause } = {}) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** The network says that there is no such story. */
export class StoryUnknown extends StoryUnavailable {
  name = 'StoryUnknown';
}

/** The version of a bundle: its database identifies all files by their content. */
export const versionOf = manifest => String(manifest.database.sha256).slice(0, 16);

/** A face with absolute addresses; undefined without one. */
function faceFrom(face, base) {
  if (!face) return undefined;
  const absolute = address => address && new URL(address, base).href;
  return { ...face, font: absolute(face.font), logo: face.logo && { ...face.logo, src: absolute(face.logo.src) } };
}

/** The tags of all languages of a story, its own first. */
export const languagesOf = story => [story?.languages ?? story?.language].flat().filter(tag => typeof tag === 'string');

/** The one of a story's languages that suits the reader best, else its own. */
export const languageFor = story => bestLanguage(languagesOf(story), wishes()) ?? languagesOf(story)[0];

const timeout = 20_000;

export const thisScreen = () => ({
  width: Math.round(screen.width * devicePixelRatio), height: Math.round(screen.height * devicePixelRatio),
});

export class StoryLibrary {
  /** Reads player.json. Throws if there is none and never was. */
  static async open(base = new URL('../', import.meta.url)) {
    const library = new StoryLibrary();
    library.base = new URL(base, location.href);
    const settings = await library.json(new URL('player.json', library.base)).catch(error => {
      // It is not a story that is missing.
      throw error.name === 'StoryUnknown' ? new StoryUnavailable(error.message, { reason: 'service', cause: error }) : error;
    });
    library.hasService = settings.service === true;
    library.keepsPlayers = library.hasService && settings.players !== false;
    library.hasAccounts = library.keepsPlayers && settings.accounts === true;
    library.version = settings.version;
    library.face = faceFrom(settings.face, library.base);
    library.api = new URL(settings.api ?? 'v1/', library.base);
    if (library.api.origin !== location.origin) throw new Error('player.json names another host');
    return library;
  }

  /** A URL of the service: `stories/…`. */
  address(path) { return new URL(path, this.api).href; }

  /** The URLs of a story: its JSON, also in one of several languages, and its bundle, with a slash at its end. */
  addresses(id) {
    const bundle = this.address(`stories/${encodeURIComponent(id)}/`);
    return {
      story: this.hasService ? bundle.slice(0, -1) : `${bundle.slice(0, -1)}.json`, bundle,
      translation: language => new URL(`story.${encodeURIComponent(language)}.json`, bundle).href,
    };
  }

  /** JSON from the network, or the service worker's copy. Throws StoryUnavailable. */
  async json(address) { return (await this.#load(address)).json; }

  /** `{json, isKept, isLate}`; `isKept` is whether it is the service worker's copy, since the network does not answer, or not soon: `isLate`. */
  async #load(address, headers) {
    let response;
    try {
      response = await fetch(address, { headers, cache: 'no-cache', signal: AbortSignal.timeout(timeout) });
    } catch (error) {
      throw new StoryUnavailable('There is no network.', { cause: error });
    }
    DeviceClock.observe(response);
    if (response.status === 404) throw new StoryUnknown('There is nothing at this address.');
    if (!response.ok) throw new StoryUnavailable(`${response.status} ${response.statusText}`.trim(), { reason: 'service' });
    try {
      const kept = response.headers.get('Wayreel-Kept');
      return { json: await response.json(), isKept: kept !== null, isLate: kept === 'late' };
    } catch (error) {
      throw new StoryUnavailable('The answer is not JSON.', { reason: 'damaged', cause: error });
    }
  }

  /**
   * `[{id, name, language, languages?, description?, cover?, downloaded?: {version, bytes}}]`, each in the language that suits the reader
   * best; without a network those on the device.
   */
  async list() {
    const downloaded = await downloadedStories();
    let listed;
    try {
      listed = await this.json(this.address(this.hasService ? 'stories' : 'stories.json'));
    } catch (error) {
      if (!downloaded.size) throw error;
      listed = [];
    }
    const ids = new Set(listed.map(story => story.id));
    const onlyHere = [...downloaded.values()].filter(({ story }) => !ids.has(story.id))
      .map(record => keptStory(record)).map(({ chapters, ...head }) => head);
    return [...listed.map(inBestLanguage), ...onlyHere].map(story => {
      markLanguages(story);
      const { version, bytes } = downloaded.get(story.id) ?? {};
      return version ? { ...story, downloaded: { version, bytes } } : story;
    });
  }

  /**
   * Opens a story in a language, by default the one that suits the reader best: the version on the device if there is one, else that of the
   * network. Throws StoryUnavailable, also if a story that has the language cannot be had in it.
   */
  async story(id, language) {
    const { story: storyAddress, bundle, translation } = this.addresses(id);
    const kept = (await downloadedStories()).get(id);
    if (kept) {
      const story = keptStory(kept, language);
      // What the device lacks in this language is loaded, if there is a network.
      return new OpenStory(story, kept.manifest, bundle, hasMediaIn(story.language, kept) ? new Set(kept.paths) : undefined, kept.paths);
    }
    const accepted = { 'Accept-Language': (language ? [language] : wishes()).slice(0, mostWishes).join(', ') };
    const answers = await Promise.all([this.#load(storyAddress, accepted), this.#load(new URL('manifest.json', bundle))]);
    // The host may be a folder of files, or the answer that of another time.
    const wanted = language ?? languageFor(answers[0].json);
    if (answers[0].json?.language !== wanted && languagesOf(answers[0].json).includes(wanted)) {
      try {
        answers[0] = await this.#load(translation(wanted));
      } catch (error) {
        if (language) throw error;
      }
    }
    const [story, manifest] = answers.map(({ json }) => json);
    const isSound = story?.id === id && [story.chapters, manifest?.files, manifest?.media].every(Array.isArray)
      && (story.version ?? 1) <= storyVersion && manifest.database;
    if (!isSound) throw new StoryUnavailable('The story is damaged.', { reason: 'damaged' });
    const open = new OpenStory(story, manifest, bundle);
    open.isKept = answers.some(({ isKept }) => isKept);
    open.isLate = answers.every(({ isKept, isLate }) => isLate === isKept);
    return open;
  }
}

/** The most languages that a request names. */
const mostWishes = 10;

/** Returns a listed story with the words of the language that suits the reader best. */
function inBestLanguage({ translations, ...story }) {
  const language = languageFor(story);
  if (language === story.language || !translations?.[language]) return story;
  const { id, languages } = story;
  return { id, languages, language, ...translations[language] };
}

/** Returns the story of a download, in `language`, or in the one that suits the reader best. Earlier players kept one language alone. */
function keptStory({ story, stories = { [story.language]: story } }, language) {
  const kept = languagesOf(story).filter(tag => stories[tag]);
  const wanted = language ?? bestLanguage(kept, wishes());
  if (language && !stories[language]) throw new StoryUnavailable('The story is not on the device in this language.');
  return stories[wanted] ?? story;
}

/** Whether a download has all media of a language. Those of earlier players have all media of their story. */
export const hasMediaIn = (language, { story, languages = languagesOf(story) }) => languages.includes(language);

/** A version of a story, with its media. While a page has it open, its files stay on the device. */
export class OpenStory extends MediaChoice {
  /** Whether it was opened without a network, and its media may be missing. */
  isKept = false;
  /** Whether the network may only be slow. */
  isLate = false;
  /** Whether it is on the device, but not all media of its language. */
  lacksLanguage = false;
  #face;

  /** `only` is a Set of the paths that are on the device, if those are all that it needs; `paths` those that are there in any case. */
  constructor(story, manifest, bundle, only, paths) {
    super(manifest, bundle, { screen: thisScreen(), only, language: story.language });
    const isDownloaded = only !== undefined;
    this.lacksLanguage = !isDownloaded && paths !== undefined;
    Object.assign(this, { id: story.id, story: markLanguages(currentStory(story)), manifest, version: versionOf(manifest), isDownloaded });
    // See `StoryDownloads.tidy`. The lock is held while the page lives.
    navigator.locks?.request(lockName(this.id, this.version), { mode: 'shared' }, () => new Promise(() => {}));
  }

  /** The house's face, see components/face.js; undefined for Wayreel's. */
  get face() {
    const { face } = this.manifest;
    return face && (this.#face ??= { ...face, name: this.story.face?.name ?? face.name, font: this.font });
  }

  /** The tags of all languages of the story, its own first. */
  get languages() { return languagesOf(this.story); }

  get chapters() { return this.story.chapters; }

  chapter(id) { return this.chapters.find(chapter => chapter.id === id); }

  event(id) { return this.chapters.flatMap(chapter => chapter.events).find(event => event.id === id); }

  /** The levels of audio for its visualizer; undefined if there are none. Throws if they cannot be loaded. */
  async levels(source) {
    const address = this.audio(source)?.levels;
    if (!address) return undefined;
    const response = await fetch(address);
    if (!response.ok) throw new StoryUnavailable(`${response.status} ${response.statusText}`.trim());
    const { Levels } = await import('./levels.js');
    return new Levels(await response.json());
  }
}

export const lockName = (id, version) => `wayreel-story/${id}/${version}`;
