// All stories: cover, name, and whether they are on the device.

import { authored, element } from '../components/element.js';
import { houseName, siteFace } from '../components/face.js';
import { icon } from '../components/icon.js';
import { link } from '../components/router.js';
import { notify } from '../components/notices.js';
import { picture } from '../components/picture.js';
import { downloadRow } from '../components/download-row.js';
import { shortcutList } from '../components/shortcuts.js';
import { chooseLanguage, language, languages, say } from '../components/words.js';
import { account } from '../journal/account.js';
import { own } from '../story/text-languages.js';

export async function show(_, app) {
  const stories = await app.library.list();
  const body = element('div.page.stories', {},
    element('header.masthead', {},
      houseLogo(siteFace()) ?? element('span.waymark', {}, icon('diamond')),
      element('h1', { lang: siteFace()?.language, dir: 'auto' }, houseName()),
      app.library.hasAccounts && accountLink(),
      languageChoice(app)),
    stories.length === 0 && element('p.soft', {}, say('stories.none')),
    element('ul.posters', { role: 'list' }, stories.map(story => poster(app, story))),
    element('details.about', {}, element('summary', {}, say('shortcuts.title')), shortcutList()));
  return { title: houseName(), body };
}

/** The house's logo; its name stands beside it. */
function houseLogo(face) {
  if (!face) return undefined;
  return face.logo ? element('img.logo', { src: face.logo.src, width: face.logo.width, height: face.logo.height, alt: '' }) : '';
}

function poster(app, story) {
  const cover = element('div.cover');
  // Covers are loaded after the list is shown.
  app.library.story(story.id).then(media => {
    const image = picture(media, story.cover, { sizes: '(min-width: 760px) 50vw, 100vw', first: true });
    if (image) cover.append(image);
  }, () => cover.append(icon('map')));
  return element('li.poster', {},
    cover,
    element('div.plate', {},
      element('h2', own(story, 'name', story), story.name),
      authored(story.description, own(story, 'description', story), 1),
      element('a.primary', { href: link(story.id) }, say('stories.open'), icon('forward')),
      downloadRow(app, story)));
}

function accountLink() {
  const { player, name, isOwn } = account();
  return element('a.small.account', { href: link('~account') }, icon('person'),
    element('bdi', {}, isOwn ? say('account.signIn') : name ?? player));
}

function languageChoice(app) {
  const choice = element('select', {
    'aria-label': say('language'),
    async onchange() {
      const { value } = choice;
      await chooseLanguage(value).catch(() => {});
      if (language !== value) notify({ key: 'language', symbol: 'cross', title: say('account.failed'), text: say('device.again') });
      app.router.show();
    },
  }, Object.entries(languages).map(([tag, name]) => element('option', { value: tag, lang: tag, selected: tag === language }, name)));
  return element('label.language', {}, icon('language'), choice);
}
