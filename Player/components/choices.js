// What a player has chosen for all stories on this device, in localStorage `wayreel-choices`: `{screen: false, captions: true}`. Where
// the browser keeps nothing, it lasts as long as the page.

const key = 'wayreel-choices';
let choices = {};
try {
  choices = { ...JSON.parse(localStorage.getItem(key)) };
} catch {
  // There is nothing that can be read.
}

/** Returns whether something was chosen; `standard` until the player has chosen. */
export const isChosen = (name, standard) => choices[name] ?? standard;

export function choose(name, value) {
  choices[name] = value;
  try {
    localStorage.setItem(key, JSON.stringify(choices));
  } catch {
    // It is kept for this page.
  }
}
