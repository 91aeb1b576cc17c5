/** Chooses a bundle's files for a screen (Documentation/bundles.md). */

const types = {
  image: ['image/jpeg', 'image/png', 'image/webp', 'image/avif'],
  audio: ['audio/mp4', 'audio/mpeg', 'audio/aac'],
  video: ['application/vnd.apple.mpegurl', 'video/mp4', 'video/webm'],
  levels: ['application/json'],
  plot: ['image/svg+xml'],
  captions: ['text/vtt'],
};

/** Files of a bundle must be in its media folder. */
const mediaPath = /^media(\/(?!\.)[\w.-]+)+$/;

export const isMediaPath = path => typeof path === 'string' && mediaPath.test(path);

/** The smallest of a bundle's screens that is as wide as this device's, else the largest; undefined if it has none. */
export function chooseScreen(screens, { width, height }) {
  const needed = Math.min(width, height);
  const sorted = [...screens ?? []].sort((a, b) => a.width - b.width);
  return sorted.find(screen => screen.width >= needed) ?? sorted.at(-1);
}

/** All paths of a file: a playlist of HLS has parts. */
export const pathsOf = file => [file, ...file.parts ?? []];

/** Returns the uses of media that a story needs in a language; one without its own, such as `qps`, has those of the story's own language. */
export function mediaIn(language, { media, story }) {
  const wanted = story?.languages?.includes(language) === false ? story.language : language;
  return media.filter(({ languages }) => !languages || wanted === undefined || languages.includes(wanted));
}

/** The paths of the tiles of base maps, of the story and of its chapters. */
export function tilePaths({ ground }) {
  return [ground, ...Object.values(ground?.chapters ?? {})].flatMap(entry => Object.values(entry?.tiles ?? {}));
}

export class MediaChoice {
  #files = new Map();
  #entries;
  #screen;
  #base;

  /**
   * `base`: the bundle's URL, with a slash at its end; `screen`: this device's, in pixels; `only`: a Set of the paths
   * that are on the device, if others cannot be loaded; `language`: that of the story, in which it may have its own files.
   * Files outside of the media folder are ignored.
   */
  constructor(manifest, base, { screen, only, language } = {}) {
    this.#base = base;
    this.#screen = screen && chooseScreen(manifest.screens, screen)?.name;
    for (const file of manifest.files) {
      if (isMediaPath(file.path) && (!only || only.has(file.path))) this.#files.set(file.path, file);
    }
    this.#entries = mediaIn(language, manifest).filter(entry => this.#files.has(entry.path));
  }

  /** The files of a source and role, each once: `{url, type, width, height, seconds, isForScreen}`. */
  #candidates(source, role, kind = role, event = undefined) {
    const found = new Map();
    for (const entry of this.#entries) {
      const file = this.#files.get(entry.path);
      const isWanted = entry.source === source && entry.role === role && types[kind].includes(file.type)
        && (event === undefined || entry.event === event);
      if (!isWanted) continue;
      const isForScreen = entry.screen === undefined || entry.screen === this.#screen
        || found.get(entry.path)?.isForScreen;
      const { type, width, height } = file;
      found.set(entry.path, {
        url: new URL(entry.path, this.#base).href, type, width, height, seconds: file.seconds || undefined, isForScreen,
      });
    }
    return [...found.values()];
  }

  /**
   * An image for `<img>`: `{src, srcset, width, height, candidates}`, or undefined. `role`: 'image', 'preview' or
   * 'poster'; `event`: whose preview, if events treat the same sample differently.
   */
  image(source, role = 'image', event = undefined) {
    const candidates = this.#candidates(source, role, 'image', event).sort((a, b) => a.width - b.width);
    if (!candidates.length) return undefined;
    const { url, width, height } = candidates.find(candidate => candidate.isForScreen) ?? candidates.at(-1);
    const srcset = candidates.map(candidate => `${candidate.url} ${candidate.width}w`).join(', ');
    return { src: url, srcset, width, height, candidates };
  }

  /** A video: `{sources: [{url, type, width, height}], poster?, seconds}`, the one for this screen first; or undefined. */
  video(source) {
    const sources = this.#candidates(source, 'video').sort((a, b) =>
      Boolean(b.isForScreen) - Boolean(a.isForScreen) || types.video.indexOf(a.type) - types.video.indexOf(b.type)
      || b.width - a.width);
    return sources.length ? { sources, poster: this.image(source, 'poster'), seconds: sources[0].seconds } : undefined;
  }

  /** The URL of a file of the bundle; undefined if it has none at the path, or it is not on the device and cannot be loaded. */
  address(path) { return this.#files.has(path) ? new URL(path, this.#base).href : undefined; }

  /** The URL of the house's font; undefined if it has none. */
  get font() {
    const path = this.#entries.find(({ role }) => role === 'font')?.path;
    return this.#files.get(path)?.type === 'font/woff2' ? new URL(path, this.#base).href : undefined;
  }

  /** The URL of captions as WebVTT; undefined if there are none. */
  captions(source) { return this.#candidates(source, 'captions')[0]?.url; }

  /** Audio: `{url, type, seconds, levels?, plot?}`, the last two URLs; or undefined. */
  audio(source) {
    const [audio] = this.#candidates(source, 'audio');
    if (!audio) return undefined;
    const [levels, plot] = ['levels', 'plot'].map(role => this.#candidates(source, role)[0]?.url);
    return { ...audio, levels, plot };
  }
}
