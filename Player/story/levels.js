/** Readings of a channel, in the order of a visualizer's preference: the story's meter first. */
const readings = ['meter', 'peak', 'rms'];

/** Levels of audio over time, as written by `wayreel levels` (Documentation/levels.md). */
export class Levels {
  /** Throws a TypeError if `json` is not such a document. */
  constructor(json) {
    const isSound = json?.schema === 'wayreel.levels' && json.version === 1 && json.rate > 0 && json.channels?.length;
    if (!isSound) throw new TypeError('not a Wayreel levels document');
    /** Levels per second, seconds, and the level of silence in dBFS. */
    [this.rate, this.duration, this.floor] = [json.rate, json.duration, json.floor];
    /** Each channel's name, the levels to draw, and the RMS if there is one. */
    this.channels = json.channels.map(channel => {
      const reading = readings.find(name => channel[name])
        ?? Object.keys(channel).find(name => Array.isArray(channel[name]));
      return {
        name: channel.name, values: Float32Array.from(channel[reading] ?? []), rms: channel.rms && Float32Array.from(channel.rms),
      };
    });
    /** Whether the levels move like a meter already. The meter `peak` has no ballistics. */
    this.hasBallistics = json.channels.every(channel => channel.meter) && json.meter !== 'peak';
    this.count = this.channels[0].values.length;
  }

  /** The number of the level at a time in seconds. */
  index(seconds) { return Math.min(Math.max(Math.floor(seconds * this.rate), 0), this.count - 1); }

  /** The level at a time, from 0 at `lowest` dBFS and below to 1 at full scale. */
  share({ values }, seconds, lowest = -60) {
    const level = values[this.index(seconds)] ?? lowest;
    return Math.min(Math.max(1 - level / lowest, 0), 1);
  }
}
