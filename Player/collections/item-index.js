// Finds items by the beginnings of words, whatever their accents and case.

/** Letters that are not others with marks, but are looked for as these. */
const letters = {
  ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ŧ: 't', ı: 'i', ς: 'σ',
  ٱ: 'ا', ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه', ـ: '',
};
const lettersPattern = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');
/** The accents of Latin, Greek and Cyrillic letters, and the vowels and signs above and below Hebrew and Arabic ones. */
const marks = /[\u0300-\u036F\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06ED]/g;

/** Returns a text without accents and case, the same for all languages. */
export function folded(text) {
  const plain = text.normalize('NFKD').replace(marks, '').toLowerCase();
  return plain.replace(lettersPattern, letter => letters[letter]).normalize('NFC');
}

/** Scripts that do not separate words by spaces: a part of a text is looked for, and not the beginning of a word. */
const continuous = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'].map(name => `\\p{Script=${name}}`).join('');
const isContinuous = new RegExp(`[${continuous}]`, 'u');
const word = new RegExp(`[${continuous}][${continuous}\\p{M}ー]*|(?:(?![${continuous}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/** The words of most European texts, once they are folded: five times as fast. */
const [isASCII, wordOfASCII] = [/^[\0-\x7F]*$/, /[a-z0-9]+/g];

/** Returns the folded words of a text, or of what was typed. */
export function wordsOf(text) {
  const plain = folded(text);
  return plain.match(isASCII.test(plain) ? wordOfASCII : word) ?? [];
}

/** Milliseconds of work until a page that waits may do something else. */
const slice = 10;

export class ItemIndex {
  #entries;
  /** The entries of each word, as their number times two, plus one if it is in the name. */
  #found = new Map();
  /** All words in order, and those of continuous scripts. */
  #words = [];
  #continuous = [];

  /** Returns the index of entries, `{name, texts}`, without keeping the page from other work. */
  static async of(entries) {
    const index = new ItemIndex();
    index.#entries = entries;
    let start = performance.now();
    for (const number of entries.keys()) {
      index.#add(number);
      if (performance.now() - start < slice) continue;
      await new Promise(resolve => setTimeout(resolve));
      start = performance.now();
    }
    index.#words = [...index.#found.keys()].sort();
    index.#continuous = index.#words.filter(word => isContinuous.test(word));
    return index;
  }

  #add(number) {
    const { name, texts } = this.#entries[number];
    const add = (words, code) => {
      for (const word of new Set(words)) {
        const list = this.#found.get(word);
        if (list) list.push(code);
        else this.#found.set(word, [code]);
      }
    };
    add(wordsOf(name), number * 2 + 1);
    for (const text of texts) add(wordsOf(text), number * 2);
  }

  /** Returns the numbers of the entries that have all words, those with more of them in the name first, then in their order. */
  search(words) {
    const { length } = this.#entries;
    // The number of words that an entry has so far, and of those in its name.
    const [matched, named] = [new Uint8Array(length), new Uint8Array(length)];
    words.forEach((wanted, step) => {
      const hits = new Uint8Array(length);
      for (const word of this.#matching(wanted)) for (const code of this.#found.get(word)) hits[code >> 1] |= code & 1 ? 2 : 1;
      for (let number = 0; number < length; number += 1) {
        if (hits[number] === 0 || matched[number] !== step) continue;
        matched[number] += 1;
        named[number] += hits[number] >> 1;
      }
    });
    const numbers = [...matched.keys()].filter(number => matched[number] === words.length);
    return numbers.sort((a, b) => named[b] - named[a]);
  }

  /** Returns the words that begin with one, or that have it anywhere. */
  #matching(wanted) {
    if (isContinuous.test(wanted)) return this.#continuous.filter(word => word.includes(wanted));
    const words = this.#words;
    let [low, high] = [0, words.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (words[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (words[end]?.startsWith(wanted)) end += 1;
    return words.slice(low, end);
  }
}

/**
 * Returns where a text has the wanted words, at most so many times: `[{start, end}]` in its own letters, which may be more or fewer than the
 * folded ones.
 */
export function hitsIn(text, words, most = Infinity) {
  const hits = [];
  for (const { 0: found, index } of text.matchAll(word)) {
    const plain = folded(found);
    const place = wanted => isContinuous.test(wanted) ? plain.indexOf(wanted) : plain.startsWith(wanted) ? 0 : -1;
    const [longest] = words.filter(wanted => place(wanted) >= 0).sort((a, b) => b.length - a.length);
    if (!longest) continue;
    const first = place(longest);
    let [from, at, done] = [0, 0, 0];
    for (const [letter] of found.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
      if (done <= first) from = at;
      if (done >= first + longest.length) break;
      done += folded(letter).length;
      at += letter.length;
    }
    hits.push({ start: index + from, end: index + at });
    if (hits.length === most) break;
  }
  return hits;
}
