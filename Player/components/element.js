// Creates elements of the page. Text becomes text nodes and never markup, so that texts of a story cannot inject
// elements.

/**
 * Creates an element: `element("button.primary", { type: "button", onclick: save }, "Save")`.
 *
 * `name` is a tag with its classes. Attributes that are functions listen to events; `style` sets properties, since the
 * page's Content-Security-Policy forbids that attribute; true is an attribute without a value; null and false are
 * omitted.
 */
export function element(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const node = document.createElement(tag);
  if (classes.length > 0) node.className = classes.join(' ');
  return complete(node, attributes, children);
}

/** Creates an SVG element. */
export function shape(tag, attributes = {}, ...children) {
  return complete(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function complete(node, attributes, children) {
  // With `dir="auto"`, each child that is appended costs a look at all before it.
  node.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') node.addEventListener(key.slice(2), value);
    else if (key === 'style') for (const [property, text] of Object.entries(value)) node.style.setProperty(property, text);
    else node.setAttribute(key, value === true ? '' : value);
  }
  return node;
}

/** Sets the text of a node, of texts and elements, unless it is unchanged, since a screen reader would read it again. */
export function setText(node, ...parts) {
  if (node.textContent !== parts.map(part => part?.textContent ?? part).join('')) node.replaceChildren(...parts);
}

/** Returns an author's text, with the attributes of its language: its paragraphs, lists and quotes, at most `most` of them. */
export function authored(text, language, most = Infinity) {
  return element('div.author', language, blocks(text).slice(0, most).map(richNode));
}

/** The blocks of an author's text; one without markup has a paragraph in each line. */
export const blocks = text => Array.isArray(text) ? text
  : (text ?? '').split('\n').filter(line => line.trim() !== '').map(line => ({ type: 'paragraph', of: [line] }));

/** The attributes of links that lead away from the page. */
export const elsewhere = { target: '_blank', rel: 'noopener noreferrer external' };

const tags = { paragraph: 'p', quote: 'blockquote', emphasis: 'em', strong: 'strong' };

/** The URL of an address on the web that names a host and nobody; undefined for another text. */
export function webAddress(text) {
  try {
    const url = new URL(text);
    return /^https?:/.test(url.protocol) && !url.username && !url.password ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Where a link of an author leads to: a host as browsers read it, or an address, number or position; undefined if it is none. */
function placeOf(href) {
  const [, web, place] = /^(?:(https?:\/\/)|mailto:|tel:|geo:)([^/?#]+)/i.exec(href) ?? [];
  if (/[\s\p{Cc}\p{Bidi_C}\\]/u.test(href)) return undefined;
  return web ? webAddress(href)?.host : place;
}

/** Returns the node of a block, or of a part of one. What it does not know is its words. */
export function richNode(part) {
  if (typeof part === 'string') return part;
  const { type, of = [], start, items, href } = part;
  if (items) return element(start === undefined ? 'ul' : 'ol', { start }, items.map(item => element('li', {}, item.map(richNode))));
  const words = of.map(richNode);
  const place = placeOf(href);
  if (!place) return element(tags[type] ?? 'span', {}, words);
  const link = element('a', { href, ...elsewhere, referrerpolicy: 'no-referrer' }, words);
  // An address may seem to be another one: of a name in other letters, its host is `xn--…`.
  if (![place, href.includes(place) && href].includes(link.textContent)) link.append(' (', element('bdi', {}, place), ')');
  return link;
}
