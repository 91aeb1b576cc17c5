// How late samples are shown, for the benchmark: `window.wayreelDelays`.

const size = 1 << 14;

/**
 * The delays of the latest batches in ms: entry `i` is at `i % size`, and `count` is the number of all so far.
 *
 * `arrivalToFrame`: from the arrival of the newest sample at the server, by the server's clock, until the frame that shows it
 * was drawn. `receivedToDrawn`: from when the page got the batch until then. `offset`: what was added to the page's clock.
 */
export class Delays {
  size = size;
  count = 0;
  offset = 0;
  arrivalToFrame = new Float64Array(size);
  receivedToDrawn = new Float64Array(size);

  add(arrivalToFrame, receivedToDrawn, offset) {
    const at = this.count % size;
    this.arrivalToFrame[at] = arrivalToFrame;
    this.receivedToDrawn[at] = receivedToDrawn;
    this.offset = offset;
    this.count += 1;
  }

  /** Returns the delay that a share of the batches does not exceed, `of` 'arrivalToFrame' or 'receivedToDrawn'; NaN if there is none. */
  quantile(of, share) {
    const kept = this[of].slice(0, Math.min(this.count, size)).sort();
    return kept.length === 0 ? NaN : kept[Math.min(kept.length - 1, Math.floor(kept.length * share))];
  }
}
