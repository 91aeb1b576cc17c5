/** The rules for judging positions; Documentation/playback.md explains them. */
const defaults = {
  distrustedFixes: 1,
  accuracyLimit: 100, accuracyCap: 30, assumedAccuracy: 15, // metres
  maximumSpeed: 15, // metres a second
  rejoinAfter: 3,
  confirmations: 2, window: 3,
  pathSpeed: 4, // metres a second
  longestGap: 120, // seconds
  exitMargin: 20, exitShare: 0.1, // metres, and a share of the radius
  restsFor: 900, // seconds
  nearMargin: 50, // metres
};
const counts = { distrustedFixes: [0, 10], rejoinAfter: [1, 100], window: [1, 8] };

/** All rules, with given ones instead of defaults. Throws a RangeError for one that is unknown or out of its range. */
export function fenceRules(given = {}) {
  const rules = { ...defaults, ...given };
  for (const [name, value] of Object.entries(rules)) {
    if (!(name in defaults)) throw new RangeError(`there is no rule ${name}`);
    const [least, most] = name === 'confirmations' ? [1, rules.window] : counts[name] ?? [0, 1_000_000];
    const isCount = name in counts || name === 'confirmations';
    if (!(value >= least && value <= most) || isCount && !Number.isInteger(value)) {
      throw new RangeError(`${name} is ${value}, not within ${least} to ${most}`);
    }
  }
  return rules;
}

/** Metres from an event's position beyond which it may be left. */
export const exitRadius = (rules, radius) => radius + Math.max(rules.exitShare * radius, rules.exitMargin);

/** The accuracy in metres used for a fix. */
export const countedAccuracy = (rules, fix) => Math.min(fix.accuracy ?? rules.assumedAccuracy, rules.accuracyCap);
