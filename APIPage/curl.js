// The same request as a command.
import { address } from './request.js';
import { element } from './components/element.js';

/** Quotes a word for a POSIX shell. */
function quoted(text) { return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`; }

/** `body`: `{ file }`, `{ text }` or null. The token is a variable: commands end up in histories. */
export function curl({ method, path, headers }, body, types) {
  const words = ['curl'];
  const type = headers.find(([name]) => name === 'Accept')?.[1] ?? types[0] ?? '';
  if (types.includes('text/event-stream')) words.push('-N');
  if (method !== 'GET' && !(method === 'POST' && body)) words.push(`-X ${method}`);
  for (const [name, value] of headers) {
    words.push(name === 'Authorization' ? '-H "Authorization: Bearer $TOKEN"' : `-H ${quoted(`${name}: ${value}`)}`);
  }
  if (body?.file !== undefined) words.push(`--data-binary ${quoted(`@${body.file || 'FILE'}`)}`);
  if (body?.text !== undefined) words.push("-H 'Content-Type: application/json'", `--data-binary ${quoted(body.text)}`);
  words.push(quoted(address(path)));
  if (/^(image|video|audio)\//.test(type)) words.push('-o answer');
  return words.join(' ');
}

/** Returns a command with a button that copies it: `{ node, show(text) }`. `name` is that of the request. */
export function command(name) {
  const code = element('code');
  const said = element('span', { role: 'status' });
  async function copy() {
    try {
      await navigator.clipboard.writeText(code.textContent);
      said.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(code);
      said.textContent = 'Selected: copy it with the keys of your system';
    }
    setTimeout(() => { said.textContent = ''; }, 3000);
  }
  const node = element('div.command', {},
    element('div.bar', {}, element('h3', {}, 'As a command'), said, element('button.small', { type: 'button', onclick: copy }, 'Copy')),
    element('pre', { tabindex: '0', role: 'region', 'aria-label': `curl command of ${name}` }, code));
  return { node, show: text => { code.textContent = text; } };
}
