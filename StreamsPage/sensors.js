// Sends the accelerometer of this device to a stream.
import { setText } from './components/element.js';
import { encodedBatch, nameOfPage, openStream, tokenOfPage } from './stream-socket.js';

const status = document.getElementById('status');
const axes = ['x', 'y', 'z'];
const sendInterval = 20;

async function send() {
  // Safari asks for permission, on a tap only.
  const answer = await globalThis.DeviceMotionEvent?.requestPermission?.() ?? 'granted';
  if (answer !== 'granted') return setText(status, 'The sensors were refused.');
  const socket = openStream(nameOfPage() === 'view' ? 'sensors' : nameOfPage(), tokenOfPage(), 'wayreel-source');
  let [times, values, number] = [[], axes.map(() => []), 0];
  addEventListener('devicemotion', event => {
    const gravity = event.accelerationIncludingGravity;
    if (!gravity || gravity.x === null) return;
    times.push((performance.timeOrigin + event.timeStamp) / 1000);
    axes.forEach((axis, index) => values[index].push(gravity[axis]));
  });
  const timer = setInterval(() => {
    if (times.length === 0 || socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > 65536) return;
    socket.send(encodedBatch(++number, values.map((values, channel) => ({ channel, times, values }))));
    [times, values] = [[], axes.map(() => [])];
  }, sendInterval);
  socket.onopen = () => socket.send(JSON.stringify({
    type: 'begin', format: 'wayreel-source', version: 1, record: false, title: 'Accelerometer', notation: 'date',
    channels: axes.map(axis => ({ name: `acceleration.${axis}`, unit: 'm/s²' })),
  }));
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    setText(status, message.type === 'error' ? message.message : `Sending; ${message.viewers} look on.`);
  };
  socket.onclose = () => { clearInterval(timer); setText(status, 'The connection has ended.'); };
}

document.getElementById('send').addEventListener('click', send);
