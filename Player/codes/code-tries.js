// How long a player waits after wrong codes: nothing after the first two, then 5 seconds, 10, 20, up to 5 minutes. A reload does not help.

const longest = 300_000;

const keyOf = story => `wayreel-codes-${story}`;

function kept(story) {
  try {
    const { count, until } = JSON.parse(localStorage.getItem(keyOf(story)));
    return { count: Number(count) || 0, until: Number(until) || 0 };
  } catch {
    return { count: 0, until: 0 };
  }
}

/** Milliseconds until the next try. A clock that was set back does not make them more. */
export function timeToWait(story) {
  return Math.min(longest, Math.max(0, kept(story).until - Date.now()));
}

/** Notes a wrong code, or a right one, after which nobody waits. Some browsers keep nothing, and throw. */
export function noteTry(story, isRight) {
  try {
    if (isRight) return localStorage.removeItem(keyOf(story));
    const count = kept(story).count + 1;
    const wait = count < 3 ? 0 : Math.min(longest, 5000 * 2 ** (count - 3));
    localStorage.setItem(keyOf(story), JSON.stringify({ count, until: Date.now() + wait }));
  } catch (error) {
    console.warn('The tries are not kept on this device.', error);
  }
}
