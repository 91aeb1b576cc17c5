/** The JSON of stories (Documentation/story-json.schema.json): the page plays version 3, of which
 * version 2 is a part, and reads version 1, which devices may keep. */

export const storyVersion = 3;

/** Returns a story of version 1 as of version 2, and any other as it is. */
export function currentStory(story) {
  if (story.version > 1) return story;
  const chapters = story.chapters.map(chapter => ({ ...chapter, events: chapter.events.map(currentEvent) }));
  return { ...story, format: 'wayreel-story', version: 2, chapters };
}

function currentEvent({ content, condition, journal, ...event }) {
  return {
    ...event, content: currentContent(content), ...condition && { condition: currentCondition(condition) },
    ...journal && { journal: { ...journal, ...journal.content && { content: currentContent(journal.content) } } },
  };
}

/** From `{camera: {_0: {clue}}}` to `{type: 'camera', clue}`. */
function currentContent(content) {
  const [type, { _0: value }] = Object.entries(content)[0];
  return { type, ...value, ...value.items && { items: value.items.map(currentItem) } };
}

function currentItem(item) {
  const [type, { _0: value }] = Object.entries(item)[0];
  return type === 'text' ? { type, text: value } : { type, ...value };
}

function currentCondition(condition) {
  const [type, value] = Object.entries(condition)[0];
  switch (type) {
  case 'all':
  case 'any': return { type, of: value._0.map(currentCondition) };
  case 'not': return { type, of: currentCondition(value._0) };
  case 'during': return { type, ...value._0 };
  default: return { type, ...value };
  }
}
