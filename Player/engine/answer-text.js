/**
 * Combining marks of Latin, Greek and Cyrillic, and Hebrew and Arabic points, without marks that make another letter.
 */
const accents =
  /[\u0300-\u036F\u0483-\u0487\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0670\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]/gu;
const spaces = /[\p{White_Space}\p{Cc}\p{Cf}]/gu;
const punctuation = /[\p{P}\p{Sk}\p{Lm}\p{So}]/gu;

/**
 * A text without the differences ignored in answers: case, accents, width, spaces, punctuation and symbols. A text of
 * punctuation only keeps it, so that "?" can be an answer.
 */
export function asAnswer(text) {
  // Lower case may undo the decomposition, and decomposition may undo lower case, as with İ.
  const folded = text.normalize('NFKD').toLowerCase().normalize('NFKD').replace(spaces, '').replace(accents, '');
  const letters = folded.replace(punctuation, '');
  // What is left out may have stood between marks, which have an order in normal form.
  return (letters || folded).replaceAll('ß', 'ss').replaceAll('ς', 'σ').normalize('NFD');
}
