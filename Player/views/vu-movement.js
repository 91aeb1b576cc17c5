// The movement of a VU meter's needle: a damped oscillator, x″ = ω² (u − x) − 2 ζ ω x′, that follows the amplitude u. For a
// step of u it reaches 99 % in 0.3 s and overshoots by 1.25 %, as IEC 60268-17 demands: ζ = −ln 0.0125 / √(π² + ln² 0.0125), and
// ω is such that the step response is 0.99 at 0.3 s.

const damping = 0.812717;
const frequency = 13.5119;
const decay = damping * frequency;
const damped = frequency * Math.sqrt(1 - damping ** 2);

/**
 * Returns the amplitude that a needle shows at the end of each reading. `amplitudes` are constant for 1 / `rate` seconds
 * each, so that the equation has an exact solution, which does not depend on the rate.
 */
export function vuMovement(amplitudes, rate) {
  const factor = Math.exp(-decay / rate);
  const [sine, cosine] = [Math.sin(damped / rate), Math.cos(damped / rate)];
  let [shown, speed] = [0, 0];
  return Float32Array.from(amplitudes, amplitude => {
    const distance = shown - amplitude;
    shown = amplitude + factor * (distance * cosine + (speed + decay * distance) / damped * sine);
    speed = factor * (speed * cosine - (decay * speed + frequency ** 2 * distance) / damped * sine);
    return shown;
  });
}
