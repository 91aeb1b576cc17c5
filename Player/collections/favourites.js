// The items that a player marked as favourites, on this device and for each story.

import { element } from '../components/element.js';
import { icon } from '../components/icon.js';
import { roundButton } from '../components/top-bar.js';
import { say } from '../components/words.js';
import { keepMarks, marksIn } from '../journal/reader-marks.js';

/** Returns the ids of the favourites of a story, the newest first. */
export const favourites = story => marksIn(story, 'favourites') ?? [];

function mark(story, id, isFavourite) {
  const others = favourites(story).filter(other => other !== id);
  keepMarks(story, 'favourites', isFavourite ? [id, ...others] : others);
}

/** Returns a toggle button, round for a bar or with its label. */
export function favouriteButton(story, id, isRound) {
  const isPressed = () => favourites(story).includes(id);
  const toggle = () => {
    mark(story, id, !isPressed());
    button.setAttribute('aria-pressed', String(isPressed()));
  };
  const button = isRound ? roundButton('heart', say('item.favourite'), toggle, String(isPressed()))
    : element('button.small', { type: 'button', 'aria-pressed': String(isPressed()), onclick: toggle }, icon('heart'), say('item.favourite'));
  button.classList.add('favourite');
  return button;
}
