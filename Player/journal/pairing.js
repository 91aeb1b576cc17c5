/** Adding another phone: a phone that is signed in shows a code, the other one sends it, and the first one agrees. */
import { ask, deviceName } from './sign-in.js';

/** Milliseconds between two questions whether the other phone has answered. */
const pause = 2000;

function wait(signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, pause);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}

/** What fails for want of a network, or for load, may be asked again. */
const isLasting = error => error.status !== undefined && error.status !== 429 && error.status < 500;

/**
 * Gets a code for the account that plays: `{code, link, asked(), answer(isAccepted)}`. `asked` resolves to `{device}`
 * when another phone has sent the code; undefined when the code has expired.
 */
export async function offerPairing(library, signal) {
  const { pairing, code } = await ask(library, 'account/pairings', { method: 'POST', body: {} });
  const path = `account/pairings/${pairing}`;
  return {
    code, link: `${location.origin}${location.pathname}#pair=${code.replace('-', '')}`,
    async asked() {
      for (;;) {
        await wait(signal);
        try {
          const { state, device } = await ask(library, path);
          if (state === 'asked') return { device };
        } catch (error) {
          if (error.status === 404) return undefined;
          if (isLasting(error)) throw error;
        }
      }
    },
    answer: accepted => ask(library, path, { method: 'POST', body: { accepted } }),
  };
}

/** Sends a code of another phone, and waits until that phone agrees. Resolves to a session. */
export async function signInByCode(library, text, { signal, waits }) {
  const code = text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const device = deviceName();
  const { pairing } = await ask(library, 'sign-in/pairing', { method: 'POST', token: null, body: { code, device } });
  waits(device);
  for (;;) {
    await wait(signal);
    try {
      const session = await ask(library, 'sign-in/pairing/result', { method: 'POST', token: null, body: { pairing } });
      if (session.token) return session;
    } catch (error) {
      if (isLasting(error)) throw error;
    }
  }
}
