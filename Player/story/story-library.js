/**
 * player.json beside index.html (written by `wayreel player`, answered by `wayreel serve`):
 *   {"service": true|false, "version": "hash of the player's files", "shell": ["index.html", "views/…", …], "api": "v1/"}
 * `shell`: all files of the player, relative to player.json, for the service worker. `api` may be left out.
 * Addresses relative to player.json, the same in both: v1/stories/{id}/manifest.json, v1/stories/{id}/media/…
 * Only of a static folder, with .json: v1/stories.json, v1/stories/{id}.json.
 */
export class StoryLibrary {
  /** Reads player.json. */
  static async open(base = new URL('../', import.meta.url)) {}
  hasService; base;
  /** [{id, name, language, description?, cover?, downloaded?: {version, bytes}}]: of the service or folder; without network those on the device. */
  async list() {}
  /** Opens a story: the downloaded version where there is one, else that of the network. Throws StoryUnavailable. */
  async story(id) {}
}
/** A story of one version with its manifest. */
export class OpenStory {
  id; version; story; manifest; isDownloaded;
  event(id) {}
  chapter(id) {}
  /** See media-choice.js. */
  image(source, role = "image") {}
  video(source) {}
  audio(source) {}
  async levels(source) {}
}
export class StoryUnavailable extends Error {}
