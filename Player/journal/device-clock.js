/** The device's clock, corrected by the service's Date header where it is off by more than 5 s; never runs backwards within a session. */
export class DeviceClock {
  /** Takes note of an answer's Date header. */
  observe(response) {}
  /** Milliseconds since 1970. */
  now() {}
  /** The time as inputs want it. */
  text() {}
  /** A time of the device, as GeolocationPosition.timestamp, corrected: text. */
  textOf(deviceMilliseconds) {}
  /** Milliseconds by which the device is off; 0 until known. */
  offset;
}
