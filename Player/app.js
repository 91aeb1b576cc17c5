// The entry point: loads the texts and the list of stories, then shows the view of the page's address.

import { hasWords, loadWords, say } from './components/words.js';
import { element } from './components/element.js';
import { houseName, setSiteFace } from './components/face.js';
import { ask, notify } from './components/notices.js';
import { Router } from './components/router.js';
import { followKeyboard } from './components/sheet.js';
import { shortcutListener } from './components/shortcuts.js';
import { StoryLibrary } from './story/story-library.js';
import { takeFromAddress, watchAccount } from './journal/account.js';
import { DeviceClock } from './journal/device-clock.js';

/** Takes what a link for signing in says from the page's address: `[kind, value]`. */
function takeSent() {
  for (const kind of ['token', 'pair', 'sign-in', 'sign-in-error']) {
    const value = takeFromAddress(kind);
    if (value) return [kind, value];
  }
  return undefined;
}

/** The services that all views share. */
class App {
  #playing;
  #store;

  static async start() {
    const app = new App();
    const sent = takeSent();
    const opening = StoryLibrary.open();
    // Whatever the other fault is, it is told in the page's language.
    opening.catch(() => {});
    await loadWords();
    app.library = await opening;
    setSiteFace(app.library.face);
    app.clock = new DeviceClock();
    app.router = new Router(document.getElementById('view'), app);
    watchAccount(() => location.reload());
    // A link may also be put into the address of an open page, before the router reads it.
    addEventListener('hashchange', () => app.signIn(takeSent()));
    addEventListener('keydown', shortcutListener('page', app));
    // A browser's own offer would come before anybody knows what the page is.
    addEventListener('beforeinstallprompt', event => {
      event.preventDefault();
      app.installPrompt = event;
    });
    followKeyboard();
    await app.router.start();
    performance.mark('wayreel-ready');
    app.signIn(sent);
    await app.install();
    await app.startBackgroundWork();
  }

  /** Returns the session of a story, new or existing. Throws if there is no such story. */
  async session(id) {
    await this.play();
    return this.sessions.session(id);
  }

  /** Returns a session likewise, for a view of places: with the sensors, as far as they are permitted. */
  async outdoorSession(id) {
    const session = await this.session(id);
    this.position.startIfPermitted();
    this.orientation.startIfPermitted();
    return session;
  }

  /** Loads the engine and the sensors once; in an author's preview, its simulated sensors instead. */
  play() {
    return this.#playing ??= this.#play().catch(error => {
      this.#playing = undefined;
      throw error;
    });
  }

  async #play() {
    const isPreview = new URLSearchParams(location.search).has('preview');
    const [{ PlaySessions }, preview] = await Promise.all([
      import('./components/play-sessions.js'), isPreview && import('./preview/preview.js')]);
    this.sessions = new PlaySessions(this);
    preview?.preparePreview?.(this);
  }

  /** The journals of this device. */
  get store() { return this.#store ??= import('./journal/journal-store.js').then(({ JournalStore }) => JournalStore.open()); }

  /** Asks the service about what a link says, and the person; until both agree, nothing changes. */
  async signIn([kind, value] = []) {
    if (!kind) return;
    try {
      const { signInByLink } = await import('./journal/sign-in.js');
      await signInByLink(this, kind, value);
    } catch (error) {
      const { title, text } = error.words ?? { title: say('account.linkUnknown'), text: say('account.linkLater') };
      notify({ key: 'sign-in', symbol: 'cross', title, text });
    }
  }

  /** Installs the service worker, which stores the player on the device. The page also works without it. */
  async install() {
    if (!('serviceWorker' in navigator)) return;
    try {
      const { Installation } = await import('./offline/installation.js');
      this.installation = await Installation.start();
      this.installation.addEventListener('update', () => this.offerUpdate());
    } catch (error) {
      console.warn('The player is not stored on this device.', error);
    }
  }

  /** Offers to install the page, which has just been of use. */
  async offerInstallation() {
    const { offerInstallation } = await import('./offline/install-offer.js');
    offerInstallation(this);
  }

  offerUpdate() {
    const reload = async () => {
      await this.installation.apply();
      location.reload();
    };
    ask({ key: 'update', symbol: 'download', title: say('player.update'), action: { label: say('player.reload'), onclick: reload } });
  }

  /** Starts what can wait for the first view: sending captures, and removing old versions of stories. */
  async startBackgroundWork() {
    const { CaptureQueue } = await import('./journal/capture-queue.js');
    await CaptureQueue.of(this);
    const { StoryDownloads } = await import('./offline/story-downloads.js');
    await StoryDownloads.of(this).tidy();
  }
}

/** Shows a fault before which there is no view. The texts may be missing, too. */
function showFault(error) {
  console.error(error);
  const text = hasWords() ? say(error.name === 'StoryUnavailable' ? `trouble.${error.reason}` : 'trouble.body')
    : 'The page could not be loaded. Look for a network, and try again.';
  const again = element('button.primary', { type: 'button', onclick: () => location.reload() }, hasWords() ? say('trouble.again') : 'Try again');
  document.getElementById('view').replaceChildren(element('div.page', {},
    element('header.masthead', {}, element('h1', {}, houseName())),
    element('div.plate', { role: 'alert' }, element('p', {}, text), again)));
}

App.start().catch(showFault);
