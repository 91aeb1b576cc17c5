// The page that sends what a device measures to a live stream.
import { StripChart } from './charts/strip-chart.js';
import { element, setText } from './components/element.js';
import { sensors, SensorFault } from './device-sensors.js';
import { labelled, option } from './panels.js';
import { nameOfPage } from './stream-socket.js';
import { StreamSender } from './stream-sender.js';

const rates = [10, 20, 50, 100];
const laneHeight = 52;
const node = id => document.getElementById(id);

class SensorsPage {
  chart = new StripChart();
  #rows = [];
  /** The channels that have had a value, and their places in the chart. */
  #shownNames = new Set();
  #lanes = new Map();
  #sender;
  #lock;
  #chartOrigin = Math.floor(Date.now() / 1000);

  constructor() {
    node('strips').append(this.chart.node);
    this.chart.clock = { notation: 'clock', origin: this.#chartOrigin };
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) this.chart.movement = 'sweep';
    for (const sensor of sensors) this.#rows.push(this.#row(sensor));
    node('sensors').append(...this.#rows.map(row => row.node));
    this.#form();
    setInterval(() => this.#count(), 1000);
    document.addEventListener('visibilitychange', () => this.#shown());
    requestAnimationFrame(time => this.#draw(time));
    this.#tell();
  }

  // MARK: Sensors

  #row(sensor) {
    const hint = element('p.hint', { id: `${sensor.id}-hint` }, sensor.hint);
    const fault = element('p.fault', { role: 'alert', hidden: true });
    const rate = element('span.rate', {});
    const box = element('input', {
      type: 'checkbox', id: sensor.id, 'aria-describedby': `${sensor.id}-hint`, onchange: () => (box.checked ? this.#start(row) : this.#stop(row)),
    });
    const row = {
      sensor, box, fault, rate, count: 0, last: -Infinity, stop: undefined,
      node: element('li', {}, element('label', {}, box, element('span', {}, sensor.title), rate), hint, fault),
    };
    return row;
  }

  async #start(row) {
    const { sensor, box } = row;
    row.fault.hidden = true;
    setText(row.rate, '…');
    row.last = -Infinity;
    // A sensor that is switched off while its permission is asked for is not started.
    const attempt = row.attempt = Symbol(sensor.id);
    try {
      const stop = await sensor.start({
        rate: this.rate, take: (time, values) => { if (row.attempt === attempt) this.#take(row, time, values); },
        ended: words => { if (row.attempt === attempt) this.#blame(row, words); },
      });
      if (row.attempt !== attempt) return stop();
      row.stop = stop;
      this.#arrange();
    } catch (error) {
      if (!(error instanceof SensorFault)) throw error;
      if (row.attempt === attempt) this.#blame(row, error.message);
    }
    box.checked = row.stop !== undefined;
  }

  #blame(row, words) {
    this.#stop(row);
    row.box.checked = false;
    setText(row.fault, words);
    row.fault.hidden = false;
  }

  #stop(row) {
    row.attempt = undefined;
    row.stop?.();
    row.stop = undefined;
    setText(row.rate, '');
    this.#arrange();
  }

  get #active() { return this.#rows.filter(({ stop }) => stop !== undefined); }

  get rate() { return Number(this.rates.field.value); }

  #take(row, time, values) {
    // Events that come faster than they are asked for are left out. The heart beats as it does.
    const isEven = row.sensor.id !== 'heart';
    if (isEven && time - row.last < 0.9 / this.rate) return;
    row.last = Math.max(row.last, time);
    row.count += 1;
    values.forEach((value, index) => {
      // What the device does not know is no sample.
      if (Number.isNaN(value)) return;
      const { name } = row.sensor.channels[index];
      this.#draws(name, time - this.#chartOrigin, value);
      const sent = this.sending?.get(name);
      if (sent !== undefined) this.#sender.add(sent, time, value);
    });
  }

  #draws(name, time, value) {
    if (!this.#shownNames.has(name)) {
      this.#shownNames.add(name);
      this.#arrange();
    }
    const shown = this.#lanes.get(name);
    if (shown !== undefined) this.chart.add(shown, time, 0, null, [value], 1);
  }

  /** Shows a lane for each channel of what is measured, as soon as it has a value. */
  #arrange() {
    const channels = this.#active.flatMap(({ sensor }) => sensor.channels).filter(({ name }) => this.#shownNames.has(name));
    this.#lanes = new Map(channels.map(({ name }, index) => [name, index]));
    this.chart.setChannels(channels.map((channel, index) => ({ ...channel, index })));
    const strips = node('strips');
    strips.hidden = channels.length === 0;
    strips.style.setProperty('--strips', `${channels.length * laneHeight + 48}px`);
    this.#tell();
  }

  // MARK: Sending

  #form() {
    this.name = labelled('name', 'Name of the stream', element('input', {
      type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: '64', value: nameOfPage('sensors'),
      oninput: () => this.name.blame(),
    }));
    this.rates = labelled('rate', 'Rate, at most', element('select', { onchange: () => this.#restart() }, rates.map(rate => option(rate, `${rate} a second`))));
    this.rates.field.value = '50';
    this.record = element('input', { type: 'checkbox', id: 'record' });
    this.button = element('button.primary', { type: 'submit' }, 'Send');
    this.status = element('p', { id: 'status', role: 'status' });
    this.figures = element('p.hint', {});
    this.link = element('a', {});
    this.shownAt = element('p.hint', { hidden: true }, 'It is shown at ', this.link);
    this.recordingLink = element('a', {}, 'Open the recording');
    this.recordedAt = element('p', { hidden: true }, this.recordingLink);
    node('form').classList.add('panel-body');
    node('form').append(
      element('div.settings', {}, this.name.node, this.rates.node),
      element('label.check', {}, this.record, element('span', {}, 'Record it on the server')),
      element('div.send', {}, this.button, this.status), this.figures, this.shownAt, this.recordedAt);
    node('form').addEventListener('submit', event => {
      event.preventDefault();
      if (this.#isSending) this.#end();
      else this.#send();
    });
  }

  get #isSending() { return this.#sender !== undefined && this.#sender.state !== 'ended'; }

  /** Sensors that have a rate of their own begin anew with another one. */
  async #restart() {
    for (const row of this.#active) {
      row.stop();
      row.stop = undefined;
      await this.#start(row);
    }
  }

  #send() {
    const name = this.name.field.value.trim();
    this.name.blame(/^[\w-]{1,64}$/.test(name) ? undefined : 'A name is of 1 to 64 letters, digits, - and _.');
    if (!/^[\w-]{1,64}$/.test(name)) return this.name.field.focus();
    const active = this.#active;
    if (active.length === 0) {
      setText(this.status, 'Choose a sensor first.');
      return this.#rows[0].box.focus();
    }
    const channels = active.flatMap(({ sensor }) => sensor.channels.map(({ name: channel, unit }) => ({ name: channel, unit })));
    this.sending = new Map(channels.map(({ name: channel }, index) => [channel, index]));
    const title = active.map(({ sensor }) => sensor.title).join(', ');
    this.#sender = new StreamSender(name, { channels, record: this.record.checked, title }, () => this.#tell());
    this.counted = { sent: 0, at: performance.now() };
    const address = new URL(`streams?stream=${name}`, document.baseURI);
    setText(this.link, address.href);
    this.link.href = address.href + location.hash;
    this.shownAt.hidden = false;
    this.#keepAwake();
    this.#tell();
  }

  #end() {
    this.#sender.stop();
    this.#tell();
  }

  /** A screen that goes dark stops the sensors of most phones. */
  async #keepAwake() {
    try {
      this.#lock = await navigator.wakeLock.request('screen');
      if (!this.#isSending) await this.#lock.release();
      this.staysAwake = true;
    } catch {
      this.staysAwake = false;
    }
    this.#tell();
  }

  #shown() {
    if (document.hidden) return;
    this.chart.invalidate();
    if (this.#isSending) this.#keepAwake();
  }

  // MARK: Words

  #count() {
    for (const row of this.#active) {
      setText(row.rate, row.sensor.id === 'position' || row.sensor.id === 'heart' ? `${row.count} in the last second` : `${row.count} a second`);
      row.count = 0;
    }
    if (!this.#isSending) return;
    const [sent, at] = [this.#sender.sent, performance.now()];
    this.perSecond = Math.round((sent - this.counted.sent) / (at - this.counted.at) * 1000);
    this.counted = { sent, at };
    this.#tell();
  }

  #tell() {
    const sender = this.#sender;
    const isSending = this.#isSending;
    if (!isSending) {
      this.sending = undefined;
      this.#lock?.release();
      this.#lock = undefined;
    }
    // What is still recorded is looked at live.
    this.recordedAt.hidden = isSending || !sender?.kept;
    if (sender?.kept) this.recordingLink.href = new URL(`streams?recording=${encodeURIComponent(sender.kept)}`, document.baseURI).href;
    setText(this.button, isSending ? 'Stop' : 'Send');
    for (const field of [...this.#rows.map(({ box }) => box), this.name.field, this.rates.field, this.record]) field.disabled = isSending;
    if (!sender) return;
    setText(this.status, {
      connecting: 'Connecting …', waiting: `No connection: it tries again. ${sender.reason}`,
      sending: sender.recording ? 'Sending, and recording' : 'Sending', ended: sender.reason || 'Stopped',
    }[sender.state]);
    // Numbers that change each second are not said.
    const figures = !isSending ? [] : [
      `${(this.perSecond ?? 0).toLocaleString('en')} values a second`, sender.viewers === 1 ? '1 viewer' : `${sender.viewers} viewers`,
      sender.waiting > 50 && `${sender.waiting.toLocaleString('en')} values wait`,
      sender.dropped > 0 && `${sender.dropped.toLocaleString('en')} waited too long and are lost`,
      this.staysAwake === false && 'keep the screen on: this browser does not',
    ];
    setText(this.figures, figures.filter(Boolean).join(' · '));
  }

  #draw(time) {
    requestAnimationFrame(next => this.#draw(next));
    if (!node('strips').hidden) this.chart.frame(time);
  }
}

new SensorsPage();
