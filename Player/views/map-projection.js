// Projects places to the map, seen from straight above or from behind and above, by one formula.

const metresPerDegree = 6_371_008.8 * Math.PI / 180;
const radians = Math.PI / 180;

/**
 * A camera that looks at the place `centre` with the `heading` upwards. `pitch` is its angle below the horizon: 90 is
 * straight down, which gives a plain map. At the centre a metre has `scale` pixels; the centre is at the pixel `x`,
 * `y`. The Earth is treated as flat, which is accurate enough within a few kilometres.
 */
export class MapProjection {
  constructor({ centre, heading = 0, pitch = 90, scale = 1, x = 0, y = 0, lens = 700 }) {
    Object.assign(this, { centre, heading, pitch, scale, x, y, lens });
    this.east = metresPerDegree * Math.cos(centre.latitude * radians);
    [this.sine, this.cosine] = [Math.sin(heading * radians), Math.cos(heading * radians)];
    [this.down, this.level] = [Math.sin(pitch * radians), Math.cos(pitch * radians)];
    /** Metres from the camera to the centre. */
    this.reach = lens / scale;
  }

  /** Returns the metres east and north of the centre, by the shorter way around the Earth. */
  metres({ latitude, longitude }) {
    const degrees = ((longitude - this.centre.longitude + 540) % 360) - 180;
    return [degrees * this.east, (latitude - this.centre.latitude) * metresPerDegree];
  }

  /**
   * Returns the pixels of a place given in metres east and north, with the `scale` there; undefined behind the camera.
   */
  at(east, north) {
    const right = east * this.cosine - north * this.sine;
    const ahead = east * this.sine + north * this.cosine;
    const depth = this.reach + ahead * this.level;
    if (depth < this.reach * 0.12) return undefined;
    const scale = this.lens / depth;
    return { x: this.x + right * scale, y: this.y - ahead * this.down * scale, scale };
  }

  /** Returns the pixels of a position. */
  point(position) {
    return this.at(...this.metres(position));
  }

  /** The vertical pixel of the horizon; undefined in the view from straight above. */
  get horizon() {
    return this.level < 0.05 ? undefined : this.y - this.down / this.level * this.lens;
  }

  /** The vertical pixel of what is `distance` times as far from the camera as the centre, ahead of it. */
  rowAt(distance) { return this.y - this.down * this.lens * (1 - 1 / distance) / this.level; }

  /** Returns the position at a pixel. */
  position(x, y) {
    const [dx, dy] = [x - this.x, this.y - y];
    // From dy = ahead · down · lens / (reach + ahead · level).
    const ahead = dy * this.reach / (this.down * this.lens - dy * this.level);
    const right = dx * (this.reach + ahead * this.level) / this.lens;
    const east = right * this.cosine + ahead * this.sine;
    const north = ahead * this.cosine - right * this.sine;
    return { latitude: this.centre.latitude + north / metresPerDegree, longitude: this.centre.longitude + east / this.east };
  }

  /** Returns the projection of a map from above that shows all positions within `width` × `height` pixels. */
  static fitting(positions, { width, height, margin = 40, widest = 8 }) {
    const mean = key => {
      const values = positions.map(position => position[key]);
      return (Math.min(...values) + Math.max(...values)) / 2;
    };
    const centre = { latitude: mean('latitude'), longitude: mean('longitude') };
    const plain = new MapProjection({ centre });
    const spans = positions.map(position => plain.metres(position).map(Math.abs));
    const largest = index => Math.max(1, ...spans.map(span => span[index]));
    const scale = Math.min((width / 2 - margin) / largest(0), (height / 2 - margin) / largest(1), widest);
    return new MapProjection({ centre, scale: Math.max(scale, 0.001), x: width / 2, y: height / 2 });
  }
}
