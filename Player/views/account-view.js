// The account of this device: signing in and out, the player's other devices, and adding one.

import { askToAdd, askToSignOut } from '../components/account-questions.js';
import { element, setText } from '../components/element.js';
import { icon } from '../components/icon.js';
import { notify, speak } from '../components/notices.js';
import { topBar } from '../components/top-bar.js';
import { language, refusalText, say } from '../components/words.js';
import { account, databaseOf, leaveAccount } from '../journal/account.js';
import { forgetMarks } from '../journal/reader-marks.js';
import { DeviceDatabase } from '../journal/device-database.js';
import { offerPairing, signInByCode } from '../journal/pairing.js';
import { addPasskey, canUsePasskeys, signInByPasskey, signUpByPasskey } from '../journal/passkeys.js';
import { goToProvider } from '../journal/provider.js';
import { ask, enter, waiting } from '../journal/sign-in.js';

export async function show(_, app, signal) {
  const view = new AccountView(app, signal);
  await view.update();
  return { title: say('account.title'), body: view.body };
}

class AccountView {
  constructor(app, signal) {
    Object.assign(this, { app, signal });
    this.place = element('div.account-sections', {});
    this.body = element('div.page', {}, topBar({ title: say('account.title'), back: '#/' }), this.place);
  }

  async update() {
    const { library } = this.app;
    const own = account();
    this.ways = await ask(library, 'sign-in', { token: null }).catch(() => ({}));
    let who;
    let fault;
    if (own.token) {
      try {
        who = await ask(library, 'account');
      } catch (error) {
        fault = error;
      }
    }
    const sections = who ? await this.#signedIn(who) : this.#signedOut(own, fault);
    this.place.replaceChildren(...sections.filter(Boolean));
  }

  // Signed in

  async #signedIn({ player, name }) {
    this.name = name ?? player;
    const { sessions } = await ask(this.app.library, 'account/sessions').catch(() => ({ sessions: [] }));
    return [
      // A link of another person's phone; using it asks before the account changes.
      this.app.pairingCode !== undefined && this.#codeForm(),
      element('section.plate', {},
        element('h2', {}, icon('person'), element('bdi', {}, this.name)),
        element('p', {}, say('account.signedIn')),
        this.#button('account.addDeviceCode', 'device', () => this.#pair(), 'secondary'),
        this.ways.passkeys && canUsePasskeys()
          && this.#button('account.addPasskey', 'lock', () => this.#addPasskey(), 'secondary'),
        this.#button('account.signOut', 'forward', () => this.#signOut(), 'secondary')),
      sessions.length > 0 && element('section.plate', {}, element('h2', {}, say('account.devices')),
        element('ul.devices', { role: 'list' }, sessions.map(session => this.#device(session)))),
    ];
  }

  #device({ id, device, used, isThis }) {
    return element('li', {},
      element('span.words', {}, element('strong', { dir: 'auto' }, device),
        element('span.soft', {}, isThis ? say('account.thisDevice') : say('account.used', { time: day(used) }))),
      !isThis && element('button.small', {
        type: 'button', 'aria-label': say('account.signOutOf', { name: device }),
        onclick: () => this.#try(async () => {
          await ask(this.app.library, `account/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
          await this.update();
        }),
      }, say('account.signOut')));
  }

  /** Signs out at the service, where there is a network, and asks what to do with the data on the device. */
  async #signOut() {
    const answer = await askToSignOut({ name: this.name, ...await waiting() });
    if (!answer) return;
    const { player } = account();
    try {
      await ask(this.app.library, 'account/sessions/current', { method: 'DELETE' });
    } catch (error) {
      // A token that the service refuses has ended already. Without a network, the session would stay open there.
      if (error.status !== 401) return this.#fail(error);
    }
    const database = databaseOf(player);
    leaveAccount({ forgets: answer === 'remove' });
    if (answer === 'remove') {
      (await this.app.store).close();
      await DeviceDatabase.remove(database);
      forgetMarks(database);
    }
    location.hash = '';
    location.reload();
  }

  async #addPasskey() {
    await addPasskey(this.app.library);
    notify({ key: 'account', symbol: 'check', title: say('account.passkeyAdded'), seconds: 8 });
  }

  /** Shows a code, and asks when another phone has sent it. */
  async #pair() {
    const pairing = await offerPairing(this.app.library, this.signal);
    const text = element('p.code', { dir: 'ltr', tabindex: -1 }, pairing.code);
    const state = element('p', { role: 'status' }, say('account.codeText'));
    const panel = element('section.plate.pairing', {}, element('h2', {}, say('account.addDeviceCode')), text, state,
      element('p.soft', { dir: 'ltr' }, pairing.link));
    this.place.querySelector('.pairing')?.remove();
    this.place.append(panel);
    text.focus();
    speak([...pairing.code].join(' '));
    const asked = await pairing.asked();
    if (!asked) return setText(state, say('account.codeExpired'));
    const isAccepted = await askToAdd({ ...asked, name: this.name });
    await pairing.answer(isAccepted === true);
    await this.update();
    if (isAccepted) notify({ key: 'account', symbol: 'check', title: say('account.deviceAdded'), seconds: 8 });
    return undefined;
  }

  // Signed out

  #signedOut(own, fault) {
    const isOffline = fault && fault.status === undefined;
    const { provider, passkeys, signUp } = this.ways;
    const usesPasskeys = passkeys && canUsePasskeys();
    const text = isOffline ? 'account.offline' : fault?.status === 401 ? 'account.ended' : own.isOwn ? 'account.why' : 'account.left';
    const name = element('input', { type: 'text', id: 'player-name', autocomplete: 'nickname', maxlength: 60, dir: 'auto' });
    return [
      element('section.plate', {},
        element('h2', {}, icon('person'), own.isOwn ? say('account.nobody') : element('bdi', {}, own.name ?? own.player)),
        element('p', {}, say(text)),
        usesPasskeys && this.#button('account.byPasskey', 'lock', () => this.#enter(signInByPasskey(this.app.library))),
        provider && this.#button('account.byProvider', 'forward', () => goToProvider(this.app.library), 'primary', { provider }),
        !usesPasskeys && !provider && !isOffline && element('p.soft', {}, say('account.byLink')),
        !own.isOwn && this.#button('account.signOut', 'forward', () => {
          this.name = own.name ?? own.player;
          return this.#signOut();
        }, 'secondary')),
      this.#codeForm(),
      usesPasskeys && signUp && element('form.plate', {
        onsubmit: event => this.#submit(event, () => this.#enter(signUpByPasskey(this.app.library, nameIn(name.value)))),
      }, element('label', { for: 'player-name' }, say('account.signUp')), name,
      element('button.secondary', { type: 'submit' }, say('account.signUpYes'))),
    ];
  }

  /** Returns the form for the code of another phone, with the one of a link that was opened, and the state of its answer. */
  #codeForm() {
    const code = element('input', {
      type: 'text', id: 'code', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', dir: 'ltr',
      maxlength: 12, value: this.app.pairingCode ?? '',
    });
    this.state = element('p', { role: 'status', hidden: true });
    return element('form.plate', { onsubmit: event => this.#submit(event, () => this.#enterByCode(code.value)) },
      element('label', { for: 'code' }, say('account.byCode')), code,
      element('button.secondary', { type: 'submit' }, say('account.useCode')), this.state);
  }

  async #enter(signingIn) { await enter(this.app, await signingIn); }

  async #enterByCode(code) {
    this.app.pairingCode = undefined;
    const { state } = this;
    const waits = device => {
      state.hidden = false;
      setText(state, say('account.confirm', { device }));
    };
    try {
      await this.#enter(signInByCode(this.app.library, code, { signal: this.signal, waits }));
    } finally {
      // The other phone has answered, or there was no such code.
      state.hidden = true;
    }
  }

  // Actions

  #submit(event, action) {
    event.preventDefault();
    // A phone's keyboard would stay, and hide the answer.
    event.submitter?.focus();
    return this.#try(action);
  }

  #button(label, symbol, action, kind = 'primary', values = {}) {
    return element(`button.${kind}`, { type: 'button', onclick: () => this.#try(action) }, icon(symbol), say(label, values));
  }

  async #try(action) {
    try {
      await action();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error) {
    // The person has closed the browser's question, or the view.
    if (['NotAllowedError', 'AbortError'].includes(error.name)) return;
    notify({ key: 'account', symbol: 'cross', title: say('account.failed'), text: textOf(error), seconds: 12 });
  }
}

/** Returns a name without controls, such as the marks of writing directions that some keyboards add, which the service refuses. */
const nameIn = text => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '').trim();

/** The codes of refusals that the page has texts for. */
const faults = ['client-rate', 'name', 'passkey', 'pairing', 'pairing-refused', 'provider', 'sign-up'];

function textOf({ name, status, code, message }) {
  // The others are the browser's, in its developers' words.
  if (name !== 'SignInFault') return say('account.fault.browser');
  if (status === undefined) return say('account.noNetwork');
  return faults.includes(code) ? say(`account.fault.${code}`) : refusalText(code, message);
}

const day = text => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(text));
