/** Levels of a radio event for a visualizer. */
export class Levels {
  /** The JSON of `wayreel levels`. Throws where it is none. */
  constructor(json) {}
  rate; duration; count; floor; channels; // channels: [{name, values: Float32Array (dBFS)}]
  /** The index at a time in seconds, clamped. */
  index(seconds) {}
  /** Level of a channel at a time, 0 (floor of -60 dB, or what is given) to 1 (full scale). */
  share(channel, seconds, lowest = -60) {}
}
