// What a player has chosen for all stories on this device, in localStorage `wayreel-choices`: `{screen: false, captions: true}`. Where
// the browser keeps nothing, it lasts as long as the page.

const key = 'wayreel-choices';
let unkept;

function read() {
  try {
    const kept = unkept ?? JSON.parse(localStorage.getItem(key));
    return kept && typeof kept === 'object' ? kept : {};
  } catch {
    return {};
  }
}

/** Returns whether something was chosen; `standard` until the player has chosen. */
export function isChosen(name, standard) {
  const value = read()[name];
  return typeof value === 'boolean' ? value : standard;
}

export function choose(name, value) {
  const choices = { ...read(), [name]: value };
  try {
    localStorage.setItem(key, JSON.stringify(choices));
  } catch {
    unkept = choices;
  }
}
