// A player's session in one story: passes inputs to the engine, and outcomes to the journal and the views.

import { plainText } from '../engine/plain-text.js';
import { Playback } from '../engine/playback.js';
import { StorageFull } from '../journal/journal-store.js';
import { own } from '../story/text-languages.js';
import { arrivalOf, signalArrival } from './arrival.js';
import { continueListening } from './listening.js';
import { notify } from './notices.js';
import { obstacleOf } from './obstacle.js';
import { link } from './router.js';
import { say } from './words.js';

/**
 * Events: `change` after an input that changed something, `sync` when `syncState` changes, `fix`, `clock` when time has passed,
 * and `outcome` for each outcome.
 */
export class PlaySession extends EventTarget {
  /** The obstacles of events by id, until something changes or time passes. */
  #obstacles = new Map();

  static async begin(app, id) {
    const media = await app.library.story(id);
    const store = await app.store;
    const session = new PlaySession(app, media, store, await store.contents(id));
    // Opens the chapters that are open from the beginning without waiting for the first fix.
    session.takeNow('clock', {});
    session.#synchronize();
    return session;
  }

  constructor(app, media, store, contents) {
    super();
    this.app = app;
    this.id = media.id;
    this.store = store;
    this.contents = contents;
    this.#open(media);
  }

  /** Takes a story, and resumes it where the journal is. */
  #open(media) {
    this.media = media;
    this.story = media.story;
    this.playback = new Playback(this.story, { contents: this.contents.document(this.id) });
    this.events = new Map(this.story.chapters.flatMap(chapter => chapter.events.map(event => [event.id, event])));
    this.lockboxes = new Map(this.story.chapters.flatMap(chapter => chapter.lockboxes.map(lockbox => [lockbox.id, lockbox])));
    this.#index();
    this.#obstacles.clear();
  }

  /** Goes on with the same journal in another language of the story, with its media. Throws StoryUnavailable. */
  async readIn(language) {
    const before = this.events;
    this.#open(await this.app.library.story(this.id, language));
    continueListening(this, before);
    if (this.app.position.last) this.take(this.app.position.input);
    this.dispatchEvent(new Event('change'));
  }

  /** Caches the journal's entries, which the journal computes at each call. */
  #index() {
    ({ found: this.found, opened: this.opened, scores: this.scores } = this.contents);
  }

  get language() {
    return this.story.language;
  }

  /** Returns the attributes `{lang, dir}` of an element with a text: the field `name` of a part of the story. */
  own(part, name) {
    return own(part, name, this.story);
  }

  chapter(id) {
    const chapter = this.story.chapters.find(chapter => chapter.id === id);
    if (!chapter) throw new Error(say('trouble.chapter'));
    return chapter;
  }

  chapterOf(eventID) {
    return this.story.chapters.find(chapter => chapter.events.some(event => event.id === eventID));
  }

  /** Whether there was no network to open the story, and it was not downloaded. */
  get lacksMedia() {
    return !this.media.isDownloaded && (this.media.isKept || !navigator.onLine);
  }

  isFound(eventID) {
    return this.found.has(eventID);
  }

  /** Returns why an event cannot be found now, as obstacle.js says it; undefined if it can. */
  obstacle(event) {
    if (this.isFound(event.id)) return undefined;
    if (!this.#obstacles.has(event.id)) this.#obstacles.set(event.id, obstacleOf(this, event, this.app.clock.text()));
    return this.#obstacles.get(event.id);
  }

  /** Applies an input and returns its outcomes. */
  take(input) {
    const outcomes = this.playback.step(input);
    if (outcomes.length > 0 || input.clock) this.#obstacles.clear();
    const value = Object.values(input)[0];
    if (outcomes.length > 0) {
      this.contents.add(outcomes);
      this.#index();
      this.#keep(outcomes);
      for (const outcome of outcomes) {
        this.#notify(outcome);
        this.dispatchEvent(new CustomEvent('outcome', { detail: outcome }));
      }
      this.dispatchEvent(new Event('change'));
    }
    if (input.fix) this.dispatchEvent(new CustomEvent('fix', { detail: value }));
    if (input.clock) this.dispatchEvent(new Event('clock'));
    return outcomes;
  }

  /** Applies an input of the player with the current time. */
  takeNow(name, value) {
    return this.take({ [name]: { ...value, timestamp: this.app.clock.text() } });
  }

  async #keep(outcomes) {
    try {
      await this.store.record(this.id, outcomes);
    } catch (error) {
      const isFull = error instanceof StorageFull;
      notify({ key: 'storage', symbol: 'device', title: say(isFull ? 'storage.full' : 'storage.trouble'), text: say('storage.fullAdvice'), seconds: 30 });
    }
  }

  /** Merges the journals of the player's other devices during play. */
  async #synchronize() {
    const { JournalSync } = await import('../journal/journal-sync.js');
    const { library, clock } = this.app;
    const { store } = this;
    this.sync = new JournalSync({ library, store, clock });
    this.sync.addEventListener('state', ({ detail }) => {
      this.syncState = detail;
      this.dispatchEvent(new Event('sync'));
    });
    store.addEventListener('change', async ({ detail }) => {
      if (detail.story !== this.id) return;
      const contents = await store.contents(this.id);
      if (!this.contents.merge(contents)) return;
      this.#open(this.media);
      if (this.app.position.last) this.take(this.app.position.input);
      this.dispatchEvent(new Event('change'));
    });
    this.sync.start(this.id);
  }

  #notify(outcome) {
    const event = this.events.get(outcome.event);
    switch (outcome.outcome) {
    case 'found': {
      const { sound } = arrivalOf(event, this.story);
      signalArrival(this, event);
      notify({
        key: `found-${event.id}`, symbol: event.content.type, kind: event.content.type, title: event.name,
        text: say('found.text'), heard: sound?.alt, language: this.own(event, 'name').lang, heardLanguage: this.own(sound, 'alt').lang,
        action: { label: say('found.open'), href: link(this.id, 'event', event.id) },
      });
      this.app.offerInstallation?.();
      break;
    }
    case 'near': {
      const obstacle = this.obstacle(event);
      notify({ key: 'near', symbol: obstacle?.symbol ?? 'walk', title: say('near.title'), text: obstacle?.text ?? say('near.text'), words: obstacle?.words });
      break;
    }
    case 'lockbox-opened': {
      const lockbox = this.lockboxes.get(outcome.lockbox);
      const text = plainText(lockbox?.question ?? '');
      notify({ key: 'lockbox', symbol: 'open', title: say('lockbox.opened'), text, textLanguage: this.own(lockbox, 'question').lang });
      break;
    }
    case 'chapter-done': {
      const chapter = this.story.chapters.find(chapter => chapter.id === outcome.chapter);
      const action = { label: say('chapter.next'), href: link(this.id) };
      notify({ key: 'done', symbol: 'check', title: say('chapter.done'), text: chapter?.name, textLanguage: this.own(chapter, 'name').lang, action });
      break;
    }
    case 'story-done': {
      const action = { label: say('ending.link'), href: link(this.id, 'ending') };
      notify({ key: 'done', symbol: 'flag', title: say('story.done'), text: this.story.name, textLanguage: this.own(this.story, 'name').lang, action });
      break;
    }
    }
  }
}
