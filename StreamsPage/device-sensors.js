// The sensors of a device that a page may read. Each has channels, and starts on a tap, when browsers ask for permission.
import { attitude } from './sensors/attitude.js';

/** Why a sensor cannot be read, in words. */
export class SensorFault extends Error {}

const seconds = event => (performance.timeOrigin + event.timeStamp) / 1000;
const secondsNow = () => (performance.timeOrigin + performance.now()) / 1000;

const needsSecureContext = () => {
  if (!globalThis.isSecureContext) throw new SensorFault('The browser gives sensors only to pages of https:// addresses.');
};

/** Safari asks for permission, on a tap only. */
async function permit(type) {
  if (!type?.requestPermission) return;
  const answer = await type.requestPermission().catch(() => 'denied');
  if (answer !== 'granted') throw new SensorFault('You did not allow it. Safari asks again after the page was closed and opened.');
}

/** Resolves when a sensor has given something, or fails after a while. */
function firstOf(listen, missing) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new SensorFault(missing)), 3000);
    listen(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** A sensor of the Generic Sensor API, which has a rate of its own; undefined where it is missing or refused. */
function generic(type, frequency, take) {
  return new Promise(resolve => {
    let sensor;
    try {
      sensor = new type({ frequency });
    } catch {
      return resolve(undefined);
    }
    const timer = setTimeout(() => end(), 2000);
    const end = () => {
      clearTimeout(timer);
      sensor.stop();
      resolve(undefined);
    };
    sensor.onerror = end;
    sensor.onreading = () => {
      clearTimeout(timer);
      take((performance.timeOrigin + sensor.timestamp) / 1000, [sensor.x, sensor.y, sensor.z]);
      resolve(() => sensor.stop());
    };
    sensor.start();
  });
}

/** Listens to `devicemotion`: `read(event)` returns three numbers, or null where the device has none. */
async function motion(read, take, missing) {
  needsSecureContext();
  if (typeof DeviceMotionEvent === 'undefined') throw new SensorFault('This browser does not know motion sensors.');
  await permit(DeviceMotionEvent);
  const control = new AbortController();
  try {
    await firstOf(found => addEventListener('devicemotion', event => {
      const values = read(event);
      if (!values?.every(Number.isFinite)) return;
      found();
      take(seconds(event), values);
    }, { signal: control.signal }), missing);
  } catch (error) {
    control.abort();
    throw error;
  }
  return () => control.abort();
}

async function genericOrMotion(type, rate, read, take, missing) {
  needsSecureContext();
  return (type && await generic(type, rate, take)) ?? motion(read, take, missing);
}

const radians = Math.PI / 180;

async function compass(take) {
  needsSecureContext();
  if (typeof DeviceOrientationEvent === 'undefined') throw new SensorFault('This browser does not know a compass.');
  await permit(DeviceOrientationEvent);
  const name = 'ondeviceorientationabsolute' in window ? 'deviceorientationabsolute' : 'deviceorientation';
  const control = new AbortController();
  try {
    await firstOf(found => addEventListener(name, event => {
      const { alpha, beta, gamma, absolute, webkitCompassHeading: heading, webkitCompassAccuracy: accuracy } = event;
      const hasHeading = Number.isFinite(heading);
      // An angle that is not absolute counts from where the device looked first.
      if (!hasHeading && !(absolute && [alpha, beta, gamma].every(Number.isFinite))) return;
      found();
      take(seconds(event), [hasHeading ? heading : attitude(alpha, beta, gamma, screen.orientation?.angle ?? 0).top, accuracy >= 0 ? accuracy : NaN]);
    }, { signal: control.signal }), 'This device has no compass.');
  } catch (error) {
    control.abort();
    throw error;
  }
  return () => control.abort();
}

function position(take) {
  needsSecureContext();
  if (!navigator.geolocation) throw new SensorFault('This browser does not know positions.');
  return new Promise((resolve, reject) => {
    const watch = navigator.geolocation.watchPosition(({ coords, timestamp }) => {
      const value = number => (Number.isFinite(number) ? number : NaN);
      take(timestamp / 1000, [coords.latitude, coords.longitude, value(coords.accuracy), value(coords.altitude), value(coords.speed)]);
      resolve(() => navigator.geolocation.clearWatch(watch));
    }, ({ code }) => {
      // A fix that fails later is followed by others.
      if (code !== 1) return reject(new SensorFault('There is no position here now.'));
      navigator.geolocation.clearWatch(watch);
      reject(new SensorFault('You did not allow the position. The settings of the browser for this page change that.'));
    }, { enableHighAccuracy: true, maximumAge: 0, timeout: 30_000 });
  });
}

/** The peak and the RMS of the microphone. Samples stay in the audio thread of this device. */
async function microphone(rate, take) {
  needsSecureContext();
  if (!navigator.mediaDevices?.getUserMedia || typeof AudioWorkletNode === 'undefined') throw new SensorFault('This browser does not give a microphone.');
  const context = new AudioContext();
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false } });
    await context.audioWorklet.addModule(new URL('level-worklet.js', import.meta.url));
    await context.resume();
  } catch (error) {
    await context.close();
    throw new SensorFault(error.name === 'NotFoundError' ? 'This device has no microphone.'
      : error.name === 'NotAllowedError' ? 'You did not allow the microphone. The settings of the browser for this page change that.'
        : `The microphone does not work: ${error.message}`);
  }
  const meter = new AudioWorkletNode(context, 'levels', { numberOfOutputs: 0, processorOptions: { rate } });
  // The clock of audio differs from the page's by what the first messages show, at least.
  let offset = Infinity;
  meter.port.onmessage = ({ data: { time, levels } }) => {
    offset = Math.min(offset, secondsNow() - time);
    take(time + offset, levels);
  };
  context.createMediaStreamSource(stream).connect(meter);
  return async () => {
    stream.getTracks().forEach(track => track.stop());
    await context.close();
  };
}

/**
 * Reads a Heart Rate Measurement (Bluetooth SIG, characteristic 0x2A37): `{ rate, intervals }`, beats a minute, and the seconds
 * between beats since the last one. `view` is a DataView.
 */
export function heartRate(view) {
  const flags = view.getUint8(0);
  const isLong = flags & 1;
  const rate = isLong ? view.getUint16(1, true) : view.getUint8(1);
  const intervals = [];
  if (flags & 16) {
    for (let at = 2 + (isLong ? 1 : 0) + (flags & 8 ? 2 : 0); at + 2 <= view.byteLength; at += 2) intervals.push(view.getUint16(at, true) / 1024);
  }
  return { rate, intervals };
}

async function heartBelt(take, ended) {
  if (!navigator.bluetooth) throw new SensorFault('This browser has no Web Bluetooth. Chrome on Android, Windows and macOS has.');
  let device;
  try {
    device = await navigator.bluetooth.requestDevice({ filters: [{ services: ['heart_rate'] }] });
    const server = await device.gatt.connect();
    const service = await server.getPrimaryService('heart_rate');
    const measurement = await service.getCharacteristic('heart_rate_measurement');
    measurement.addEventListener('characteristicvaluechanged', ({ target }) => {
      const { rate, intervals } = heartRate(target.value);
      const now = secondsNow();
      take(now, [rate, NaN]);
      // The last interval ends about now, and each ends where the next one begins.
      let time = now - intervals.slice(1).reduce((sum, interval) => sum + interval, 0);
      intervals.forEach((interval, index) => {
        if (index > 0) time += intervals[index];
        take(time, [NaN, interval]);
      });
    });
    await measurement.startNotifications();
  } catch (error) {
    device?.gatt.disconnect();
    throw new SensorFault(error.name === 'NotFoundError' ? 'No belt was chosen.' : `The belt cannot be read: ${error.message}`);
  }
  device.addEventListener('gattserverdisconnected', () => ended('The belt has gone.'));
  return () => device.gatt.disconnect();
}

/** `label`: what the page's own strips call it. */
const axes = (stream, label, unit) => ['x', 'y', 'z'].map(axis => ({ name: `${stream}.${axis}`, label: `${label} ${axis}`, unit }));

/**
 * The sensors: `start({ rate, take(time, values), ended(words) })` returns how to stop it, or throws a SensorFault. `take` gets the
 * Unix time in seconds, and a value of each channel; NaN for none.
 */
export const sensors = [
  {
    id: 'acceleration', title: 'Accelerometer', hint: 'With gravity, in m/s².', channels: axes('acceleration', 'accel.', 'm/s²'),
    start: ({ rate, take }) => genericOrMotion(globalThis.Accelerometer, rate, ({ accelerationIncludingGravity: a }) => a && [a.x, a.y, a.z], take,
      'This device has no accelerometer.'),
  },
  {
    id: 'rotation', title: 'Gyroscope', hint: 'Rates of rotation, in radians a second.', channels: axes('rotation', 'gyro', 'rad/s'),
    start: ({ rate, take }) => genericOrMotion(globalThis.Gyroscope, rate,
      ({ rotationRate: r }) => r && [r.beta, r.gamma, r.alpha].map(degrees => (degrees === null ? NaN : degrees * radians)), take,
      'This device has no gyroscope.'),
  },
  {
    id: 'heading', title: 'Compass', hint: 'Degrees clockwise from north.',
    channels: [{ name: 'heading.degrees', label: 'heading', unit: '°' },
      { name: 'heading.accuracy', label: 'accuracy', unit: '°' }],
    start: ({ take }) => compass(take),
  },
  {
    id: 'position', title: 'Position', hint: 'Latitude and longitude, to about a metre; accuracy, altitude, speed.',
    channels: [{ name: 'position.latitude', label: 'latitude', unit: '°' },
      { name: 'position.longitude', label: 'longitude', unit: '°' }, { name: 'position.accuracy', label: 'accuracy', unit: 'm' },
      { name: 'position.altitude', label: 'altitude', unit: 'm' }, { name: 'position.speed', label: 'speed', unit: 'm/s' }],
    start: ({ take }) => position(take),
  },
  {
    id: 'microphone', title: 'Microphone level', hint: 'Peak and RMS in dBFS. Only these numbers are sent: the sound never leaves this device.',
    channels: [{ name: 'microphone.peak', label: 'peak', unit: 'dBFS' }, { name: 'microphone.rms', label: 'RMS', unit: 'dBFS' }],
    start: ({ rate, take }) => microphone(rate, take),
  },
  {
    id: 'heart', title: 'Heart-rate belt', hint: 'A Bluetooth belt: beats a minute, and the seconds from beat to beat.',
    channels: [{ name: 'heart.rate', label: 'heart', unit: '1/min' }, { name: 'heart.interval', label: 'interval', unit: 's' }],
    start: ({ take, ended }) => heartBelt(take, ended),
  },
];
