/** Passkeys (WebAuthn): a key of this device, or of the person's other devices, which needs no password. */
import { ask, deviceName, encoded } from './sign-in.js';

export const canUsePasskeys = () => 'PublicKeyCredential' in globalThis;

/** Signs in by any passkey for this service that the device has. Resolves to a session. */
export async function signInByPasskey(library) {
  const options = await ask(library, 'sign-in/passkey/options', { method: 'POST', token: null, body: {} });
  const credential = await navigator.credentials.get({
    publicKey: { ...options, challenge: decoded(options.challenge) },
  });
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
  return ask(library, 'sign-in/passkey', {
    method: 'POST', token: null,
    body: {
      id: encoded(credential.rawId), clientDataJSON: encoded(clientDataJSON), signature: encoded(signature),
      authenticatorData: encoded(authenticatorData), userHandle: userHandle ? encoded(userHandle) : undefined,
      device: deviceName(),
    },
  });
}

/** Makes an account with a passkey. Resolves to a session. */
export async function signUpByPasskey(library, name) {
  const options = await ask(library, 'sign-up/passkey/options', { method: 'POST', token: null, body: { name } });
  return ask(library, 'sign-up/passkey', { method: 'POST', token: null, body: await created(options) });
}

/** Adds a passkey to the account that plays. */
export async function addPasskey(library) {
  const options = await ask(library, 'account/passkeys/options', { method: 'POST', body: {} });
  await ask(library, 'account/passkeys', { method: 'POST', body: await created(options) });
}

async function created(options) {
  const credential = await navigator.credentials.create({
    publicKey: {
      ...options, challenge: decoded(options.challenge), user: { ...options.user, id: decoded(options.user.id) },
      excludeCredentials: options.excludeCredentials.map(known => ({ ...known, id: decoded(known.id) })),
    },
  });
  const { clientDataJSON, attestationObject } = credential.response;
  return {
    clientDataJSON: encoded(clientDataJSON), attestationObject: encoded(attestationObject), device: deviceName(),
  };
}

function decoded(text) {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, character => character.charCodeAt(0));
}
