// Who made a picture or a sound, and under which licence it is shown.

import { element, webAddress } from '../components/element.js';

/** Returns `{name, address?}` of a licence, which media name by their address or a name: “CC BY 4.0”. */
export function licenseOf(text) {
  const address = webAddress(text);
  if (!address) return { name: text };
  const [, kind, rights, version] = /^creativecommons\.org\/(licenses|publicdomain)\/([a-z-]+)\/([\d.]+)/.exec(address.host.replace(/^www\./, '') + address.pathname) ?? [];
  if (!kind) return { name: address.host + address.pathname.replace(/\/$/, ''), address: address.href };
  const name = rights === 'zero' ? `CC0 ${version}` : rights === 'mark' ? `Public Domain Mark ${version}` : `CC ${rights.toUpperCase()} ${version}`;
  return { name, address: address.href };
}

/** Returns what the bundle knows of the author and the licence of a file; undefined if it knows neither. */
export function creditOf({ source, author, license, origin }, session) {
  const known = session.media.manifest.credits?.find(({ sources }) => sources?.includes(source));
  const credit = { author: author ?? known?.author, license: license ?? known?.license, origin: origin ?? known?.origin };
  return credit.author || credit.license ? credit : undefined;
}

/** Returns a line with both; undefined likewise. */
export function creditLine(asset, session) {
  const { author, license } = creditOf(asset, session) ?? {};
  if (!author && !license) return undefined;
  return element('span.credit', {}, author && element('bdi', {}, author), author && license && ' · ', license && element('bdi', {}, licenseOf(license).name));
}
