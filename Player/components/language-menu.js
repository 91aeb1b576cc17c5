// The menu of a story's languages, named in the languages themselves. The choice counts for this device, and for all stories that have it.

import { downloadRow } from './download-row.js';
import { element } from './element.js';
import { icon } from './icon.js';
import { notify } from './notices.js';
import { languageName, say, wish } from './words.js';

/** Returns a menu of a story's languages; undefined for a story of one. `isRound`: whether it is a round button, as in bars. */
export function languageMenu(session, isRound = false) {
  const { app, language, media: { languages } } = session;
  if (languages.length < 2) return undefined;
  const choice = element('select', {
    name: 'language', 'aria-label': say('language.story'),
    async onchange() {
      const wanted = choice.value;
      choice.disabled = true;
      try {
        await session.readIn(wanted);
        wish(wanted);
      } catch (error) {
        console.error(error);
        const name = languageName(wanted);
        notify({ key: 'language', symbol: 'cross', title: say('language.failed', { language: name }), text: say('device.again') });
      }
      // In the page's new language, too.
      await app.session(session.id);
      choice.disabled = false;
      choice.focus();
      await app.router.show({ again: true });
    },
  }, languages.map(tag => element('option', { value: tag, lang: tag, selected: tag === language }, languageName(tag, tag))));
  return element(isRound ? 'label.round.of-story' : 'label.language.of-story', { title: say('language.story') }, icon('language'), choice);
}

/** Returns the offer to download what the device lacks of a story in this language; undefined if it has all of it, or nothing. */
export function languageOffer({ app, id, story, media }) {
  const row = media.lacksLanguage && downloadRow(app, { id, name: story.name }, () => app.router.show({ again: true }));
  return row ? element('div.plate', {}, row) : undefined;
}
