// The answer to a request: status, duration, headers, and the body as what it is.
import { element } from './components/element.js';

const maxText = 200_000;

function size(bytes) {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function text(content, label) {
  const shown = content.length > maxText ? `${content.slice(0, maxText)}\n… ${content.length - maxText} more characters` : content;
  return element('pre', { tabindex: '0', role: 'region', 'aria-label': label }, element('code', {}, shown));
}

export class AnswerView {
  #addresses = [];
  #bodyLabel;

  /** `name` is that of the request. */
  constructor(name) {
    this.#bodyLabel = `Body of the answer to ${name}`;
    this.node = element('section.answer', { 'aria-label': `Answer to ${name}`, hidden: true });
  }

  /** Waits for the answer to a `fetch`, and shows it. */
  async show(sent) {
    const start = performance.now();
    for (const url of this.#addresses.splice(0)) URL.revokeObjectURL(url);
    const status = element('p.status', { role: 'status' }, 'Waiting …');
    this.node.hidden = false;
    this.node.replaceChildren(status);
    try {
      const answer = await sent;
      const code = element('strong', { 'data-class': `${answer.status}`[0] }, `${answer.status} ${answer.statusText}`.trim());
      const time = element('span', {}, `${Math.round(performance.now() - start)} ms`);
      status.replaceChildren(code, ' ', time);
      this.node.append(this.#headers(answer));
      const bytes = await this.#body(answer);
      time.textContent = `${Math.round(performance.now() - start)} ms · ${size(bytes)}`;
    } catch (error) {
      if (error.name === 'AbortError') this.node.append(element('p.soft', {}, 'Stopped.'));
      else status.replaceChildren(element('strong', { 'data-class': '5' }, 'No answer'), ` ${error.message}`);
    }
  }

  #headers(answer) {
    const rows = [...answer.headers].map(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
    return element('details.more', {}, element('summary', {}, `${rows.length} headers`), element('dl.headers', {}, rows));
  }

  /** Shows the body as its type says; returns its bytes. */
  async #body(answer) {
    const type = (answer.headers.get('content-type') ?? '').split(';')[0].trim();
    if (type === 'text/event-stream') return this.#events(answer);
    const blob = await answer.blob();
    if (blob.size === 0) {
      this.node.append(element('p.soft', {}, 'There is no body.'));
    } else if (type.startsWith('image/')) {
      await this.#image(blob, type);
    } else if (/^(video|audio)\//.test(type)) {
      this.node.append(element(type.split('/')[0], { controls: true, src: this.#address(blob) }), this.#download(blob));
    } else if (/json$/.test(type)) {
      this.node.append(this.#json(await blob.text(), type));
    } else if (type.startsWith('text/') || type === 'application/x-ndjson') {
      this.node.append(text(await blob.text(), this.#bodyLabel));
    } else {
      this.node.append(this.#download(blob));
    }
    return blob.size;
  }

  async #image(blob, type) {
    const image = element('img', { src: this.#address(blob), alt: 'The image of the answer' });
    const words = element('figcaption', {}, type);
    this.node.append(element('figure', {}, image, words), this.#download(blob));
    try {
      await image.decode();
      words.textContent = `${type} · ${image.naturalWidth} × ${image.naturalHeight} · ${size(blob.size)}`;
    } catch { words.textContent = `${type}, which this browser does not show`; }
  }

  #json(content, type) {
    let value;
    try { value = JSON.parse(content); } catch { return text(content, this.#bodyLabel); }
    const formatted = text(JSON.stringify(value, null, 2), this.#bodyLabel);
    if (type !== 'application/problem+json') return formatted;
    return element('div.problem', {}, element('strong', {}, value.title), value.detail && element('p', {}, value.detail), formatted);
  }

  /** Events as they arrive, until the stream ends. */
  async #events(answer) {
    const list = element('ol.events', { role: 'log', 'aria-label': 'Events', tabindex: '0' });
    this.node.append(list);
    const decoder = new TextDecoder();
    let rest = '', bytes = 0;
    for (const reader = answer.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return bytes;
      bytes += value.length;
      const parts = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = parts.pop();
      for (const part of parts) list.append(AnswerView.#event(part));
    }
  }

  static #event(lines) {
    const fields = { event: 'message', data: [] };
    for (const line of lines.split(/\r?\n/)) {
      const [, name, value] = line.match(/^([^:]*):? ?(.*)$/s);
      if (name === 'data') fields.data.push(value);
      else if (name !== '') fields[name] = value;
    }
    return element('li', {}, element('strong', {}, fields.event), ' ', element('code', {}, fields.data.join('\n')));
  }

  #address(blob) {
    const url = URL.createObjectURL(blob);
    this.#addresses.push(url);
    return url;
  }

  #download(blob) {
    return element('a.small', { href: this.#address(blob), download: 'answer' }, `Save ${size(blob.size)}`);
  }
}
