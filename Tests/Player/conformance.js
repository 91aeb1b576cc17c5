/**
 * Plays the files of Tests/Conformance with the player's engine, in a browser or in node. `read(path)` resolves to the
 * JSON of a file of that folder. The result is a list of differences from Swift, which is empty if there are none.
 */
import { asAnswer } from '../../Player/engine/answer-text.js';
import { fenceRules } from '../../Player/engine/fence-rules.js';
import { geodesic, moved, turnDegrees } from '../../Player/engine/geodesic.js';
import { Playback } from '../../Player/engine/playback.js';
import { JournalContents } from '../../Player/journal/journal-contents.js';

/**
 * The tolerances within which two implementations of the same formulas agree: about a centimetre, and nanodegrees for
 * coordinates. All other values have to be equal.
 */
const tolerances = {
  distance: 0.0101, closest: 0.01, bearing: 1e-6, turn: 1e-6, fade: 1e-6, latitude: 1e-9, longitude: 1e-9, seconds: 0.001,
};

export function isSame(a, b, key = '') {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= (tolerances[key] ?? 0);
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => isSame(item, b[i], key));
  if (a && b && typeof a === 'object' && typeof b === 'object') {
    const [keys, others] = [Object.keys(a).sort(), Object.keys(b).sort()];
    return String(keys) === String(others) && keys.every(name => isSame(a[name], b[name], name));
  }
  return a === b;
}

/** Returns a value as JSON would be read: without undefined members. */
const plain = value => JSON.parse(JSON.stringify(value));

export function play(walk, story) {
  const playback = new Playback(story, { rules: walk.rules, contents: walk.resumes });
  const journal = new JournalContents();
  const outcomes = [];
  const decisions = [];
  const senseless = [];
  walk.inputs.forEach((input, after) => {
    if (playback.fault(input) !== undefined) senseless.push(after);
    const brought = playback.step(input);
    journal.add(brought);
    outcomes.push(...brought.map(outcome => ({ ...outcome, after })));
    if (input.fix && walk.explains) {
      const { timestamp, verdict, accuracy, votes, isInside, isFound, blockers, distance, closest } =
        playback.explain(walk.explains);
      const texts = blockers.map(blocker => blocker.text);
      decisions.push({ timestamp, verdict, accuracy, votes, isInside, isFound, blockers: texts, distance, closest });
    }
  });
  return plain({ outcomes, decisions, senseless, journal: journal.document(story.id) });
}

function compareLists(name, expected, got) {
  if (got.length !== expected.length) return [`${name}: ${got.length} instead of ${expected.length}`];
  const index = expected.findIndex((item, i) => !isSame(item, got[i]));
  return index < 0 ? [] : [`${name} ${index}: ${JSON.stringify(got[index])} instead of ${JSON.stringify(expected[index])}`];
}

/** Returns the claims of a walk that no outcome meets, searching from the outcome of the previous claim on. */
function unmet(claims, outcomes) {
  let next = 0;
  return claims.filter(claim => {
    const index = outcomes.findIndex((outcome, i) =>
      i >= next && Object.entries(claim).every(([key, value]) => isSame(outcome[key], value, key)));
    if (index >= 0) next = index + 1;
    return index < 0;
  });
}

export async function checkWalk(name, read) {
  const walk = await read(`walks/${name}`);
  const played = play(walk, await read(`stories/${walk.story}`));
  const differences = ['outcomes', 'decisions', 'senseless'].flatMap(list => compareLists(list, walk[list] ?? [], played[list]));
  if (!isSame(walk.journal, played.journal)) differences.push(`journal: ${JSON.stringify(played.journal)}`);
  for (const claim of unmet(walk.claims, played.outcomes)) differences.push(`unmet: ${JSON.stringify(claim)}`);
  for (const { outcome, event } of played.outcomes) {
    if (outcome === 'found' && walk.unfound.includes(event)) differences.push(`${event} was found`);
  }
  return differences.map(difference => `${name}: ${difference}`);
}

/** Metres within which the engine agrees with GeographicLib's test set; Documentation/player.md promises 0.15 µm. */
const geodesicError = 2e-7;

/** The deviations from a line of GeographicLib's test set, in metres: of the distance, sideways at the far end, of the end. */
function deviations(line) {
  const [latitude1, longitude1, azimuth1, latitude2, longitude2, azimuth2, distance, , reducedLength] =
    line.split(' ').map(Number);
  const points = [{ latitude: latitude1, longitude: longitude1 }, { latitude: latitude2, longitude: longitude2 }];
  return [[...points, azimuth1], [...points.toReversed(), azimuth2 + 180]].flatMap(([from, to, azimuth]) => {
    const path = geodesic(from, to);
    const turn = Math.abs(turnDegrees(path.bearing - azimuth)) * Math.PI / 180;
    return [
      Math.abs(path.distance - distance), turn * Math.abs(reducedLength),
      geodesic(moved(from, distance, azimuth), to).distance,
    ];
  });
}

export async function checkParts(read) {
  const differences = [];
  const expect = (holds, what) => holds || differences.push(what);
  const rules = await read('rules.json');
  expect(isSame(fenceRules(), rules), `rules ${JSON.stringify(fenceRules())} instead of ${JSON.stringify(rules)}`);
  for (const line of (await read('geodtest.json')).lines) {
    const found = deviations(line);
    expect(found.every(metres => metres <= geodesicError), `geodesic ${line}: ${found}`);
  }
  for (const way of await read('geodesics.json')) {
    const found = geodesic(way.from, way.to);
    expect(Math.abs(found.distance - way.distance) <= 1e-3, `geodesic ${JSON.stringify({ way, found })}`);
  }
  for (const { answer, accepted, isRight } of await read('answers.json')) {
    expect((asAnswer(answer) === asAnswer(accepted)) === isRight, `'${answer}' for '${accepted}'`);
  }
  for (const view of await read('surroundings.json')) {
    const found = new Set(view.found);
    const story = await read(`stories/${view.story}`);
    const playback = new Playback(story, {
      contents: { found: view.found.map(event => ({ event, timestamp: '2026-01-01T00:00:00Z' })) },
    });
    const seen = plain(playback.surroundings(view));
    for (const list of ['nearest', 'arrows', 'chapters']) differences.push(...compareLists(`${list} of ${view.story}`, view[list], seen[list]));
    differences.push(...compareLists('prefetch', view.prefetch, seen.prefetch.map(({ event }) => event)));
    expect(!seen.nearest.some(({ event }) => found.has(event)), 'found events are no surroundings');
  }
  for (const { journals, merged } of await read('journals/merges.json')) {
    for (const parts of [journals, journals.toReversed(), [...journals, ...journals]]) {
      const whole = new JournalContents();
      for (const part of parts) whole.merge(new JournalContents(part));
      expect(isSame(plain(whole.document('s')), merged), `merged ${JSON.stringify(whole.document('s'))} instead of ${JSON.stringify(merged)}`);
    }
  }
  return differences;
}
