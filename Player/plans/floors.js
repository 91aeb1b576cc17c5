// The floor plans of a story: which a chapter has, and where places are on them.

const metresPerDegree = 6_371_008.8 * Math.PI / 180;

const isRow = row => Array.isArray(row) && row.length === 3 && row.every(Number.isFinite);

/** Whether this page knows the form of a manifest's entry. */
function isSound({ version, width, height, east, north } = {}) {
  return version === 1 && width > 0 && height > 0 && isRow(east) && isRow(north) && east[1] * north[2] !== east[2] * north[1];
}

/** A floor with its plan, as the story has it, and the transform of the manifest from points of the picture to degrees. */
class Floor {
  constructor(plan, { width, height, east, north }) {
    Object.assign(this, { plan, id: plan.id, width, height, east, north });
    this.determinant = east[1] * north[2] - east[2] * north[1];
  }

  /** Returns the point `{x, y}` of the picture at a position, which may be outside of it. */
  point({ latitude, longitude }) {
    const { east, north, determinant } = this;
    // By the shorter way around the Earth.
    const right = ((longitude - east[0]) % 360 + 540) % 360 - 180;
    const up = latitude - north[0];
    return { x: (right * north[2] - up * east[2]) / determinant, y: (up * east[1] - right * north[1]) / determinant };
  }

  /** Returns the position of a point. */
  position({ x, y }) {
    const [longitude, latitude] = [this.east, this.north].map(row => row[0] + row[1] * x + row[2] * y);
    return { latitude, longitude: (longitude % 360 + 540) % 360 - 180 };
  }

  /** The points of the picture in a metre. */
  get perMetre() {
    return 1 / (metresPerDegree * Math.sqrt(Math.abs(this.determinant) * Math.cos(this.north[0] * Math.PI / 180)));
  }

  has({ x, y }) { return x >= 0 && y >= 0 && x <= this.width && y <= this.height; }
}

/** All floors of a session's story by their ids, without those whose picture the bundle lacks. */
function floorsIn({ story, media }) {
  const entries = new Map(media.manifest.floors.filter(isSound).map(entry => [entry.id, entry]));
  const plans = [...story.plans ?? [], ...story.chapters.flatMap(chapter => chapter.plans ?? [])];
  const shown = plans.filter(({ id, image }) => entries.has(id) && media.image(image.source));
  return new Map(shown.map(plan => [plan.id, new Floor(plan, entries.get(plan.id))]));
}

/** Where an event stands: its own anchor, else that of the item that it shows. */
export function anchorOf({ story }, event) {
  if (event.anchor || event.content.type !== 'exhibit') return event.anchor;
  return (story.sections ?? []).flatMap(({ items }) => items).find(({ id }) => id === event.content.item)?.anchor;
}

/** Returns the floors of a chapter, the highest first, as in a lift: its own, else those of the story if the chapter names one. */
export function floorsOf(session, chapter) {
  const floors = floorsIn(session);
  const [own, shared] = [chapter, session.story].map(({ plans }) => (plans ?? []).map(({ id }) => id));
  const named = [chapter.floor, ...chapter.events.map(event => anchorOf(session, event)?.floor)].filter(Boolean);
  if (own.length + named.length === 0) return [];
  const ids = own.length > 0 ? [...shared.filter(id => named.includes(id)), ...own] : shared;
  return ids.map(id => floors.get(id)).filter(Boolean).sort((a, b) => b.plan.level - a.plan.level);
}

/** Returns `{floor, point}` of an anchor, or of a position beside it; undefined if its floor has no plan, or it is not on it. */
export function standing(session, anchor, position) {
  const floor = anchor && floorsIn(session).get(anchor.floor);
  const point = anchor?.x === undefined ? floor && position && floor.point(position) : anchor;
  return floor && point && floor.has(point) ? { floor, point } : undefined;
}
