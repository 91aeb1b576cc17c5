/** Sign-in at another service that the operator has chosen (OpenID Connect). */
import { ask, deviceName, encoded } from './sign-in.js';

const key = 'wayreel-provider';

/**
 * Leaves the page for the provider's. The service sends the browser back with a code in the address, which is worth
 * nothing without the secret that stays in this tab.
 */
export async function goToProvider(library) {
  const secret = random();
  sessionStorage.setItem(key, secret);
  const { address } = await ask(library, 'sign-in/provider', {
    method: 'POST', token: null, body: { challenge: await hash(secret), device: deviceName() },
  });
  location.assign(address);
}

/** Exchanges the code of the address for a session. */
export function signInByProvider(library, code) {
  const secret = sessionStorage.getItem(key) ?? '';
  sessionStorage.removeItem(key);
  return ask(library, 'sign-in/provider/session', { method: 'POST', token: null, body: { code, secret } });
}

const random = () => encoded(crypto.getRandomValues(new Uint8Array(32)));

const hash = async text => encoded(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
