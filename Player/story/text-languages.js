/**
 * The languages of a story's texts. Where a translation lacks one, the story has it in another language, which `textLanguages` names by the
 * text's key, such as `event/bell/radio/1/alt` (Documentation/stories.md). Views ask for it by the part that has the text, and its name there.
 */

/** What a part has beside its texts: the languages of those in another one. Copies of the part have it, too. */
const others = Symbol('others');

/** The parts that keys name by an id. */
const identified = {
  chapter: ({ chapters = [] }) => chapters,
  lockbox: ({ chapters = [] }) => chapters.flatMap(({ lockboxes }) => lockboxes),
  event: ({ chapters = [] }) => chapters.flatMap(({ events }) => events),
  section: ({ sections = [] }) => sections,
  item: ({ sections = [] }) => sections.flatMap(({ items }) => items),
  news: ({ news = [] }) => news,
};
/** The lists of contents whose numbers follow the content's name in keys. */
const lists = { radio: 'tracks', scrapbook: 'items', goggles: 'pins', quiz: 'questions' };

const isNumber = name => /^\d+$/.test(name);

/** Returns the part behind a name of a key; undefined if there is none. */
function step(part, name) {
  if (name === 'camera') return part?.content;
  return lists[name] ? part?.content?.[lists[name]] : part?.[isNumber(name) ? name - 1 : name];
}

/** Marks the parts of a story, or of its head in a list, whose texts are in other languages. Returns the story. */
export function markLanguages(story) {
  const keys = Object.entries(story.textLanguages ?? {});
  const kinds = Object.entries(keys.length > 0 ? identified : {});
  const parts = new Map(kinds.flatMap(([kind, of]) => of(story).map(part => [`${kind}/${part.id}`, part])));
  for (const [key, language] of keys) {
    const [kind, id, ...rest] = key.split('/');
    const names = kind in identified ? rest : [id, ...rest];
    const last = names.pop();
    let part = names.reduce(step, kind in identified ? parts.get(`${kind}/${id}`) : kind === 'story' ? story : story[kind]);
    let name = isNumber(last) ? last - 1 : last;
    // A track and a pin have their file in a part of its own, and a choice its text.
    if (name === 'alt') part = part?.audio ?? part?.image ?? part;
    if (typeof part?.[name] === 'object' && name !== last) [part, name] = [part[name], 'text'];
    if (typeof part === 'object') (part[others] ??= {})[name] = language;
  }
  return story;
}

/** Returns the attributes of an element with a text: its language, and the direction of its own letters. */
export const own = (part, name, { language }) => ({ lang: part?.[others]?.[name] ?? language, dir: 'auto' });
