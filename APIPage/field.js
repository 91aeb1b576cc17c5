// A field of a form for a parameter of the description.
import { element } from './components/element.js';

let count = 0;

/** Returns the description of a parameter with its range, unless the description has it, and its default. */
function hint({ description, schema }) {
  const range = schema.minimum === undefined ? '' : `${schema.minimum} to ${schema.maximum}`;
  const parts = [description, description?.includes(range) ? '' : range];
  if (schema.default !== undefined) parts.push(`default ${schema.default}`);
  return parts.filter(Boolean).join(' · ');
}

function typeName(schema) {
  if (schema.type === 'array') return `${typeName(schema.items)}, one a line`;
  if (schema.enum) return 'choice';
  return { integer: 'whole number', number: 'number', boolean: 'true or false', string: 'text' }[schema.type] ?? 'text';
}

/** `{ node, values(), isMissing() }` of a parameter. */
export function field(parameter, onChange) {
  const id = `field-${++count}`;
  const schema = parameter.schema ?? {};
  const words = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : null);
  const attributes = {
    id, name: parameter.name, 'aria-describedby': `${id}-hint`, 'aria-required': parameter.required ? 'true' : null,
    autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', oninput: () => { mark(false); onChange(); },
  };
  const examples = schema.examples ?? schema.items?.examples ?? [];
  let control, list = null;
  if (words) {
    const unset = schema.default === undefined ? 'not set' : `not set (${schema.default})`;
    control = element('select', attributes, element('option', { value: '' }, unset),
      words.map(word => element('option', { value: word }, word)));
  } else if (schema.type === 'array') {
    control = element('textarea', { ...attributes, rows: '2' });
  } else {
    const isNumber = ['integer', 'number'].includes(schema.type);
    if (examples.length > 0) list = element('datalist', { id: `${id}-list` }, examples.map(text => element('option', { value: text })));
    control = element('input', {
      ...attributes, type: 'text', inputmode: isNumber ? (schema.minimum < 0 ? 'text' : 'decimal') : null, list: list && list.id,
      placeholder: schema.default ?? examples[0] ?? null,
    });
    // What has one value only is filled in.
    if (parameter.required && examples.length === 1 && examples[0] === 'unsafe') control.value = examples[0];
  }
  const mark = isWrong => {
    if (isWrong) control.setAttribute('aria-invalid', 'true');
    else control.removeAttribute('aria-invalid');
  };
  const node = element('div.field', { 'data-wide': schema.type === 'array' ? '' : null },
    element('label', { for: id }, element('code', {}, parameter.name), parameter.required && element('span.needed', {}, 'needed'),
      element('span.type', {}, typeName(schema))),
    control, list,
    element('p.hint', { id: `${id}-hint` }, hint(parameter)));
  return {
    parameter, node, control,
    values: () => (schema.type === 'array' ? control.value.split('\n') : [control.value]).map(text => text.trim()).filter(text => text !== ''),
    /** Whether it is needed and empty; it is marked then. */
    isMissing() {
      const isMissing = Boolean(parameter.required) && this.values().length === 0;
      mark(isMissing);
      return isMissing;
    },
  };
}

/** All fields of parameters, those beyond the first few behind a button: `{ node, fields }`. */
export function fields(parameters, onChange) {
  const all = parameters.flatMap(parameter => parameter['x-parts'] ? parts(parameter, onChange) : [field(parameter, onChange)]);
  const needed = all.filter(item => item.parameter.required);
  const optional = all.filter(item => !item.parameter.required);
  const shown = optional.length <= 8 ? optional : optional.slice(0, 4);
  const rest = optional.slice(shown.length);
  const grid = items => element('div.fields', {}, items.map(item => item.node));
  return {
    fields: all,
    node: [
      needed.length + shown.length > 0 && grid([...needed, ...shown]),
      rest.length > 0 && element('details.more', {}, element('summary', {}, `${rest.length} more options`), grid(rest)),
    ],
  };
}

/** The parts that a parameter of the path is made of, as fields. */
function parts(parameter, onChange) {
  return parameter['x-parts'].map(part => field({ ...part, in: 'parts', of: parameter.name }, onChange));
}
