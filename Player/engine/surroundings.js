/** The events around a player, for views: which are near, in which direction they are, and which to load next. */
import { dot, earthVector, geodesic, localAxes, radian, turnDegrees } from './geodesic.js';

const diameter = 2 * 6_371_008.8;

/**
 * Returns the visibility of an event: 1 within its circle, 0 from `range` metres on, and linear in the distance between
 * them.
 */
export function fade(distance, radius, range) {
  if (distance <= radius) return 1;
  return distance < range ? (range - distance) / (range - radius) : 0;
}

export class Surroundings {
  #places;
  #chapters;

  constructor(chapters) {
    this.#chapters = chapters.map(chapter => chapter.id);
    this.#places = chapters.flatMap(chapter => chapter.events.map(event => ({
      event: event.id, chapter: chapter.id, position: event.position, radius: event.activation.radius,
      vector: earthVector(event.position),
    })));
  }

  /**
   * Returns up to `count` events that are not found, nearest first: `{event, chapter, distance, bearing, turn, fade}`.
   */
  nearest(count, view) { return this.#best(count, view, distance => distance); }

  /** Returns the same for events farther than `beyond` metres away: an arrow at the edge of the view points to each. */
  arrows(count, view) {
    return this.#best(count, view, distance => distance > view.beyond ? distance : undefined);
  }

  /**
   * Returns up to `count` events in the order in which to load their media, by (distance − radius) · (2 − cos a), with
   * a the angle between the course and the direction to the event: an event behind has the cost of one three times as
   * far ahead.
   */
  prefetchOrder(count, view) {
    const { course } = view;
    return this.#best(count, { ...view, heading: course }, (distance, bearing, radius) => {
      const turn = course === undefined ? 1 : 2 - Math.cos((bearing - course) * radian);
      return Math.max(0, distance - radius) * turn;
    });
  }

  /**
   * Returns the chapters that have events left, by the distance to the nearest of these: `{chapter, distance, bearing,
   * remaining}`.
   */
  chapters(view) {
    const listed = this.#chapters.flatMap(chapter => {
      const left = this.#places.filter(place => place.chapter === chapter && !view.found.has(place.event));
      const [first] = this.#best(1, { ...view, chapter }, distance => distance);
      return first ? [{ chapter, distance: first.distance, bearing: first.bearing, remaining: left.length }] : [];
    });
    return listed.sort((a, b) => a.distance - b.distance || order(a.chapter, b.chapter));
  }

  /**
   * Returns the events of the lowest cost, a function of distance, bearing and radius; undefined excludes an event.
   * Costs are first estimated to within 1 % of their values, from straight lines through the Earth; only possible
   * results are measured.
   */
  #best(count, { position, heading, found, range = 500, chapter }, cost) {
    if (!(count > 0)) return [];
    const origin = earthVector(position);
    const { east, north } = localAxes(position);
    const rough = [];
    for (const place of this.#places) {
      if (chapter !== undefined && place.chapter !== chapter || found.has(place.event)) continue;
      const chord = place.vector.map((value, axis) => value - origin[axis]);
      const distance = diameter * Math.asin(Math.min(1, Math.hypot(...chord) / diameter));
      const bearing = Math.atan2(dot(east, chord), dot(north, chord)) / radian;
      const highest = cost(distance * 1.01 + 0.01, bearing, place.radius);
      // The actual cost is between these two; the lower one may be undefined.
      if (highest === undefined) continue;
      const least = cost(distance * 0.99 - 0.01, bearing, place.radius);
      rough.push({ place, least: least ?? 0, highest: least === undefined ? Infinity : highest });
    }
    const limit = rough.map(({ highest }) => highest).sort((a, b) => a - b)[count - 1] ?? Infinity;
    const measured = rough.filter(({ least }) => least <= limit).flatMap(({ place }) => {
      const { distance, bearing } = geodesic(position, place.position);
      const value = cost(distance, bearing, place.radius);
      if (value === undefined) return [];
      const sighting = {
        event: place.event, chapter: place.chapter, distance, bearing,
        turn: heading === undefined ? undefined : turnDegrees(bearing - heading),
        fade: fade(distance, place.radius, range),
      };
      return [{ value, sighting }];
    });
    measured.sort((a, b) => a.value - b.value || a.sighting.distance - b.sighting.distance
      || order(a.sighting.event, b.sighting.event));
    return measured.slice(0, count).map(({ sighting }) => sighting);
  }
}

const order = (a, b) => a < b ? -1 : a > b ? 1 : 0;
