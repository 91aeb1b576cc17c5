// Keeps the screen on, as far as the browser and the device allow it.

/** The share of the battery from which on the screen may turn off. */
const least = 0.15;

/**
 * Returns a function that is called with whether the screen has to stay on, until `signal` is aborted. `show` is called with why it does not:
 * 'low' if the battery is, 'refused' by the device, otherwise false.
 */
export function screenLock(signal, show) {
  let lock;
  let battery;
  let isWanted = false;
  let isAsking = false;
  let isRefused = false;

  const isLow = () => battery && !battery.charging && battery.level <= least;

  async function update() {
    const mayHold = isWanted && !isLow();
    if (!mayHold) {
      lock?.release();
      lock = undefined;
    } else if (!lock && !isAsking && !isRefused && !document.hidden) {
      isAsking = true;
      const asked = await navigator.wakeLock.request('screen').catch(() => undefined);
      isAsking = false;
      lock = asked?.released ? undefined : asked;
      lock?.addEventListener('release', () => asked === lock && lost());
      // Much may have happened meanwhile.
      return lock ? update() : lost();
    }
    return show(isWanted && (isLow() ? 'low' : isRefused && 'refused'));
  }

  /** A page that was hidden asks again when it is shown. Otherwise the device has its reasons. */
  function lost() {
    lock = undefined;
    isRefused = !document.hidden;
    update();
  }

  function tryAgain() {
    isRefused = false;
    update();
  }

  document.addEventListener('visibilitychange', tryAgain, { signal });
  Promise.resolve(navigator.getBattery?.()).then(found => {
    battery = found;
    for (const name of ['levelchange', 'chargingchange']) battery?.addEventListener(name, tryAgain, { signal });
    update();
  }, () => {});
  const want = isNow => {
    if (isNow === isWanted) return;
    isWanted = isNow && !signal.aborted;
    tryAgain();
  };
  signal.addEventListener('abort', () => want(false));
  return want;
}
