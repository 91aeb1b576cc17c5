/** What is new in a story: entries `{id, date, title, text?, image?}`, each shown from its date on. */
import { keepMarks, marksIn } from '../journal/reader-marks.js';

/** The date of today at the device's clocks, as entries have it. */
const today = clock => {
  const now = new Date(clock.now());
  return new Date(now - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
};

/** Returns the entries up to today, the newest first, with `isNew` for those that the reader has not seen yet. */
export function newsOf({ story, app }) {
  const seen = marksIn(story.id, 'news') ?? [];
  const day = today(app.clock);
  return (story.news ?? []).filter(({ date }) => date <= day).sort((a, b) => b.date < a.date ? -1 : b.date > a.date ? 1 : 0)
    .map(entry => ({ ...entry, isNew: !seen.includes(entry.id) }));
}

/** Keeps that the reader has seen entries. Those that the story no longer has are forgotten. */
export function seeNews({ story }, entries) {
  const ids = (story.news ?? []).map(({ id }) => id);
  const seen = new Set([...marksIn(story.id, 'news') ?? [], ...entries.map(({ id }) => id)]);
  keepMarks(story.id, 'news', ids.filter(id => seen.has(id)));
}
