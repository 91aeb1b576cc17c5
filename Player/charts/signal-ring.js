// The latest samples of a channel, in typed arrays of a fixed size: the oldest are overwritten.

/** Of each block of samples the lowest and the highest value are known, so that what is drawn small is drawn fast. */
export const blockSize = 64;
/** Samples earlier than the newest one, one after the other, after which the clock of the channel began anew. */
const mostLate = 200;

export class SignalRing {
  /** The number of all samples so far. Sample `i` is there from `first` on, at `i & mask`. */
  total = 0;
  /** The number of samples that were left out because they are earlier than one before them. */
  late = 0;
  /** How often the times began anew, so that all before was dropped. */
  restarts = 0;
  #lateInRow = 0;
  #known = -Infinity;
  #knownUntil = 0;
  #base = 0;

  /** `capacity` is rounded up to a power of two. */
  constructor(capacity) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(capacity, blockSize)));
    this.mask = size - 1;
    this.times = new Float64Array(size);
    this.values = new Float32Array(size);
    this.lows = new Float32Array(size / blockSize);
    this.highs = new Float32Array(size / blockSize);
  }

  get first() { return Math.max(this.#base, this.total - this.times.length); }

  /** The time of the newest sample; −Infinity if there is none. */
  get end() { return this.total === 0 ? -Infinity : this.times[(this.total - 1) & this.mask]; }

  get start() { return this.total === 0 ? Infinity : this.times[this.first & this.mask]; }

  time(index) { return this.times[index & this.mask]; }
  value(index) { return this.values[index & this.mask]; }

  /** Adds `count` samples at `start` + i × `interval`, or at `start` + `offsets`[i] seconds. NaN is a gap. */
  add(start, interval, offsets, values, count) {
    let end = this.end;
    if (performance.now() > this.#knownUntil) this.#known = -Infinity;
    for (let i = 0; i < count; i += 1) {
      const time = offsets ? start + offsets[i] : start + i * interval;
      if (time < end || time <= this.#known) {
        if (time <= this.#known) continue;
        this.late += 1;
        this.#lateInRow += 1;
        if (this.#lateInRow <= mostLate) continue;
        this.clear();
        this.restarts += 1;
      }
      if (!Number.isFinite(time)) continue;
      this.#lateInRow = 0;
      end = time;
      this.#append(time, values[i]);
    }
  }

  #append(time, value) {
    const at = this.total & this.mask;
    const block = at / blockSize | 0;
    this.times[at] = time;
    this.values[at] = value;
    if (at % blockSize === 0) {
      this.lows[block] = value;
      this.highs[block] = value;
    } else {
      // A gap makes its whole block unknown: NaN stays NaN.
      this.lows[block] = Math.min(this.lows[block], value);
      this.highs[block] = Math.max(this.highs[block], value);
    }
    this.total += 1;
  }

  clear() {
    this.total = 0;
    this.late = 0;
    this.#base = 0;
    this.#lateInRow = 0;
    this.#known = -Infinity;
  }

  /** Samples up to the newest one will come once more in the next ten seconds, and are left out then. */
  expectRepeats() {
    this.#known = this.end;
    this.#knownUntil = performance.now() + 10_000;
  }

  /** Drops the samples at and after a time. */
  dropFrom(time) {
    const kept = this.indexAt(time);
    this.#known = -Infinity;
    this.#lateInRow = 0;
    if (kept === this.total) return;
    if (kept === this.first) return this.clear();
    // What was overwritten does not come back.
    this.#base = this.first;
    // The block that is cut off is counted anew.
    const from = Math.max(kept - kept % blockSize, this.#base);
    const rest = [];
    for (let i = from; i < kept; i += 1) rest.push([this.time(i), this.value(i)]);
    this.total = from;
    for (const [at, value] of rest) this.#append(at, value);
  }

  /** Returns the index of the first sample at or after a time. */
  indexAt(time) {
    let [low, high] = [this.first, this.total];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.times[middle & this.mask] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the index of the sample nearest to a time; −1 if there is none. */
  nearest(time) {
    const after = this.indexAt(time);
    if (this.total === 0) return -1;
    if (after >= this.total) return this.total - 1;
    if (after === this.first) return after;
    return time - this.time(after - 1) <= this.time(after) - time ? after - 1 : after;
  }

  /**
   * Returns the smallest and the largest value from sample `from` to before `to`, as `[low, high]`; undefined if there is none.
   * `isPositive`: of values above zero.
   */
  extremes(from, to, isPositive = false) {
    let [low, high] = [Infinity, -Infinity];
    const { values, lows, highs, mask } = this;
    for (let i = Math.max(from, this.first); i < to;) {
      const at = i & mask;
      const block = at / blockSize | 0;
      const isWhole = at % blockSize === 0 && i + blockSize <= to;
      const [lowest, highest] = isWhole ? [lows[block], highs[block]] : [values[at], values[at]];
      const isKnown = lowest === lowest && !(isPositive && lowest <= 0);
      if (isWhole && !isKnown) {
        const end = i + blockSize;
        for (; i < end; i += 1) {
          const value = values[i & mask];
          if (isPositive && value <= 0) continue;
          if (value < low) low = value;
          if (value > high) high = value;
        }
        continue;
      }
      if (isKnown) {
        if (lowest < low) low = lowest;
        if (highest > high) high = highest;
      }
      i += isWhole ? blockSize : 1;
    }
    return low <= high ? [low, high] : undefined;
  }

  /** Returns the usual interval of the last samples in seconds, by their median; undefined for less than three. */
  usualInterval() {
    const count = Math.min(this.total - this.first, 64);
    if (count < 3) return undefined;
    const steps = [];
    for (let i = this.total - count + 1; i < this.total; i += 1) steps.push(this.time(i) - this.time(i - 1));
    steps.sort((a, b) => a - b);
    return steps[steps.length >> 1];
  }
}
