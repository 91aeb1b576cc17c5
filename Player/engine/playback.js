/**
 * Plays a story: inputs go in, outcomes come out, the same as those of Swift's `Playback` (Documentation/playback.md).
 * The inputs' own times are its only clock; it reads no files and shows nothing.
 */
import { asAnswer } from './answer-text.js';
import { compiled, holds, leaves, mayHold, unmet } from './conditions.js';
import { blocker, stage } from './explanation.js';
import { countedAccuracy, fenceRules } from './fence-rules.js';
import { Fence, FenceState } from './fence.js';
import { FixFilter, fixFault } from './fix-filter.js';
import { boxesAround, boxesMeet } from './near-boxes.js';
import { plainText } from './plain-text.js';
import { Surroundings } from './surroundings.js';
import { parseTime, timeText } from './timestamps.js';
import { WindowSchedule } from './windows.js';

/** A story that cannot be played: a condition refers to something missing, an id is used twice, a zone is unknown. */
export class StoryError extends Error {}

/** The maximum bytes of an answer, an id or a path. */
const longestText = 4000;

/** The files that an event's content shows or plays, in order. */
const mediaOf = {
  camera: camera => camera.sample ? [camera.sample.source] : [],
  radio: radio => radio.tracks.map(track => track.audio.source),
  scrapbook: ({ items }) => items.flatMap(item => item.source ?? []),
  goggles: goggles => goggles.pins.map(pin => pin.image.source),
  quiz: quiz => quiz.questions.flatMap(question => question.image?.source ?? []),
};

export class Playback {
  #rules;
  #chapters = [];
  #events = [];
  #lockboxes = [];
  #eventNumbers = new Map();
  #lockboxNumbers = new Map();
  #surroundings;
  // Permanent progress, by the numbers of events, lockboxes and chapters.
  #facts = { found: new Set(), opened: new Set(), available: new Set() };
  #wrongAnswers = new Map();
  #answered = new Set();
  #fixFilter = new FixFilter();
  /** The events that the player is at or near, in the author's order. */
  #fences = [];
  #hasBegun = false;
  /** The last fix and its verdict; see `explain`. */
  #lastFix;

  /**
   * @param {object} story the JSON of `v1/stories/{id}`, of version 2 (story/story-format.js)
   * @param {{rules?: object, contents?: object}} options `rules`: those of fence-rules.js that differ from the
   *   defaults; `contents`: the journal to resume, a document as of journal.schema.json
   * Throws a StoryError for a story that cannot be played, and a RangeError for a rule out of its range.
   */
  constructor(story, { rules, contents } = {}) {
    this.#rules = fenceRules(rules);
    const windows = new Map();
    for (const [number, chapter] of story.chapters.entries()) {
      const [firstEvent, firstLockbox] = [this.#events.length, this.#lockboxes.length];
      for (const event of chapter.events) this.#events.push(this.#part(event, number));
      for (const lockbox of chapter.lockboxes) {
        this.#lockboxes.push({ ...lockbox, chapter: number, accepted: lockbox.answers.map(asAnswer) });
      }
      this.#chapters.push({
        id: chapter.id, isSequence: chapter.order === 'sequence',
        events: range(firstEvent, this.#events.length), lockboxes: range(firstLockbox, this.#lockboxes.length),
      });
    }
    this.#eventNumbers = numbers(this.#events, 'events');
    this.#lockboxNumbers = numbers(this.#lockboxes, 'lockboxes');
    numbers(this.#chapters, 'chapters');
    const schedule = window => {
      const key = JSON.stringify(window);
      if (!windows.has(key)) windows.set(key, new WindowSchedule(window));
      return windows.get(key);
    };
    for (const part of this.#events) {
      const number = (kind, id) => {
        const found = (kind === 'event' ? this.#eventNumbers : this.#lockboxNumbers).get(id);
        if (found === undefined) throw new StoryError(`'${part.id}' asks for the ${kind} '${id}', which is not there`);
        return found;
      };
      try {
        part.condition = part.event.condition && compiled(part.event.condition, number, schedule);
        part.window = part.event.window && schedule(part.event.window);
      } catch (error) {
        throw error instanceof StoryError ? error : new StoryError(`'${part.id}': ${error.message}`, { cause: error });
      }
    }
    this.#surroundings = new Surroundings(story.chapters);
    this.#openFirstChapters();
    if (contents) this.#resume(contents);
  }

  #part(event, chapter) {
    const { radius, trigger, dwellSeconds, code, codeHash } = event.activation;
    if (fixFault(event.position) || !(radius > 0 && radius <= 1_000_000) || !((dwellSeconds ?? 0) >= 0)) {
      throw new StoryError(`the position, radius or seconds of '${event.id}' are out of range`);
    }
    const { content } = event;
    const fence = new Fence(event, this.#rules);
    return {
      id: event.id, event, chapter, fence, trigger, code: codeHash ?? code, media: mediaOf[content.type]?.(content) ?? [],
      boxes: boxesAround(event.position, fence.nearRadius),
      questions: content.type === 'quiz' ? content.questions : [], takesCaptures: content.type === 'camera',
    };
  }

  // Inputs

  /**
   * Applies an input, an object with one key such as `{fix: {position, accuracy, timestamp}}`, and returns its outcomes
   * in order: `[{timestamp, outcome: 'found', event, …}]`. Documentation/playback.md lists both. An invalid input
   * changes nothing: `fault` says what is wrong with it.
   */
  step(input) {
    const [[kind, values]] = Object.entries(input);
    const time = parseTime(values.timestamp);
    if (time === undefined) return [];
    const outcomes = [];
    const report = (outcome, values) => outcomes.push({ timestamp: timeText(time), outcome, ...values });
    if (!this.#hasBegun) this.#begin(report);
    const isSound = this.fault(input) === undefined;
    switch (kind) {
      case 'fix': this.#move({ ...flat(values), time }, report); break;
      case 'lost': this.#fixFilter.lose(); break;
      case 'clock': this.#stay(time, report); break;
      case 'answer':
        if (!isSound) break;
        this.#answer(values, report);
        this.#stay(time, report);
        break;
      case 'code':
        if (!isSound) break;
        this.#enter(values.text, time, report);
        this.#stay(time, report);
        break;
      case 'quiz':
        if (isSound) this.#answerQuiz(values, report);
        break;
      case 'capture': {
        if (!isSound || !this.#facts.found.has(this.#eventNumbers.get(values.event))) break;
        const { event, id, file } = values;
        report('capture-kept', file === undefined ? { event, id } : { event, id, file });
      }
    }
    return outcomes;
  }

  /** The reason why an input is invalid for this story, in English; undefined if it is valid. */
  fault(input) {
    const [[kind, values]] = Object.entries(input);
    if (parseTime(values.timestamp) === undefined) {
      return `'${values.timestamp}' is not a time of RFC 3339 in the years 1 to 9999`;
    }
    const event = this.#events[this.#eventNumbers.get(values.event)];
    switch (kind) {
      case 'fix': return fixFault(flat(values));
      case 'heading': return Number.isFinite(values.degrees) ? undefined : 'the heading is not a number';
      case 'answer':
        if (!this.#lockboxNumbers.has(values.lockbox)) return `the story has no lockbox '${values.lockbox}'`;
        return textFault('an answer', values.text);
      case 'code': return textFault('a code', values.text);
      case 'quiz': {
        if (!event) return `the story has no event '${values.event}'`;
        const question = event.questions[values.question];
        if (!question) return `'${values.event}' has no question ${values.question}`;
        const { choices } = values;
        const isSound = choices.length > 0 && choices.length <= question.choices.length
          && choices.every(choice => question.choices[choice]);
        const count = question.choices.length;
        return isSound ? undefined : `question ${values.question} has ${count} choices, counted from 0`;
      }
      case 'capture':
        if (!event) return `the story has no event '${values.event}'`;
        if (!event.takesCaptures) return `the event '${values.event}' is not a camera event`;
        if (!values.id) return 'the capture has no id';
        return textFault("a capture's id", values.id) ?? textFault("a capture's file", values.file ?? '');
      case 'clock':
      case 'lost': return undefined;
      default: return `an input of the unknown kind '${kind}'`;
    }
  }

  // Answers

  #answer({ lockbox: id, text }, report) {
    const number = this.#lockboxNumbers.get(id);
    const lockbox = this.#lockboxes[number];
    if (!this.#facts.available.has(lockbox.chapter) || this.#asked(this.#chapters[lockbox.chapter]) !== number) return;
    if (lockbox.accepted.includes(asAnswer(text))) {
      report('lockbox-opened', { lockbox: id, text });
      this.#open(number, report);
      return;
    }
    const hint = hintAfter(lockbox, this.#countWrongAnswer(number));
    report('answer-wrong', hint === undefined ? { lockbox: id, text } : { lockbox: id, text, hint });
  }

  #countWrongAnswer(lockbox) {
    const count = (this.#wrongAnswers.get(lockbox) ?? 0) + 1;
    this.#wrongAnswers.set(lockbox, count);
    return count;
  }

  /** The event of a code, or in a bundle of its hash, without spaces and in capitals; undefined if there is none. */
  eventOfCode(text) { return this.#events.find(({ code }) => code === text)?.event; }

  /** Finds the event of a code, if it may be found; where the player is does not matter. */
  #enter(text, time, report) {
    const found = this.eventOfCode(text);
    const number = this.#eventNumbers.get(found?.id);
    if (!found) report('code-wrong', { text });
    else if (this.#mayBeFoundAt(number, time)) this.#reportFound(number, found.position, report);
  }

  #answerQuiz({ event: id, question, choices }, report) {
    const number = this.#eventNumbers.get(id);
    const key = `${id}/${question}`;
    if (!this.#facts.found.has(number) || this.#answered.has(key)) return;
    this.#answered.add(key);
    const asked = this.#events[number].questions[question];
    const correct = asked.choices.every((choice, index) => choice.isCorrect === choices.includes(index));
    report('quiz-answered', { event: id, question, choices, correct, points: correct ? asked.points : 0 });
  }

  // Positions

  #move(fix, report) {
    const judgement = this.#fixFilter.judge(fix, this.#rules);
    if (!judgement.isUsed) {
      this.#lastFix = { fix, judgement };
      return;
    }
    const place = this.#fixFilter.last;
    if (judgement.startsAnew) for (const state of this.#fences) state.reset(fix.time, judgement.rested);
    this.#track(place, judgement.leg);

    const leaving = new Set();
    const passing = new Map();
    for (const state of this.#fences) {
      const { id, fence } = this.#events[state.event];
      const mayBeNear = () => this.#mayBeFound(state.event);
      const change = fence.apply(place, judgement.leg, this.#rules, mayBeNear, state);
      if (!change) continue;
      // To the centimetre, finer than any receiver.
      const distance = Math.round(change.distance * 100) / 100;
      if (change.isNear) report('near', { event: id, distance });
      if (change.entered) report('entered', { event: id, distance });
      if (change.dwelt !== undefined) report('dwelt', { event: id, seconds: change.dwelt });
      if (change.passing) passing.set(state.event, change.passing);
      if (change.left) {
        report('left', { event: id, distance });
        leaving.add(state.event);
      }
    }
    const facts = { found: new Set(this.#facts.found), opened: new Set(this.#facts.opened) };
    const fences = new Map(this.#fences.map(({ event, voteCount, isInside }) => [event, { votes: voteCount, isInside }]));
    this.#lastFix = { fix, judgement, place, facts, fences };
    this.#fire(fix.time, leaving, passing, report);
    this.#removeDistantFences();
  }

  /** Time passes at the last position. */
  #stay(time, report) {
    const { last } = this.#fixFilter;
    if (!last || Math.abs(time - last.time) > this.#rules.restsFor * 1000) return;
    for (const state of this.#fences) {
      const { id, fence } = this.#events[state.event];
      if (!state.isPresent || !state.touches || state.hasDwelt || state.since === undefined) continue;
      const seconds = (time - state.since) / 1000;
      if (fence.dwell === undefined || seconds < fence.dwell) continue;
      state.hasDwelt = true;
      report('dwelt', { event: id, seconds });
    }
    this.#fire(time, new Set(), new Map(), report);
    this.#removeDistantFences();
  }

  /** Starts tracking events that the player may now be near. */
  #track(place, leg) {
    const around = boxesAround(place, (leg?.length ?? 0) * 1.01 + 1);
    const known = new Set(this.#fences.map(state => state.event));
    for (const [number, { boxes }] of this.#events.entries()) {
      if (!known.has(number) && !this.#facts.found.has(number) && boxesMeet(boxes, around)) {
        this.#fences.push(new FenceState(number));
      }
    }
    this.#fences.sort((a, b) => a.event - b.event);
  }

  #removeDistantFences() {
    this.#fences = this.#fences.filter(({ event, isInside, votes, isNear }) =>
      isInside || !this.#facts.found.has(event) && (votes || isNear));
  }

  /** Finds triggered events that may be found, in the author's order, until no more become available. */
  #fire(time, leaving, passing, report) {
    const { last } = this.#fixFilter;
    if (!last) return;
    const triggered = this.#fences.filter(({ event, isPresent, hasDwelt }) => {
      const isThere = isPresent || passing.has(event);
      const { trigger } = this.#events[event];
      return trigger === 'exit' ? leaving.has(event) : isThere && (trigger === 'enter' || hasDwelt);
    }).map(({ event }) => event);
    let isMore = triggered.length > 0;
    while (isMore) {
      isMore = false;
      for (const event of triggered) {
        if (!this.#mayBeFoundAt(event, time)) continue;
        this.#reportFound(event, passing.get(event) ?? last, report);
        isMore = true;
      }
    }
  }

  #reportFound(event, { latitude, longitude, altitude }, report) {
    const { id, media } = this.#events[event];
    const position = altitude === undefined ? { latitude, longitude } : { latitude, longitude, altitude };
    report('found', { event: id, position });
    report('show', { event: id, media });
    this.#find(event, report);
  }

  // Findings and their consequences

  /** Whether an event may be found, disregarding its window and the lockboxes in `openable`. */
  #mayBeFound(event, openable = []) {
    if (this.#facts.found.has(event)) return false;
    const { chapter, condition } = this.#events[event];
    if (this.#chapters[chapter].isSequence && this.#firstLeft(this.#chapters[chapter]) !== event) return false;
    return !condition || mayHold(condition, this.#facts, openable);
  }

  #mayBeFoundAt(event, time) {
    const { window, condition } = this.#events[event];
    return this.#mayBeFound(event) && (!window || window.isOpen(time))
      && (!condition || holds(condition, this.#facts, time));
  }

  #firstLeft(chapter) { return chapter.events.find(event => !this.#facts.found.has(event)); }

  /** The lockbox that is asked next in a chapter. */
  #asked(chapter) { return chapter.lockboxes.find(lockbox => !this.#facts.opened.has(lockbox)); }

  /** Reports the chapters that are available and not done, and their lockboxes, also those of a resumed journal. */
  #begin(report) {
    this.#hasBegun = true;
    for (const chapter of this.#availableChapters()) {
      if (this.#isChapterDone(chapter)) continue;
      report('chapter-available', { chapter: chapter.id });
      this.#ask(chapter, report);
    }
  }

  /** Makes chapters available that wait for nothing, also those without events. */
  #openFirstChapters() {
    const nothing = () => {};
    for (const [number, chapter] of this.#chapters.entries()) {
      if (!chapter.events.length) this.#openChapter(number, nothing);
      this.#openChapters(chapter.events, nothing);
    }
  }

  /**
   * Makes chapters available that have an event among the candidates which may be found now, disregarding the lockboxes
   * of its own chapter.
   */
  #openChapters(candidates, report) {
    for (const event of candidates) {
      const { chapter } = this.#events[event];
      if (this.#facts.available.has(chapter) || !this.#mayBeFound(event, this.#chapters[chapter].lockboxes)) continue;
      this.#openChapter(chapter, report);
    }
  }

  #openChapter(number, report) {
    this.#facts.available.add(number);
    report('chapter-available', { chapter: this.#chapters[number].id });
    this.#ask(this.#chapters[number], report);
  }

  #ask(chapter, report) {
    const next = this.#lockboxes[this.#asked(chapter)];
    if (next) report('lockbox-asked', { lockbox: next.id, question: plainText(next.question) });
  }

  /** The events whose conditions refer to an event or a lockbox, once per reference. */
  #waiting(kind, number) {
    return this.#events.flatMap(({ condition }, event) =>
      condition ? leaves(condition).filter(leaf => leaf.kind === kind && leaf.number === number).map(() => event) : []);
  }

  #find(event, report) {
    if (this.#facts.found.has(event)) return;
    this.#facts.found.add(event);
    const chapter = this.#chapters[this.#events[event].chapter];
    this.#openChapters(this.#waiting('found', event), report);
    const next = this.#firstLeft(chapter);
    if (chapter.isSequence && next !== undefined) this.#openChapters([next], report);
    this.#close(chapter, report);
  }

  #open(lockbox, report) {
    if (this.#facts.opened.has(lockbox)) return;
    this.#facts.opened.add(lockbox);
    this.#wrongAnswers.delete(lockbox);
    const chapter = this.#lockboxes[lockbox].chapter;
    if (this.#facts.available.has(chapter)) this.#ask(this.#chapters[chapter], report);
    this.#openChapters(this.#waiting('opened', lockbox), report);
    this.#close(this.#chapters[chapter], report);
  }

  #isChapterDone(chapter) { return this.#firstLeft(chapter) === undefined && this.#asked(chapter) === undefined; }

  #close(chapter, report) {
    if (!this.#isChapterDone(chapter)) return;
    report('chapter-done', { chapter: chapter.id });
    if (this.#chapters.every(chapter => this.#isChapterDone(chapter))) report('story-done');
  }

  /** Restores a journal in the order of its times; entries unknown to the story are ignored. */
  #resume({ found = [], opened = [], attempts = [], scores = [] }) {
    const nothing = () => {};
    const facts = [
      ...found.map(({ event, timestamp }) => ({ kind: 0, number: this.#eventNumbers.get(event), timestamp })),
      ...opened.map(({ lockbox, timestamp }) => ({ kind: 1, number: this.#lockboxNumbers.get(lockbox), timestamp })),
    ].filter(({ number }) => number !== undefined).map(fact => ({ ...fact, time: parseTime(fact.timestamp) }));
    facts.sort((a, b) => a.time - b.time || a.kind - b.kind || a.number - b.number);
    for (const { kind, number } of facts) (kind ? this.#open(number, nothing) : this.#find(number, nothing));
    for (const { lockbox, text } of attempts) {
      const number = this.#lockboxNumbers.get(lockbox);
      if (number === undefined || this.#facts.opened.has(number)) continue;
      if (!this.#lockboxes[number].accepted.includes(asAnswer(text))) this.#countWrongAnswer(number);
    }
    for (const { event, question } of scores) {
      if (this.#events[this.#eventNumbers.get(event)]?.questions[question]) this.#answered.add(`${event}/${question}`);
    }
  }

  // Queries for views

  /**
   * A snapshot, by ids: `{found, opened, available, inside, near}` are Sets, `answered` a Set of 'event/question',
   * `wrongAnswers` a Map of counts; `position` is `{latitude, longitude, accuracy, timestamp}` of the last used fix, if
   * any; `isDone`.
   */
  get state() {
    const { last } = this.#fixFilter;
    const ids = (list, numbers) => new Set([...numbers].map(number => list[number].id));
    const fences = wanted => ids(this.#events, this.#fences.filter(wanted).map(state => state.event));
    return {
      found: ids(this.#events, this.#facts.found), opened: ids(this.#lockboxes, this.#facts.opened),
      available: ids(this.#chapters, this.#facts.available),
      inside: fences(state => state.isInside), near: fences(state => state.isNear),
      answered: new Set(this.#answered),
      wrongAnswers: new Map([...this.#wrongAnswers].map(([number, count]) => [this.#lockboxes[number].id, count])),
      position: last && { latitude: last.latitude, longitude: last.longitude, accuracy: last.accuracy, timestamp: timeText(last.time) },
      isDone: this.#chapters.every(chapter => this.#isChapterDone(chapter)),
    };
  }

  #availableChapters() { return this.#chapters.filter((_, number) => this.#facts.available.has(number)); }

  /** The ids of the chapters that are available, in the author's order. */
  get availableChapters() { return this.#availableChapters().map(chapter => chapter.id); }

  /** The lockboxes that are asked now, at most one of each available chapter: `{id, chapter, question, hint?}`. */
  get askedLockboxes() {
    return this.#availableChapters().flatMap(chapter => {
      const number = this.#asked(chapter);
      const lockbox = this.#lockboxes[number];
      if (!lockbox) return [];
      const count = this.#wrongAnswers.get(number) ?? 0;
      return [{
        id: lockbox.id, chapter: chapter.id, question: lockbox.question,
        hint: count ? hintAfter(lockbox, count) : undefined,
      }];
    });
  }

  isChapterDone(id) { return this.#isChapterDone(this.#chapters.find(chapter => chapter.id === id)); }

  /**
   * The surroundings of a position: `{nearest, arrows, chapters, prefetch}` of events not found; see surroundings.js.
   * `range`: metres at which events are fully faded; `beyond`: metres of the view's edge; `chapter`: only of this one.
   */
  surroundings({ position, heading, course, range = 500, beyond = 150, count = 5, chapter }) {
    const found = new Set([...this.#facts.found].map(event => this.#events[event].id));
    const view = { position, heading, course, range, beyond, chapter, found };
    const surroundings = this.#surroundings;
    // Each is worked out only if it is asked for.
    return {
      get nearest() { return surroundings.nearest(count, view); },
      get arrows() { return surroundings.arrows(count, view); },
      get chapters() { return surroundings.chapters(view); },
      get prefetch() { return surroundings.prefetchOrder(count, view); },
    };
  }

  /**
   * The effect of the last fix on an event, and why the event could not be found at that moment: `{event, timestamp,
   * verdict, value, distance, closest, accuracy, radius, exitRadius, votes, needed, isInside, stage, blockers,
   * isFound}`. Before any fix there are only `event`, `radius`, `exitRadius`, `needed`, `isFound` and `blockers`, at
   * `time`.
   *
   * `verdict`: 'used', 'used-without-path' (its path is unknown), 'distrusted', 'unusable', 'inaccurate', 'backwards'
   * or 'jump', with metres, metres a second or fault as `value`. `stage`: 'outside', 'touching' or 'inside'.
   * `blockers`: `{kind, text, …}`, see explanation.js. undefined if the story has no such event.
   */
  explain(id, time = undefined) {
    const number = this.#eventNumbers.get(id);
    const { fence } = this.#events[number] ?? {};
    if (!fence) return undefined;
    const now = parseTime(time) ?? this.#lastFix?.fix.time;
    const isFound = this.#facts.found.has(number);
    const head = {
      event: id, radius: fence.radius, exitRadius: fence.exitRadius, needed: this.#rules.confirmations, isFound,
    };
    if (!this.#lastFix) return { ...head, blockers: now === undefined ? [] : this.#blockers(number, now, this.#facts) };
    const { fix, judgement, facts = this.#facts, fences } = this.#lastFix;
    const place = this.#lastFix.place ?? { ...fix, accuracy: countedAccuracy(this.#rules, fix) };
    const isPosition = !fixFault(fix);
    const state = fences?.get(number) ?? this.#fences.filter(({ event }) => event === number)
      .map(({ voteCount, isInside }) => ({ votes: voteCount, isInside }))[0] ?? { votes: 0, isInside: false };
    const decision = {
      ...head, ...state, timestamp: timeText(fix.time), verdict: judgement.verdict, value: judgement.value,
      distance: isPosition ? fence.closestApproach(place) : undefined,
      closest: isPosition ? fence.closestApproach(place, judgement.leg) : undefined,
      accuracy: place.accuracy, blockers: this.#blockers(number, now, facts),
      isFound: isFound && !facts.found.has(number),
    };
    return { ...decision, stage: stage(decision) };
  }

  /** What keeps an event from being found at a time, after all that was found and opened so far; see explanation.js. */
  blockers(id, time) { return this.#blockers(this.#eventNumbers.get(id), parseTime(time), this.#facts); }

  #blockers(event, time, facts) {
    const { chapter: number, condition, window } = this.#events[event];
    if (facts.found.has(event)) return [blocker('already-found')];
    const list = [];
    const chapter = this.#chapters[number];
    const first = chapter.events.find(event => !facts.found.has(event));
    if (chapter.isSequence && first !== event) list.push(blocker('comes-later', { first: this.#events[first].id }));
    if (condition && !holds(condition, facts, time)) list.push(blocker('waits', { for: unmet(condition, facts, time) }));
    if (window && !window.isOpen(time)) {
      const opening = window.nextOpening(time);
      list.push(blocker('closed', opening === undefined ? {} : { until: timeText(opening) }));
    }
    if (this.#events[event].trigger === 'code') list.push(blocker('needs-code'));
    return list;
  }
}

/** A fix in the engine's form, with the members of its position. */
const flat = ({ position, timestamp, ...measures }) => ({ ...position, ...measures });

const range = (from, to) => Array.from({ length: to - from }, (_, index) => from + index);

/** The hint after this many wrong answers; the last one stays. */
const hintAfter = ({ hints }, count) => hints?.length ? hints[Math.min(count, hints.length) - 1] : undefined;

function numbers(parts, kind) {
  const found = new Map(parts.map(({ id }, number) => [id, number]));
  if (found.size < parts.length) throw new StoryError(`two ${kind} of the story have one id`);
  return found;
}

function textFault(what, text) {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > longestText) return `${what} has at most ${longestText} bytes, not ${bytes}`;
  return text.includes('\0') ? `${what} holds a NUL character` : undefined;
}
