// What is new: dated entries, the newest first.

import { authored, element } from '../components/element.js';
import { offlineNote } from '../components/offline-note.js';
import { link } from '../components/router.js';
import { picture } from '../components/picture.js';
import { topBar } from '../components/top-bar.js';
import { language, say } from '../components/words.js';
import { newsOf, seeNews } from '../story/news.js';

export async function show({ story: id }, app, signal) {
  const session = await app.session(id);
  const entries = newsOf(session);
  const title = say('news.title');
  const body = element('div.page.news', {},
    topBar({ title, back: link(id) }), offlineNote(session, signal),
    entries.length === 0 && element('p.plate', {}, say('news.none')),
    entries.map(entry => article(session, entry)));
  return { title, body, opened: () => seeNews(session, entries) };
}

function article(session, entry) {
  const { date, title, text, image, isNew } = entry;
  return element('article.plate', {},
    image && picture(session.media, image),
    element('p.label', {},
      // The date is one of the house's calendar, and has no time zone.
      element('time', { datetime: date, lang: language }, new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(date))),
      isNew && element('span.new', {}, say('news.new'))),
    element('h2', session.own(entry, 'title'), title),
    text && authored(text, session.own(entry, 'text')));
}
