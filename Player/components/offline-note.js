// Says that media may be missing, since there is no network and the story was not downloaded.

import { element } from './element.js';
import { icon } from './icon.js';
import { languageName, say } from './words.js';

/** Returns a note, which is visible while that is so. */
export function offlineNote(session, signal) {
  const title = say(session.media.isLate && navigator.onLine ? 'offline.slow' : 'offline.title');
  const node = element('div.plate.offline', { role: 'group', 'aria-label': title, hidden: !session.lacksMedia },
    element('p', {}, icon('device'), element('strong', {}, title)),
    element('p', {}, session.media.lacksLanguage ? say('offline.language', { language: languageName(session.language) }) : say('offline.text')),
    element('a.secondary', { href: '#/' }, say('trouble.stories')));
  addEventListener('online', () => { node.hidden = true; }, { signal });
  addEventListener('offline', () => { node.hidden = !session.lacksMedia; }, { signal });
  return node;
}
