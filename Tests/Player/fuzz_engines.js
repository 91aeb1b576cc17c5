/**
 * Plays random cases with the player's engine, like `wayreel play --live`: an invalid input is refused, and one that is
 * not possible yet is played and refused. Returns `{outcomes, refused, decisions?, sights?, headings?}` of each, `refused` as
 * the numbers of inputs counted from 1; or `{fault}` if it throws.
 */
import { meantBy } from '../../Player/codes/event-code.js';
import { CameraPose, sights } from '../../Player/engine/camera-pose.js';
import { GyroCompass } from '../../Player/engine/gyro-compass.js';
import { Playback } from '../../Player/engine/playback.js';
import { JournalContents } from '../../Player/journal/journal-contents.js';

/** Whether an input is not possible yet, by what the engine says about its state. */
function isTooEarly(playback, input) {
  const [[kind, values]] = Object.entries(input);
  const { found, opened } = playback.state;
  switch (kind) {
    case 'answer':
      return !opened.has(values.lockbox) && !playback.askedLockboxes.some(({ id }) => id === values.lockbox);
    case 'code': {
      const event = playback.eventOfCode(values.text);
      const rest = event && !found.has(event.id) ? playback.blockers(event.id, values.timestamp) : [];
      return rest.some(({ kind }) => kind !== 'needs-code');
    }
    case 'quiz':
    case 'capture': return !found.has(values.event);
    default: return false;
  }
}

function play({ story, inputs, pause }) {
  let playback = new Playback(story);
  const journal = new JournalContents();
  const [outcomes, refused] = [[], []];
  inputs.forEach((given, index) => {
    if (index === pause) playback = new Playback(story, { contents: journal.document(story.id) });
    if (playback.fault(given) !== undefined) {
      refused.push(index + 1);
      return;
    }
    // As `--live` and the page's view take what is typed.
    const input = given.code ? { code: { ...given.code, text: meantBy(given.code.text) } } : given;
    if (isTooEarly(playback, input)) refused.push(index + 1);
    const brought = playback.step(input);
    journal.add(brought);
    outcomes.push(...brought.map(one => one.outcome === 'code-wrong' ? { ...one, text: given.code.text } : one));
  });
  return { outcomes, refused };
}

/** What each fix of a track meant to an event; the signal is lost after each segment. */
function decisions(story, { event, segments }) {
  const playback = new Playback(story);
  return segments.flatMap(fixes => {
    const explained = fixes.map(fix => {
      playback.step({ fix });
      return playback.explain(event);
    });
    playback.step({ lost: { timestamp: fixes.at(-1).timestamp } });
    return explained;
  });
}

/** The pins that a camera sees, farthest first. */
function seen({ pins, scaling, aspects, ...pose }) {
  return sights({ pins, ...scaling }, new CameraPose(pose), number => aspects[number]);
}

/** The heading after each reading of a compass. */
function turned({ readings, ...options }) {
  const filter = new GyroCompass(options);
  return readings.flatMap(([seconds, kind, value]) => {
    if (kind === 'degrees') return [filter.compass(value, seconds)];
    filter.gyroscope(value, seconds);
    return [];
  });
}

export function playAll(cases) {
  return cases.map(one => {
    const { story, explained, camera, compass } = one;
    try {
      return {
        ...play(one), decisions: explained && decisions(story, explained), sights: camera && seen(camera),
        headings: compass && turned(compass),
      };
    } catch (error) {
      return { fault: `${error.message}\n${error.stack}` };
    }
  });
}
