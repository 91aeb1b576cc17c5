// Shows the view of the address, and sets the title, the focus and the scroll position.

import { element } from './element.js';
import { houseName, showFace } from './face.js';
import { speak } from './notices.js';
import { loadWords, say } from './words.js';
import { topBar } from './top-bar.js';

/** The views by address, each loaded when it is first shown. */
const routes = [
  ['', () => import('../views/stories-view.js')],
  // A story's id begins with a letter or digit.
  ['~account', () => import('../views/account-view.js')],
  [':story', () => import('../views/chapters-view.js')],
  [':story/chapter/:chapter', () => import('../views/chapter-view.js')],
  [':story/map/:chapter', () => import('../views/exploration-view.js')],
  [':story/tour/:chapter', () => import('../views/tour-view.js')],
  [':story/event/:event', () => import('../views/event-view.js')],
  [':story/code', () => import('../codes/code-view.js')],
  [':story/code/:code', () => import('../codes/code-view.js')],
  [':story/journal', () => import('../views/journal-view.js')],
  [':story/ending', () => import('../views/ending-view.js')],
  [':story/collection', () => import('../collections/collection-view.js')],
  [':story/section/:section', () => import('../collections/section-view.js')],
  [':story/item/:item', () => import('../collections/item-view.js')],
  [':story/news', () => import('../collections/news-view.js')],
  [':story/about', () => import('../collections/about-view.js')],
  [':story/credits', () => import('../collections/credits-view.js')],
];

/** Returns the address of a view: `link(story, 'chapter', chapter)`. */
export function link(...parts) {
  return '#/' + parts.map(encodeURIComponent).join('/');
}

/**
 * Shows views: modules with a function `show(parameters, app, signal)` that returns `{title, body, opened?, close?}`. The
 * AbortSignal removes the view's event listeners.
 */
export class Router {
  /** The number of views so far, by which a view that loads too late is dropped. */
  #count = 0;
  #view;
  #life;
  /** That of the view's story, see `showFace`. */
  #face;

  constructor(place, app) {
    this.place = place;
    this.app = app;
  }

  start() {
    addEventListener('hashchange', () => this.show());
    return this.show();
  }

  /** Shows the view of the address, even if it is already shown; `again` leaves the reader where it is in the view. */
  async show({ again = false } = {}) {
    const count = ++this.#count;
    const life = new AbortController();
    const address = location.hash;
    const [view, face] = await this.#load(life.signal);
    if (count !== this.#count) {
      life.abort();
      view.close?.();
      showFace(this.#face);
      return;
    }
    const place = again && { top: scrollY, field: document.activeElement?.name };
    this.#life?.abort();
    this.#view?.close?.();
    [this.#view, this.#life, this.#face] = [view, life, face];
    this.place.replaceChildren(view.body);
    this.place.dataset.address = address;
    showFace(face);
    document.title = view.title === houseName() ? view.title : `${view.title} · ${houseName()}`;
    view.opened?.();
    if (count === 1) return;
    if (place) {
      scrollTo(0, place.top);
      if (place.field) this.place.querySelector(`[name="${CSS.escape(place.field)}"]`)?.focus({ preventScroll: true });
      return;
    }
    // A screen reader starts at the new view's heading. Orca does not read it by itself, because the focused link is gone.
    scrollTo(0, 0);
    const heading = this.place.querySelector('h1');
    heading?.setAttribute('tabindex', '-1');
    (heading ?? this.place).focus({ preventScroll: true });
    // A heading with the same words may be an author's, in its language.
    const isSame = heading?.textContent === view.title;
    speak(element('span', { lang: isSame && heading.lang ? heading.lang : null }, view.title));
  }

  async #load(signal) {
    try {
      const { load, parameters } = match(location.hash);
      // A story's view and the engine are loaded at the same time.
      const [module] = await Promise.all([load(), parameters.story && this.app.play()]);
      if (!parameters.story) {
        showFace();
        await loadWords().catch(() => {});
      }
      const view = await module.show(parameters, this.app, signal);
      if (parameters.story) this.app.sessions.addLanguages(view.body);
      return [view, parameters.story && (this.app.sessions.current?.media.face ?? null)];
    } catch (error) {
      console.error(error);
      return [failure(error)];
    }
  }
}

function match(hash) {
  const parts = hash.replace(/^#\/?/, '').split('/').map(part => decodeURIComponent(part));
  for (const [pattern, load] of routes) {
    const names = pattern.split('/');
    if (names.length !== parts.length) continue;
    if (!names.every((name, index) => (name.startsWith(':') ? parts[index] !== '' : name === parts[index]))) continue;
    const named = names.map((name, index) => [name.slice(1), parts[index]]);
    return { load, parameters: Object.fromEntries(named.filter((_, index) => names[index].startsWith(':'))) };
  }
  throw new Error(say('trouble.address'));
}

function failure(error) {
  if (error.name === 'StoryUnknown') {
    const words = [element('p', {}, say('trouble.unknown')), element('a.primary', { href: '#/' }, say('trouble.stories'))];
    return trouble(say('trouble.noStory'), words);
  }
  return trouble(say('trouble.title'), [
    element('p', {}, say('trouble.body')),
    element('p.soft', { dir: 'auto' }, error.name === 'StoryUnavailable' ? say(`trouble.${error.reason}`) : error.message),
    element('button.primary', { type: 'button', onclick: () => location.reload() }, say('trouble.again')),
    element('a.secondary', { href: '#/' }, say('trouble.stories')),
  ]);
}

function trouble(title, words) {
  return { title, body: element('div.page', {}, topBar({ title, back: '#/' }), element('div.plate', {}, words)) };
}
