// The stories that are played on this page, and what the sensors measure for them.

import { OrientationSensor } from '../sensors/orientation-sensor.js';
import { PositionSensor } from '../sensors/position-sensor.js';
import { PlaySession } from './play-session.js';

/** The sessions that are open; the last one takes what the sensors measure. */
export class PlaySessions {
  #open = new Map();

  constructor(app) {
    this.app = app;
    app.position = new PositionSensor(app.clock);
    app.orientation = new OrientationSensor();
    app.position.addEventListener('fix', () => this.current?.take(app.position.input));
    app.position.addEventListener('lost', () => this.current?.take({ lost: { timestamp: app.clock.text() } }));
    // Windows open and dwellers dwell also while no fix comes.
    setInterval(() => this.current?.take({ clock: { timestamp: app.clock.text() } }), 5000);
  }

  /** The session of a story, begun or gone on with. Throws where there is no such story. */
  async session(id) {
    if (!this.#open.has(id)) this.#open.set(id, PlaySession.begin(this.app, id));
    try {
      this.current = await this.#open.get(id);
      return this.current;
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
  }

  /** Begins anew with the next view: another version of the story came, or its journal was emptied. */
  forget(id) {
    this.#open.delete(id);
    if (this.current?.id === id) this.current = undefined;
  }
}
