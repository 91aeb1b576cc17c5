/** The circle of an event, and a fix's effect on it. */
import { moved } from './geodesic.js';
import { exitRadius } from './fence-rules.js';
import { between, bearing, closestShare, length, LocalScale, Ranging, sharesWithin } from './local-scale.js';
import { advanced } from './timestamps.js';

/** The number of votes. */
const count = votes => {
  let bits = 0;
  for (let rest = votes; rest; rest &= rest - 1) bits += 1;
  return bits;
};

/** The state of an event that the player is at or near. */
export class FenceState {
  /**
   * The votes of the last fixes, the newest in the lowest bit: before entering, the fixes that touched the circle;
   * after entering, the fixes that were clearly outside.
   */
  votes = 0;
  isInside = false;
  /** Whether the last fix, or the path to it, touched the circle. */
  touches = false;
  hasDwelt = false;
  isNear = false;
  /** The time when the player reached the circle, in milliseconds, if known. */
  since;

  constructor(event) { this.event = event; }

  /**
   * Discards the votes of earlier fixes. A player who was inside keeps the time of arrival if they `rested`, and else
   * counts as present from `time` on.
   */
  reset(time, rested) {
    this.votes = 0;
    if (!this.isInside) this.since = undefined;
    else if (!rested) this.since = time;
  }

  vote(isVote, window) { this.votes = (this.votes << 1 | (isVote ? 1 : 0)) & (1 << window) - 1; }

  /** Votes for entering. */
  enter(contact, rules, change) {
    if (contact.touches && (!this.votes || this.since === undefined)) this.since = contact.arrival;
    this.vote(contact.touches, rules.window);
    // A passing path is confirmed by both of its fixes.
    if (contact.isPassing) this.votes = 0xFF;
    if (count(this.votes) < rules.confirmations) return;
    this.isInside = change.entered = true;
    this.votes = 0;
  }

  /** Leaves if enough fixes were outside. */
  leave(rules, change) {
    if (count(this.votes) < rules.confirmations) return;
    Object.assign(this, { isInside: false, touches: false, hasDwelt: false, votes: 0, since: undefined });
    change.left = true;
  }

  get voteCount() { return count(this.votes); }

  /** Whether the player is considered to be in the circle now. */
  get isPresent() { return this.isInside && (this.votes & 1) === 0; }
}

export class Fence {
  constructor({ position, activation }, rules) {
    this.center = position;
    this.scale = new LocalScale(position.latitude);
    this.radius = activation.radius;
    this.exitRadius = exitRadius(rules, this.radius);
    this.nearRadius = this.radius + rules.nearMargin;
    /** The distance in metres beyond which the event is no longer near. */
    this.farRadius = Math.max(exitRadius(rules, this.nearRadius), this.exitRadius);
    /** The required stay in seconds; undefined if the event requires none. */
    this.dwell = activation.trigger === 'dwell' ? activation.dwellSeconds ?? 0 : undefined;
  }

  /**
   * Applies a place, and the path to it, to the state of an event. Returns `{distance, isNear, entered, dwelt, left,
   * passing}`, or undefined if nothing reportable changed. `passing` is the closest point of the path to a fix outside
   * of the circle, if the path was what counted. `mayBeNear()`: whether the event may be found, so that views can show
   * when it is near.
   */
  apply(place, leg, rules, mayBeNear, state) {
    const end = new Ranging(this.center, this.scale, place);
    const contact = this.#contact(place, leg, end, state);
    const change = {};
    this.#updateNearness(end, mayBeNear, state, change);
    state.touches = contact.touches;
    if (!state.isInside) state.enter(contact, rules, change);
    if (state.isInside) {
      state.vote(!end.isWithin(this.exitRadius + place.accuracy), rules.window);
      this.#completeStay(contact, state, change);
      state.leave(rules, change);
    }
    if (!Object.keys(change).length) return undefined;
    const { isAt, passage } = contact;
    if (!isAt && passage && (change.entered || change.dwelt !== undefined)) {
      const point = between(passage.start, passage.end, closestShare(passage.start, passage.end));
      change.passing = moved(this.center, length(point), bearing(point));
      change.distance = length(point);
    } else {
      change.distance = end.distance;
    }
    return change;
  }

  /** How a place, and the path to it, touches the circle; `isAt`: whether the place itself is in it. */
  #contact(place, leg, end, state) {
    const isAt = end.isWithin(this.radius);
    // Inside the circle, only the path on which the player arrived matters.
    const passage = !leg || isAt && (state.isInside || state.votes) ? undefined : this.#passage(leg, end, isAt);
    return {
      isAt, passage, touches: isAt || passage !== undefined,
      /** Whether the path leads in and out again between two fixes. */
      isPassing: passage !== undefined && !passage.startsInside && !isAt,
      arrival: passage ? timeAt(passage, 0) : place.time,
      departure: isAt || !passage ? place.time : timeAt(passage, 1),
    };
  }

  #updateNearness(end, mayBeNear, state, change) {
    if (state.isNear) {
      if (!end.isWithin(this.farRadius)) state.isNear = false;
    } else if (end.isWithin(this.nearRadius) && mayBeNear()) {
      state.isNear = change.isNear = true;
    }
  }

  /** Records the seconds since the player arrived, once they are as many as the event requires. */
  #completeStay({ departure }, state, change) {
    if (this.dwell === undefined || state.hasDwelt || !state.touches || state.since === undefined) return;
    const seconds = (departure - state.since) / 1000;
    if (!(seconds >= this.dwell)) return;
    state.hasDwelt = true;
    change.dwelt = seconds;
  }

  /** Returns the part of a path that is inside the circle. */
  #passage(leg, end, isAt) {
    // No point of the path is farther from its end than the path is long.
    if (!end.isWithin(this.radius + leg.length * 1.01 + 1)) return undefined;
    if (!isAt && !this.#mayTouch(leg.start, end.point)) return undefined;
    const start = new Ranging(this.center, this.scale, leg.start);
    const [a, b] = [start.vector, end.vector];
    const shares = sharesWithin(this.radius, a, b);
    return shares && { leg, start: a, end: b, shares, startsInside: start.distance <= this.radius };
  }

  /** Whether the path may touch the circle, by the approximate distance. */
  #mayTouch(from, to) {
    const [start, end] = [this.scale.vector(this.center, from), this.scale.vector(this.center, to)];
    const farthest = Math.max(length(start), length(end));
    if (!LocalScale.isTrusted(this.center.latitude, farthest)) return true;
    return length(between(start, end, closestShare(start, end))) <= this.radius + LocalScale.error(farthest);
  }

  /** Returns the closest approach of a path, or the distance of a single place, in metres. */
  closestApproach(place, leg) {
    const end = new Ranging(this.center, this.scale, place);
    if (!leg) return end.distance;
    const a = new Ranging(this.center, this.scale, leg.start).vector;
    return length(between(a, end.vector, closestShare(a, end.vector)));
  }
}

/** Returns the time when the path enters (0) or leaves (1) the circle. */
const timeAt = ({ leg, shares }, edge) => advanced(leg.start.time, shares[edge] * leg.seconds);
