/** The heading without a compass's jitter: the gyroscope turns it, the compass corrects it while it is stable. Degrees and seconds. */
export class GyroCompass {
  constructor({ recalibration = 2, tolerance } = {}) {}
  /** A compass reading; returns the heading. */
  compass(degrees, seconds) {}
  /** Turning about the vertical, degrees a second, clockwise positive; returns the heading. */
  gyroscope(rate, seconds) {}
}
