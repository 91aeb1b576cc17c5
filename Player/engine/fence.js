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
   * of the circle, if the path was what counted. `mayBeNear()`: whether the event may be found, so that views are told
   * when it is near.
   */
  apply(place, leg, rules, mayBeNear, state) {
    const end = new Ranging(this.center, this.scale, place);
    const isAt = end.isWithin(this.radius);
    // Inside the circle, only the path on which the player arrived matters.
    const passage = !leg || isAt && (state.isInside || state.votes) ? undefined : this.#passage(leg, end, isAt);
    const change = {};

    if (state.isNear) {
      if (!end.isWithin(this.farRadius)) state.isNear = false;
    } else if (end.isWithin(this.nearRadius) && mayBeNear()) {
      state.isNear = change.isNear = true;
    }

    state.touches = isAt || passage !== undefined;
    if (!state.isInside) {
      if (state.touches && (!state.votes || state.since === undefined)) {
        state.since = passage ? timeAt(passage, 0) : place.time;
      }
      state.vote(state.touches, rules.window);
      // A path that leads in and out again between two fixes is confirmed by both.
      if (passage && !passage.startsInside && !isAt) state.votes = 0xFF;
      if (state.voteCount >= rules.confirmations) {
        state.isInside = change.entered = true;
        state.votes = 0;
      }
    }
    if (state.isInside) {
      state.vote(!end.isWithin(this.exitRadius + place.accuracy), rules.window);
      if (this.dwell !== undefined && !state.hasDwelt && state.touches && state.since !== undefined) {
        const until = isAt || !passage ? place.time : timeAt(passage, 1);
        const seconds = (until - state.since) / 1000;
        if (seconds >= this.dwell) {
          state.hasDwelt = true;
          change.dwelt = seconds;
        }
      }
      if (state.voteCount >= rules.confirmations) {
        Object.assign(state, { isInside: false, touches: false, hasDwelt: false, votes: 0, since: undefined });
        change.left = true;
      }
    }
    if (!Object.keys(change).length) return undefined;
    if (!isAt && passage && (change.entered || change.dwelt !== undefined)) {
      const point = between(passage.start, passage.end, closestShare(passage.start, passage.end));
      change.passing = moved(this.center, length(point), bearing(point));
      change.distance = length(point);
    } else {
      change.distance = end.distance;
    }
    return change;
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
