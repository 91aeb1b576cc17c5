// The page of /openapi.json: all operations by their tags, each with a form that sends it.
import { element } from './components/element.js';
import { liveSocketView, streamSocketView } from './live-socket.js';
import { operationView } from './operation-view.js';

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** The operations of a description: `[{ tag, description, operations: [{ id, method, path, … }] }]`. */
function grouped(description) {
  const groups = new Map(description.tags.map(tag => [tag.name, { tag: tag.name, description: tag.description, operations: [] }]));
  for (const [path, item] of Object.entries(description.paths)) {
    for (const method of methods.filter(name => name in item)) {
      const operation = { ...item[method], id: item[method].operationId, method: method.toUpperCase(), path };
      groups.get(operation.tags[0]).operations.push(operation);
    }
  }
  return [...groups.values()].filter(group => group.operations.length > 0);
}

/** The field of the token, which stays in this tab. */
function tokenField(token) {
  const input = element('input', {
    id: 'token', type: 'password', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'token-hint',
    oninput: () => { token.value = input.value.trim(); },
  });
  return element('section.plate.token', { 'aria-label': 'Token' },
    element('label', { for: 'token' }, 'Bearer token'), input,
    element('p.hint', { id: 'token-hint' }, 'For requests that are marked with ', element('span.lock', {}, 'token'),
      '. wayreel token makes one; it stays in this tab.'));
}

function contents(groups) {
  const list = groups.map(group => element('li', {},
    element('a.group', { href: `#${group.tag.toLowerCase()}` }, group.tag),
    element('ul', {}, group.operations.map(operation => element('li', {},
      element('a', { href: `#${operation.id}` },
        element('span.method', { 'data-method': operation.method }, operation.method), element('span', {}, operation.summary)))))));
  const wide = matchMedia('(min-width: 1000px)');
  const details = element('details', {}, element('summary', {}, 'All requests'), element('ul', {}, list));
  // At the side there is room for all of it.
  const fit = () => { details.open = wide.matches; };
  wide.addEventListener('change', fit);
  fit();
  details.addEventListener('click', event => { if (!wide.matches && event.target.closest('a')) details.open = false; });
  return details;
}

function section(group, context) {
  return element('section', { id: group.tag.toLowerCase(), 'aria-labelledby': `${group.tag}-title`, tabindex: '-1' },
    element('h2', { id: `${group.tag}-title` }, group.tag), element('p.soft', {}, group.description),
    group.operations.map(operation => {
      const isAudio = operation.path.startsWith('/v1/levels/');
      const view = !('101' in operation.responses) ? operationView : isAudio ? liveSocketView : streamSocketView;
      return element('details.plate.operation', { id: operation.id },
        element('summary', {},
          element('span.method', { 'data-method': operation.method }, operation.method),
          element('span.titles', {},
            element('code.path', {}, withBreaks(operation.path)), element('span.summary', {}, operation.summary)),
          operation.security && element('span.lock', {}, 'token')),
        view(operation, context));
    }));
}

/** A path that a narrow page breaks after slashes. */
function withBreaks(path) {
  return path.split(/(?<=\/)(?=.)/).flatMap(part => [part, element('wbr')]);
}

/** Opens what the address names, and goes there. */
function showTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (!target) return;
  const isOperation = target.tagName === 'DETAILS';
  if (isOperation) target.open = true;
  target.scrollIntoView({ block: 'start' });
  (isOperation ? target.querySelector('summary') : target).focus({ preventScroll: true });
}

async function start() {
  const main = document.getElementById('requests');
  try {
    const answer = await fetch('openapi.json');
    if (!answer.ok) throw new Error(`the service answers with ${answer.status}`);
    const description = await answer.json();
    const groups = grouped(description);
    const token = { value: '' };
    document.getElementById('version').textContent = description.info.version;
    document.getElementById('about').textContent = description.info.description;
    document.getElementById('contents').replaceChildren(contents(groups));
    main.replaceChildren(
      ...(description.components.securitySchemes ? [tokenField(token)] : []),
      ...groups.map(group => section(group, { token })));
    addEventListener('hashchange', showTarget);
    showTarget();
  } catch (error) {
    main.replaceChildren(element('div.plate.problem', { role: 'alert' },
      element('h2', {}, 'The description cannot be loaded'), element('p', {}, `${error.message}. Is the service running?`),
      element('button.secondary', { type: 'button', onclick: start }, 'Try again')));
  }
}

start();
