// The end of a chapter, with the way to what is next: other chapters, or the end of the story.

import { element } from '../components/element.js';
import { icon } from '../components/icon.js';
import { link } from '../components/router.js';
import { say } from '../components/words.js';

/** Returns an element that `update()` shows when the chapter is done; `update` returns whether it is. */
export function chapterEnd(session, chapter) {
  const node = element('div.done', { hidden: true });
  let shown;
  function update() {
    const isDone = session.playback.isChapterDone(chapter.id);
    const isEnd = isDone && session.playback.state.isDone;
    node.hidden = !isDone;
    if (!isDone || shown === isEnd) return isDone;
    shown = isEnd;
    const count = chapter.events.length;
    node.replaceChildren(
      element('p', {}, icon('check'), element('strong', {}, say('chapter.done')), say('chapter.foundOf', { found: count, count })),
      isEnd ? element('a.primary', { href: link(session.id, 'ending') }, icon('flag'), say('ending.link'))
        : element('a.primary', { href: link(session.id) }, icon('forward'), say('chapter.next')));
    return true;
  }
  return { node, update };
}
