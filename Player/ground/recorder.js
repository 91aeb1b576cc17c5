// Drawings that another thread makes: calls of a canvas's context as a list of plain values.

const methods = [
  'arc', 'beginPath', 'clearRect', 'closePath', 'ellipse', 'fill', 'fillRect', 'fillText', 'lineTo', 'moveTo', 'restore', 'rotate', 'roundRect',
  'save', 'scale', 'setLineDash', 'stroke', 'strokeText', 'translate',
];
const properties = ['direction', 'fillStyle', 'font', 'globalAlpha', 'lineCap', 'lineJoin', 'lineWidth', 'strokeStyle', 'textAlign'];
const names = [...methods, ...properties];

/** What a gradient is made of. */
class Gradient {
  stops = [];

  constructor(method, at) {
    Object.assign(this, { method, at });
  }

  addColorStop(...stop) { this.stops.push(stop); }
}

/** Stands in for a context, and records in `commands` what it is asked to draw. */
export class Recorder {
  /** The index of a name, the number of values, and these, in turn. */
  commands = [];
  #values = {};
  #measuring = new OffscreenCanvas(1, 1).getContext('2d');

  /** Begins a new record. The transform is that of the one who replays it; what is written has the direction of the page. */
  setTransform() {
    this.commands = [];
    this.direction = document.documentElement.dir || 'ltr';
  }

  createLinearGradient(...at) { return new Gradient('createLinearGradient', at); }

  createRadialGradient(...at) { return new Gradient('createRadialGradient', at); }

  measureText(text) {
    this.#measuring.font = this.font;
    return this.#measuring.measureText(text);
  }

  static {
    for (const [index, name] of names.entries()) {
      const description = index < methods.length ? {
        value(...parts) { this.commands.push(index, parts.length, ...parts.map(part => part instanceof Path2D ? { path: part.text } : part)); },
      } : {
        get() { return this.#values[name]; },
        set(value) {
          this.#values[name] = value;
          this.commands.push(index, 1, value);
        },
      };
      Object.defineProperty(this.prototype, name, description);
    }
  }
}

/** Makes a recorded drawing on a context, as its transform is. */
export function replay(c, commands) {
  for (let at = 0; at < commands.length; at += 2 + commands[at + 1]) {
    const name = names[commands[at]];
    const parts = commands.slice(at + 2, at + 2 + commands[at + 1]);
    if (commands[at] < methods.length) c[name](...parts.map(part => part?.path === undefined ? part : new Path2D(part.path)));
    else c[name] = parts[0].method === undefined ? parts[0] : gradientOf(c, parts[0]);
  }
}

function gradientOf(c, { method, at, stops }) {
  const gradient = c[method](...at);
  for (const stop of stops) gradient.addColorStop(...stop);
  return gradient;
}
