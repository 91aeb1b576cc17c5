// The latest samples of a channel, in typed arrays of a fixed size: the oldest are overwritten.

export class SignalRing {
  /** The number of all samples so far. Sample `i` is there from `first` on, at `i & mask`. */
  total = 0;
  /** The number of samples that were left out because they are earlier than one before them. */
  late = 0;

  /** `capacity` is rounded up to a power of two. */
  constructor(capacity) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(capacity, 16)));
    this.mask = size - 1;
    this.times = new Float64Array(size);
    this.values = new Float32Array(size);
  }

  get first() { return Math.max(0, this.total - this.times.length); }

  /** The time of the newest sample; −Infinity if there is none. */
  get end() { return this.total === 0 ? -Infinity : this.times[(this.total - 1) & this.mask]; }

  get start() { return this.total === 0 ? Infinity : this.times[this.first & this.mask]; }

  time(index) { return this.times[index & this.mask]; }
  value(index) { return this.values[index & this.mask]; }

  /** Adds `count` samples at `start` + i × `interval`, or at `start` + `offsets`[i] seconds. NaN is a gap. */
  add(start, interval, offsets, values, count) {
    const { times, mask } = this;
    let end = this.end;
    for (let i = 0; i < count; i += 1) {
      const time = offsets ? start + offsets[i] : start + i * interval;
      if (time < end) {
        this.late += 1;
        continue;
      }
      end = time;
      times[this.total & mask] = time;
      this.values[this.total & mask] = values[i];
      this.total += 1;
    }
  }

  clear() {
    this.total = 0;
    this.late = 0;
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

  /** Returns the smallest and the largest value from sample `from` to before `to`, as `[low, high]`; undefined if there is none. */
  extremes(from, to) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = Math.max(from, this.first); i < to; i += 1) {
      const value = this.values[i & this.mask];
      if (value < low) low = value;
      if (value > high) high = value;
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
