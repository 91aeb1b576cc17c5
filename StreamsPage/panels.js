// The panels beside the chart: a heading that opens and closes each.
import { element } from './components/element.js';

const wide = matchMedia('(min-width: 1000px)');

/** A panel: `{ node, count, body }`; on a narrow page it is closed at first. */
export function panel(id, title, ...children) {
  const count = element('span.count', {});
  const body = element('div.panel-body', {}, ...children);
  const node = element('details.panel', { id }, element('summary', {}, element('h2', {}, title), count), body);
  node.open = wide.matches;
  return { node, count, body };
}

/** A field with its label, and a fault below that screen readers read with it. */
export function labelled(id, label, field, { hint } = {}) {
  const fault = element('p.fault', { id: `${id}-fault`, role: 'alert', hidden: true });
  field.id = id;
  field.setAttribute('aria-describedby', [hint && `${id}-hint`, `${id}-fault`].filter(Boolean).join(' '));
  return {
    field,
    node: element('div.field', {}, element('label', { for: id }, label), field, hint && element('p.hint', { id: `${id}-hint` }, hint), fault),
    blame(text) {
      fault.textContent = text ?? '';
      fault.hidden = !text;
      if (text) field.setAttribute('aria-invalid', 'true');
      else field.removeAttribute('aria-invalid');
    },
  };
}

export const option = (value, text = value) => element('option', { value }, text);

/** The names of the channels of a head that no filter makes from others. */
export const sourceNames = channels => channels.filter(({ of }) => of === null || of === undefined).map(({ name }) => name);
