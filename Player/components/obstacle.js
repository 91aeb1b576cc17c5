// Why an event cannot be found now, in words for players.

import { element } from './element.js';
import { icon } from './icon.js';
import { link } from './router.js';
import { openingTime, phrase, say } from './words.js';

/**
 * Returns `{symbol, text, words?, short?}`: `symbol` is that of icon.js, `words()` are the text with names in their languages, if it has any,
 * `short` is a time for the map, if there is one. Returns undefined if the event can be found. `time` is in the format of inputs.
 */
export function obstacleOf(session, event, time) {
  const [first] = session.playback.blockers(event.id, time);
  switch (first?.kind) {
    case 'closed': return closed(first.until, event.window.zone, time);
    case 'comes-later': {
      const chapter = session.chapterOf(event.id);
      const number = chapter.events.findIndex(({ id }) => id === first.first) + 1;
      return { symbol: 'lock', text: say('locked.stop', { number }) };
    }
    case 'waits': return waits(session, event, first.for[0], time);
    case 'needs-code': {
      const text = say('code.needed');
      return { symbol: 'search', text, words: () => [element('a', { href: link(session.id, 'code') }, text)] };
    }
    default: return undefined;
  }
}

function closed(until, zone, time) {
  if (until === undefined) return { symbol: 'clock', text: say('closed.ever') };
  const { day, clock, short } = openingTime(Date.parse(until), zone, Date.parse(time));
  return { symbol: 'clock', text: say(day ? 'closed.day' : 'closed.today', { day, time: clock }), short };
}

/** `reason` is one of conditions.js. What is hidden is not named; other chapters are. */
function waits(session, event, reason, time) {
  if (reason.kind === 'one-of') return waits(session, event, reason.of[0], time);
  if (!reason.wanted) return { symbol: 'lock', text: say('locked.ever') };
  if (reason.kind === 'during') return closed(reason.until, reason.zone, time);
  const isLockbox = reason.kind === 'opened';
  const { chapters } = session.story;
  const other = isLockbox
    ? chapters.find(chapter => chapter.lockboxes.some(({ id }) => id === reason.lockbox))
    : session.chapterOf(reason.event);
  const isHere = other === session.chapterOf(event.id);
  const key = `locked.${reason.kind}${isHere ? '' : 'In'}`;
  return { symbol: 'lock', text: say(key, { name: other.name }), words: () => phrase(key, { name: element('bdi', session.own(other, 'name'), other.name) }) };
}

/** The words of an obstacle for a node. */
export const wordsOf = ({ text, words }) => words?.() ?? [text];

/** Returns a line that `show(obstacle)` updates; it is hidden without an obstacle. */
export function obstacleLine() {
  const node = element('span.obstacle', { hidden: true });
  let shown;
  function show(obstacle) {
    if (obstacle?.text === shown) return;
    shown = obstacle?.text;
    node.hidden = !obstacle;
    if (obstacle) node.replaceChildren(icon(obstacle.symbol), element('span', {}, wordsOf(obstacle)));
  }
  return { node, show };
}
