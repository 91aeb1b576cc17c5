/**
 * Plays random cases with the player's engine, like `wayreel play --live`: an invalid input is refused, and one that is
 * not possible yet is played and refused. Returns `{outcomes, refused}` of each, `refused` as the numbers of inputs
 * counted from 1; or `{fault}` if it throws.
 */
import { Playback } from '../../Player/engine/playback.js';
import { JournalContents } from '../../Player/journal/journal-contents.js';

/** Whether an input is not possible yet, by what the engine says about its state. */
function isTooEarly(playback, input) {
  const [[kind, values]] = Object.entries(input);
  const { found, opened } = playback.state;
  switch (kind) {
    case 'answer':
      return !opened.has(values.lockbox) && !playback.askedLockboxes.some(({ id }) => id === values.lockbox);
    case 'quiz':
    case 'capture': return !found.has(values.event);
    default: return false;
  }
}

function play({ story, inputs, pause }) {
  let playback = new Playback(story);
  const journal = new JournalContents();
  const [outcomes, refused] = [[], []];
  inputs.forEach((input, index) => {
    if (index === pause) playback = new Playback(story, { contents: journal.document(story.id) });
    if (playback.fault(input) !== undefined) {
      refused.push(index + 1);
      return;
    }
    if (isTooEarly(playback, input)) refused.push(index + 1);
    const brought = playback.step(input);
    journal.add(brought);
    outcomes.push(...brought);
  });
  return { outcomes, refused };
}

export function playAll(cases) {
  return cases.map(one => {
    try {
      return play(one);
    } catch (error) {
      return { fault: `${error.message}\n${error.stack}` };
    }
  });
}
