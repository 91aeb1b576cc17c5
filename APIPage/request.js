// The request that a filled form describes.

/** Percent-encodes a value of a path, but for slashes where it may have them. */
function pathValue(text, parameter) {
  const encoded = encodeURIComponent(text);
  // An address is one part of the path, with its slashes encoded.
  return parameter['x-slashes'] && !/^https?:/.test(text) ? encoded.replaceAll('%2F', '/') : encoded;
}

/** `{ method, path, headers: [[name, value]] }`; `path` is relative to the service. */
export function request(operation, fields, accept, token) {
  let path = operation.path;
  const query = [], headers = [];
  const parts = new Map();
  for (const field of fields) {
    const { parameter } = field;
    for (const value of field.values()) {
      if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, pathValue(value, parameter));
      else if (parameter.in === 'query') query.push(`${encodeURIComponent(parameter.name)}=${encodeURIComponent(value)}`);
      else if (parameter.in === 'header') headers.push([parameter.name, value]);
      else parts.set(parameter.of, [...(parts.get(parameter.of) ?? []), `${parameter.name}:${encodeURIComponent(value)}`]);
    }
    // A part of the path that is made of nothing is not there.
    if (parameter.in === 'parts' && !parts.has(parameter.of)) parts.set(parameter.of, []);
  }
  for (const [name, values] of parts) {
    path = values.length > 0 ? path.replace(`{${name}}`, values.join('/')) : path.replace(`{${name}}/`, '');
  }
  if (query.length > 0) path += `?${query.join('&')}`;
  if (accept) headers.push(['Accept', accept]);
  if (operation.security && token) headers.push(['Authorization', `Bearer ${token}`]);
  return { method: operation.method, path, headers };
}

/** The whole address of a path of the service, which may be below a folder of a proxy. */
export function address(path) { return new URL(path.slice(1), document.baseURI).href; }
