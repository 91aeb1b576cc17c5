/**
 * What a reader has marked in the stories of this device: favourites, and the news that were seen.
 *
 * localStorage has them under the database of the account that plays: `{STORY: {favourites: [id], news: [id]}}`. Where the browser keeps
 * nothing, they last as long as the page.
 */
import { account } from './account.js';

const keyOf = database => `wayreel-marks/${database}`;
/** The marks of a database that the browser did not take. */
const unkept = new Map();

function read(database) {
  if (unkept.has(database)) return unkept.get(database);
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(database)));
    return kept && typeof kept === 'object' ? kept : {};
  } catch {
    return {};
  }
}

/** Returns the ids that are marked in a story, as `favourites` or `news`, in the order in which they were; undefined if none ever were. */
export function marksIn(story, kind) {
  const marks = read(account().database);
  const list = Object.hasOwn(marks, story) ? marks[story]?.[kind] : undefined;
  return Array.isArray(list) ? list : undefined;
}

/** Keeps the ids that are marked in a story. */
export function keepMarks(story, kind, ids) {
  const { database } = account();
  const marks = read(database);
  const own = Object.hasOwn(marks, story) ? marks[story] : {};
  const changed = { ...marks, [story]: { ...own, [kind]: ids } };
  try {
    localStorage.setItem(keyOf(database), JSON.stringify(changed));
    unkept.delete(database);
  } catch (error) {
    unkept.set(database, changed);
    console.warn('Marks are not kept on this device.', error);
  }
}

/** Removes the marks of an account. */
export function forgetMarks(database) {
  unkept.delete(database);
  try {
    localStorage.removeItem(keyOf(database));
  } catch {
    // There is nothing to remove.
  }
}
