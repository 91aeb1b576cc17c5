
import { OrientationSensor } from '../sensors/orientation-sensor.js';
import { PositionSensor } from '../sensors/position-sensor.js';
import { versionOf } from '../story/story-library.js';
import { showFace } from './face.js';
import { bestLanguage } from './language-lookup.js';
import { languageMenu } from './language-menu.js';
import { ask } from './notices.js';
import { PlaySession } from './play-session.js';
import { hasChosen, loadWords, say, wishes } from './words.js';

// The sessions of stories on this page. The engine is loaded with the first one.

/** The open sessions; the last one receives sensor values. */
export class PlaySessions {
  #open = new Map();
  #missing;

  constructor(app) {
    this.app = app;
    app.position = new PositionSensor(app.clock);
    app.orientation = new OrientationSensor();
    app.position.addEventListener('fix', () => this.current?.take(app.position.input));
    app.position.addEventListener('lost', () => this.current?.take({ lost: { timestamp: app.clock.text() } }));
    // Errors of images, audio and video do not bubble.
    addEventListener('error', ({ target }) => this.#missed(target.src), true);
    // Windows open and dwell times pass even without fixes.
    setInterval(() => this.current?.take({ clock: { timestamp: app.clock.text() } }), 5000);
  }

  /** Returns the session of a story, new or existing. Throws if there is no such story. */
  async session(id) {
    if (!this.#open.has(id)) this.#open.set(id, PlaySession.begin(this.app, id));
    try {
      this.current = await this.#open.get(id);
      // Before the view is made, as maps are drawn in its colours.
      showFace(this.current.media.face ?? null);
      await speak(this.current.media);
      return this.current;
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
  }

  /** Puts the menu of the story's languages into the bar of a view that has no other place for it. */
  addLanguages(view) {
    const actions = view.querySelector('.top-bar .actions');
    if (!this.current || !actions || view.querySelector('.of-story')) return;
    actions.prepend(...[languageMenu(this.current, true)].filter(Boolean));
  }

  /** Offers the new version of a story where media of the old one are no longer there. */
  #missed(address) {
    const { current, app } = this;
    const bundle = current && app.library.addresses(current.id).bundle;
    if (!bundle || current.media.isDownloaded || current.media.lacksLanguage || !address?.startsWith(bundle)) return;
    this.#missing ??= app.library.json(new URL('manifest.json', bundle)).then(manifest => {
      if (versionOf(manifest) === current.media.version) return;
      const action = { label: say('player.reload'), onclick: () => location.reload() };
      ask({ key: 'changed', symbol: 'download', title: say('story.changed'), action });
    }).catch(() => {}).finally(() => { this.#missing = undefined; });
  }

  /**
   * Drops a session, so that the next view starts a new one: after an update of the story, or if its journal was
   * cleared.
   */
  forget(id) {
    this.#open.delete(id);
    if (this.current?.id === id) this.current = undefined;
  }
}

/**
 * The page speaks the language in which a story of several is read, if the reader wants that one, and the page has it. A language that was
 * chosen on this device comes before it.
 */
async function speak({ story, languages }) {
  const wanted = wishes();
  const isWanted = languages.length > 1 && bestLanguage(languages, hasChosen() ? wanted.slice(0, 1) : wanted) === story.language;
  await loadWords(isWanted ? story.language : undefined).catch(() => {});
}
