// An operation: what it is for, a form that sends it, and the answer.
import { AnswerView } from './answer-view.js';
import { element } from './components/element.js';
import { command, curl } from './curl.js';
import { fields } from './field.js';
import { address, request } from './request.js';

let count = 0;

/** The media types of answers that are no problems. */
export function answerTypes(operation) {
  const good = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  return [...new Set(good.flatMap(([, answer]) => Object.keys(answer.content ?? {})))].filter(type => type !== '*/*');
}

/** The field of a body: a file, or text where only JSON is taken. `{ node, body(), described() }` */
function bodyField(content, onChange) {
  const id = `body-${++count}`;
  const types = Object.keys(content);
  if (types.length === 1 && types[0] === 'application/json') {
    const text = element('textarea', { id, rows: '6', spellcheck: 'false', oninput: onChange, placeholder: '{ … }' });
    return {
      control: text,
      node: element('div.field', { 'data-wide': '' }, element('label', { for: id }, 'Body', element('span.needed', {}, 'needed'),
        element('span.type', {}, 'JSON')), text),
      body: () => text.value === '' ? null : { data: text.value, type: 'application/json' },
      described: () => ({ text: text.value }),
    };
  }
  const media = types.filter(type => /^(image|video|audio)\/\*$/.test(type));
  const input = element('input', { id, type: 'file', accept: media.join(',') || null, onchange: onChange, 'aria-describedby': `${id}-hint` });
  return {
    control: input,
    node: element('div.field', { 'data-wide': '' }, element('label', { for: id }, 'Body', element('span.needed', {}, 'needed'),
      element('span.type', {}, 'file')), input, element('p.hint', { id: `${id}-hint` }, `Sent as it is: ${types[0]}`)),
    body: () => input.files.length === 0 ? null : { data: input.files[0], type: input.files[0].type || 'application/octet-stream' },
    described: () => ({ file: input.files[0]?.name }),
  };
}

/** The choice of a media type, where there are several. */
function acceptField(types, onChange) {
  const id = `accept-${++count}`;
  const select = element('select', { id, oninput: onChange, 'aria-describedby': `${id}-hint` }, element('option', { value: '' }, '*/*'),
    types.map(type => element('option', { value: type }, type)));
  return {
    select,
    node: element('div.field', {}, element('label', { for: id }, element('code', {}, 'Accept'), element('span.type', {}, 'header')), select,
      element('p.hint', { id: `${id}-hint` }, 'the media type of the answer')),
  };
}

/** All of an operation below its title. */
export function operationView(operation, { token }) {
  const types = answerTypes(operation);
  const onChange = () => line.show(curl(described(), body?.described() ?? null, types));
  const { node, fields: all } = fields(operation.parameters, onChange);
  const body = operation.requestBody ? bodyField(operation.requestBody.content, onChange) : null;
  const accept = types.length > 1 ? acceptField(types, onChange) : null;
  const name = `${operation.method} ${operation.path}`;
  const line = command(name);
  const described = () => request(operation, all, accept?.select.value, token.value);
  const answer = new AnswerView(name);
  const sendButton = element('button.primary', { type: 'submit' }, 'Send');
  const stopButton = element('button.secondary', { type: 'button', hidden: true, onclick: () => sending?.abort() }, 'Stop');
  const fault = element('p.fault', { role: 'alert' });
  let sending = null;

  async function send(event) {
    event.preventDefault();
    if (sending) return;
    const missing = all.filter(item => item.isMissing()).map(item => item.control);
    const content = body?.body() ?? null;
    if (body && !content) missing.push(body.control);
    fault.textContent = missing.length > 0 ? 'Fill in what is needed.' : '';
    if (missing.length > 0) return missing[0].focus();
    const { method, path, headers } = described();
    sending = new AbortController();
    [sendButton.disabled, stopButton.hidden] = [true, false];
    try {
      if (content) headers.push(['Content-Type', content.type]);
      await answer.show(fetch(address(path), { method, headers, body: content?.data, signal: sending.signal, cache: 'no-store' }));
    } finally {
      sending = null;
      [sendButton.disabled, stopButton.hidden] = [false, true];
    }
  }

  const view = element('div.body', {},
    operation.description && element('p', {}, operation.description),
    element('form', { onsubmit: send, novalidate: true }, body?.node, node, accept?.node,
      element('div.buttons', {}, sendButton, stopButton, fault)),
    line.node, answer.node, statuses(operation));
  onChange();
  view.addEventListener('focusin', onChange);
  return view;
}

/** What the service may answer. */
function statuses(operation) {
  const rows = Object.entries(operation.responses).sort().map(([status, answer]) => [
    element('dt', { 'data-class': status[0] }, status), element('dd', {}, answer.description),
  ]);
  return element('details.more', {}, element('summary', {}, 'Answers'), element('dl.statuses', {}, rows));
}
