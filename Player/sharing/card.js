// A picture of a journey to be shared, drawn on a canvas: a photo or a trail, the story, the figures, and the code of the story's link. It
// shows no place: the trail only has a mark for each thing that was to be found.

import { eventSymbol, lineSymbol } from '../components/icon.js';
import { toTheLeft } from '../components/words.js';
import { qrCode } from './qr-code.js';

/** Pixels, in the shape that most networks show whole. */
export const width = 1080;
export const height = 1350;
const margin = 72;
/** The longest line. */
const most = width - 2 * margin;
/** The side of the code. */
const codeSide = 148;
/** The most marks of a trail; each stands for several things if there are more of them. */
const mostMarks = 24;

/** By day and by night: who gets the card sees it by day. */
const [paper, ink, soft, edge] = ['#ffffff', '#10181b', '#43514f', '#7d8a87'];

const value = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Loads the face for a text: a house's own may not be there yet. */
export const loadFace = text => document.fonts.load(`800 40px ${value('--sans')}`, text).catch(() => {});

/**
 * Draws a card: `{name, language, house?, figures: [{symbol, label, value}], marks, isDone, address}`. `marks` has true for each thing that was
 * found, and then false for the others; `photo` is an ImageBitmap. The canvas has the size of cards.
 */
export function drawCard(canvas, card, photo) {
  // A house may have another colour by night.
  const [signal, onSignal] = [value('--light-mark') || value('--signal'), value('--light-markText') || value('--signal-ink')];
  new Card(canvas.getContext('2d'), { signal, onSignal, family: value('--sans'), isMirrored: document.documentElement.dir === 'rtl' }).draw(card, photo);
}

class Card {
  constructor(context, style) {
    Object.assign(this, { context }, style);
  }

  draw(card, photo) {
    const { context, signal } = this;
    context.fillStyle = paper;
    context.fillRect(0, 0, width, height);
    context.fillStyle = signal;
    context.fillRect(0, height - 18, width, 18);
    const code = qrCode(card.address);
    const foot = height - margin;
    const figures = this.#figuresOf(card.figures, most - codeSide - 40);
    const house = card.house ? 58 : 0;
    const title = this.#title(card, 300 - house);
    const start = foot - Math.max(figures.height, codeSide) - 56 - title.height - house;
    const border = start - 64;
    if (photo) this.#photo(photo, border);
    else this.#ground(border, card.isDone);
    this.#trail(card, border, Boolean(photo));
    if (card.house) this.#line(card.house, { size: 36, weight: 700, color: soft, y: start + 34, most });
    title.draw(start + house);
    figures.draw(foot - figures.height);
    if (code) this.#code(code, foot - codeSide);
  }

  /** The place of the start of a line that is `x` pixels from where lines begin. */
  #start(x) { return this.isMirrored ? width - x : x; }

  #font(size, weight) { this.context.font = `${weight} ${size}px ${this.family}`; }

  /** Sets the direction of a text by its first letter, and returns whether it is from right to left. */
  #turn(text) {
    const letter = /\p{L}/u.exec(text)?.[0];
    const isToTheLeft = letter ? toTheLeft.test(letter) : this.isMirrored;
    const [direction, textAlign] = [isToTheLeft ? 'rtl' : 'ltr', this.isMirrored ? 'right' : 'left'];
    Object.assign(this.context, { direction, textAlign, letterSpacing: '0px' });
    return isToTheLeft;
  }

  /** One line of text, which ends with an ellipsis if it is wider than `most`. */
  #line(text, { size, weight, color, x = margin, y, most }) {
    const { context } = this;
    this.#turn(text);
    this.#font(size, weight);
    context.fillStyle = color;
    context.fillText(cut(context, text, most), this.#start(x), y);
  }

  /** The story's name in large letters, in as many lines as there is room for: `{height, draw(y)}`. */
  #title({ name, language }, room) {
    const { context } = this;
    const isToTheLeft = this.#turn(name);
    const set = size => {
      this.#font(size, 800);
      context.letterSpacing = isToTheLeft ? '0px' : `${-size * 0.025}px`;
      return size * (isToTheLeft ? 1.25 : 1.04);
    };
    let [size, lines, step] = [112];
    for (; ; size -= 4) {
      step = set(size);
      lines = wrapped(context, name, language);
      if (lines.length * step <= room || size <= 52) break;
    }
    const kept = Math.max(1, Math.floor(room / step));
    if (lines.length > kept) lines = [...lines.slice(0, kept - 1), cut(context, lines.slice(kept - 1).join(''), most)];
    else lines = balanced(context, name, language, lines);
    const draw = y => {
      this.#turn(name);
      set(size);
      context.fillStyle = ink;
      lines.forEach((line, index) => context.fillText(line.trim(), this.#start(margin), y + index * step + size * (isToTheLeft ? 0.95 : 0.84)));
    };
    return { height: lines.length * step, draw };
  }

  /** The figures, two by two: `{height, draw(y)}`. */
  #figuresOf(figures, room) {
    const { context } = this;
    this.#turn('');
    this.#font(100, 800);
    const step = room / 2;
    const widest = Math.max(...figures.map(({ value }) => context.measureText(value).width));
    const size = Math.max(36, Math.min(60, (step - 40) / widest * 100));
    const row = size + 76;
    const draw = y => {
      for (const [index, { symbol, label, value }] of figures.entries()) {
        const [x, base] = [margin + index % 2 * step, y + (index >> 1) * row + size * 0.8];
        this.#line(value, { size, weight: 800, color: ink, x, y: base, most: step - 20 });
        this.#symbol(symbol, this.#start(x) - (this.isMirrored ? 34 : 0), base + 18, 34, soft);
        this.#line(label, { size: 29, weight: 600, color: soft, x: x + 44, y: base + 45, most: step - 64 });
      }
    };
    return { height: Math.ceil(figures.length / 2) * row - 30, draw };
  }

  #symbol(name, x, y, side, color) {
    const { context } = this;
    context.save();
    context.translate(x, y);
    context.scale(side / 24, side / 24);
    if (name === 'diamond' || name === 'quiz') {
      context.fillStyle = color;
      context.fill(eventSymbol(name), 'evenodd');
    } else {
      Object.assign(context, { strokeStyle: color, lineWidth: 2, lineCap: 'round', lineJoin: 'round' });
      context.stroke(lineSymbol(name));
    }
    context.restore();
  }

  /** The photo fills all above the border, and loses what is too wide or too high. */
  #photo(photo, border) {
    const { context } = this;
    const scale = Math.max(width / photo.width, border / photo.height);
    const [wide, high] = [width / scale, border / scale];
    context.imageSmoothingQuality = 'high';
    // Faces and towers are rather above the middle.
    context.drawImage(photo, (photo.width - wide) / 2, (photo.height - high) * 0.4, wide, high, 0, 0, width, border);
  }

  /** Without a photo: rings around a sign, as on a map, in the page's signal colour. */
  #ground(border, isDone) {
    const { context, signal, onSignal } = this;
    const [x, y] = this.#onGround(1, border);
    context.save();
    context.beginPath();
    context.rect(0, 0, width, border);
    context.clip();
    context.fillStyle = signal;
    context.fillRect(0, 0, width, border);
    for (let reach = 190; reach < 1300; reach += 80) this.#diamond(x, y, reach, { stroke: onSignal, line: 3, opacity: 0.3 - reach / 5000 });
    this.#diamond(x, y, 116, { fill: onSignal });
    context.restore();
    this.#symbol(isDone ? 'flag' : 'walk', x - 48, y - 48, 96, signal);
  }

  /** A trail that winds up to the sign, by the share of its way. */
  #onGround(share, border) {
    const [x, y] = [margin + 20 + share * 620, border * (0.84 - 0.42 * share) + Math.sin(share * 9.4) * border * 0.14 * (1 - share)];
    return [this.#start(x), y];
  }

  /** A mark for each thing that was to be found, the found ones first, on the border of the photo or on the ground. */
  #trail({ marks }, border, isBorder) {
    const { context, signal, onSignal } = this;
    const place = share => isBorder ? [this.#start(margin + 24 + share * (most - 48)), border] : this.#onGround(share, border);
    const [line, rest, found, missing] = isBorder ? [ink, edge, signal, paper] : [onSignal, onSignal, paper, signal];
    const count = Math.min(marks.length, mostMarks);
    const done = Math.round(marks.filter(Boolean).length / marks.length * count);
    // The sign is at the end of the ground's trail.
    const shareOf = index => index / Math.max(1, count - 1) * (isBorder ? 1 : 0.8);
    const way = (from, to, strokeStyle, dash) => {
      context.beginPath();
      for (let step = 0; step <= 60; step += 1) context.lineTo(...place(from + (to - from) * step / 60));
      Object.assign(context, { strokeStyle, lineWidth: 10, lineCap: 'round', lineJoin: 'round' });
      context.setLineDash(dash);
      context.stroke();
    };
    const walked = shareOf(Math.max(0, done - 1));
    way(walked, isBorder ? 1 : 0.93, rest, isBorder ? [] : [2, 22]);
    way(0, walked, line, []);
    for (let index = 0; index < count; index += 1) {
      const isFound = index < done;
      this.#diamond(...place(shareOf(index)), Math.min(32, 360 / count), { fill: isFound ? found : missing, stroke: isFound ? line : rest, line: 6 });
    }
  }

  #diamond(x, y, reach, { fill, stroke, line, opacity = 1 }) {
    const { context } = this;
    context.save();
    context.translate(x, y);
    context.rotate(Math.PI / 4);
    const side = reach * Math.SQRT2;
    context.beginPath();
    context.roundRect(-side / 2, -side / 2, side, side, Math.min(side * 0.14, 40));
    Object.assign(context, { globalAlpha: Math.max(opacity, 0.05), fillStyle: fill, strokeStyle: stroke, lineWidth: line });
    if (fill) context.fill();
    if (stroke) context.stroke();
    context.restore();
  }

  /** The code at the end of the last line, with the light modules around it that the paper has. */
  #code(rows, y) {
    const { context } = this;
    const module = Math.floor(codeSide / rows.length);
    const side = module * rows.length;
    const x = this.isMirrored ? margin : width - margin - side;
    context.fillStyle = ink;
    rows.forEach((row, down) => row.forEach((isDark, right) => {
      if (isDark) context.fillRect(x + right * module, y + codeSide - side + down * module, module, module);
    }));
  }
}

// Lines

/** Returns a text, or its beginning with an ellipsis, that is not wider than `most` pixels. */
function cut(context, text, most) {
  if (context.measureText(text).width <= most) return text;
  const letters = pieces(text, 'grapheme');
  while (letters.length > 1 && context.measureText(`${letters.join('').trim()}…`).width > most) letters.pop();
  return `${letters.join('').trim()}…`;
}

/** Returns the lines of a text. What is wider than a line is broken: between words that have no spaces, as in Japanese, else anywhere. */
function wrapped(context, text, language, longest = most) {
  const lines = [''];
  const isWide = part => context.measureText(part.trim()).width > longest;
  const add = part => {
    if (lines.at(-1) !== '' && isWide(lines.at(-1) + part)) lines.push('');
    lines[lines.length - 1] += part;
  };
  const split = (part, granularities) => {
    const [granularity, ...others] = granularities;
    if (!granularity || !isWide(part)) return add(part);
    return pieces(part, granularity, language).forEach(piece => split(piece, others));
  };
  text.split(/(?<=\s)/).forEach(word => split(word, ['word', 'grapheme']));
  return lines;
}

const pieces = (text, granularity, language) => [...segmenter(granularity, language).segment(text)].map(({ segment }) => segment);

/** A language that no browser knows, such as `x-elvish`, is broken as that of the browser. */
function segmenter(granularity, language) {
  try {
    return new Intl.Segmenter(language, { granularity });
  } catch {
    return new Intl.Segmenter(undefined, { granularity });
  }
}

/** Returns as many lines of about the same width, as far as no word has to be broken for that. */
function balanced(context, text, language, lines) {
  const widest = Math.max(...text.split(' ').map(word => context.measureText(word).width));
  for (let narrow = most; narrow > widest; narrow -= 40) {
    const tried = wrapped(context, text, language, narrow);
    if (tried.length > lines.length) break;
    lines = tried;
  }
  return lines;
}
