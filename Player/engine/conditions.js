/**
 * Conditions of events: `{type: 'all', of: […]}`, `{type: 'any', of: […]}`, `{type: 'not', of}`, `{type: 'found', event}`,
 * `{type: 'opened', lockbox}`, and `{type: 'during'}` with the members of a window.
 */
import { timeText } from './timestamps.js';

/**
 * A condition with numbers for events and lockboxes and prepared windows: `{kind, parts}`, `{kind, part}`, `{kind,
 * number}`, `{kind, window}`. `number(kind, id)` and `schedule(window)` find these; both throw if there is none.
 */
export function compiled(condition, number, schedule) {
  const { type: kind, ...rest } = condition;
  switch (kind) {
    case 'all':
    case 'any': return { kind, parts: rest.of.map(part => compiled(part, number, schedule)) };
    case 'not': return { kind, part: compiled(rest.of, number, schedule) };
    case 'found': return { kind, id: rest.event, number: number('event', rest.event) };
    case 'opened': return { kind, id: rest.lockbox, number: number('lockbox', rest.lockbox) };
    case 'during': return { kind, window: schedule(rest) };
    default: throw new TypeError(`a condition of the unknown kind '${kind}'`);
  }
}

/** Whether it holds: `facts` are sets of numbers, `{found, opened}`, and `time` is in milliseconds. */
export function holds(condition, facts, time) {
  switch (condition.kind) {
    case 'all': return condition.parts.every(part => holds(part, facts, time));
    case 'any': return condition.parts.some(part => holds(part, facts, time));
    case 'not': return !holds(condition.part, facts, time);
    case 'during': return condition.window.isOpen(time);
    default: return facts[condition.kind].has(condition.number);
  }
}

/**
 * Whether it can hold at some time, given `facts`; with `wanted` false: whether it can fail. `openable` are the numbers
 * of lockboxes that may be open or not.
 */
export function mayHold(condition, facts, openable = [], wanted = true) {
  switch (condition.kind) {
    case 'all':
    case 'any': {
      const needsEvery = (condition.kind === 'all') === wanted;
      return needsEvery
        ? condition.parts.every(part => mayHold(part, facts, openable, wanted))
        : condition.parts.some(part => mayHold(part, facts, openable, wanted));
    }
    case 'not': return mayHold(condition.part, facts, openable, !wanted);
    case 'during': return true;
    case 'opened':
      return openable.includes(condition.number) || facts.opened.has(condition.number) === wanted;
    default: return facts[condition.kind].has(condition.number) === wanted;
  }
}

/** All conditions in it that have no parts. */
export function leaves(condition) {
  if (condition.parts) return condition.parts.flatMap(leaves);
  return condition.part ? leaves(condition.part) : [condition];
}

/**
 * The parts that keep a condition from being as wanted: `{kind: 'found', event, wanted}`, `{kind: 'opened', lockbox,
 * wanted}`, `{kind: 'during', zone, wanted, until?}` with the next opening as RFC 3339, and `{kind: 'one-of', of: […]}` if one of several is enough.
 */
export function unmet(condition, facts, time, wanted = true) {
  if (holds(condition, facts, time) === wanted) return [];
  switch (condition.kind) {
    case 'not': return unmet(condition.part, facts, time, !wanted);
    case 'all':
    case 'any': {
      const reasons = condition.parts.flatMap(part => unmet(part, facts, time, wanted));
      if ((condition.kind === 'all') === wanted || reasons.length === 1) return reasons;
      return [{ kind: 'one-of', of: reasons }];
    }
    case 'found': return [{ kind: 'found', event: condition.id, wanted }];
    case 'opened': return [{ kind: 'opened', lockbox: condition.id, wanted }];
    default: {
      const opening = wanted ? condition.window.nextOpening(time) : undefined;
      return [{ kind: 'during', zone: condition.window.zone, wanted, until: opening === undefined ? undefined : timeText(opening) }];
    }
  }
}
