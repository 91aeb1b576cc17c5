/** Reasons why an event cannot be found, in English, for authors; views may word them themselves from the values. */
function unmetText(reason) {
  switch (reason.kind) {
    case 'found': return `'${reason.event}' ${reason.wanted ? 'is not found yet' : 'was found'}`;
    case 'opened': return `lockbox '${reason.lockbox}' ${reason.wanted ? 'is not open yet' : 'was opened'}`;
    case 'one-of': return `one of (${reason.of.map(unmetText).join(', ')})`;
    default:
      return `the hour in ${reason.zone} is ${reason.wanted ? 'not within its window' : 'one to stay away'}`;
  }
}

const texts = {
  'already-found': () => 'it was found before',
  'comes-later': ({ first }) => `'${first}' comes first in its sequence`,
  'waits': ({ for: reasons }) => `it waits: ${reasons.map(unmetText).join(', ')}`,
  'closed': ({ until }) =>
    until === undefined ? 'its window does not open again' : `its window is closed until ${until}`,
  'needs-code': () => 'it takes its code',
};

/** A reason with its text: `{kind, text, …}`; `kind` is one of those above. */
export const blocker = (kind, values = {}) => ({ kind, ...values, text: texts[kind](values) });

/** The progress of a player: 'inside', 'touching' or 'outside'. */
export const stage = ({ isInside, closest, radius }) =>
  isInside ? 'inside' : closest <= radius ? 'touching' : 'outside';
