// Offers to install the page as an application, when it has proved of use: after a find, or when a story was downloaded. Never before.

import { houseName } from '../components/face.js';
import { ask, notify } from '../components/notices.js';
import { say } from '../components/words.js';

const key = 'wayreel-install';
/** Milliseconds for which somebody who said no is not asked again. */
const pause = 30 * 86_400_000;

/** When somebody last said no; 0 for never. Some browsers keep nothing, and throw: they are asked once by each page. */
function refused() {
  try {
    return Number(localStorage.getItem(key)) || 0;
  } catch {
    return 0;
  }
}

function refuse() {
  try {
    localStorage.setItem(key, String(Date.now()));
  } catch { /* The page remembers it. */ }
}

/** Phones and tablets of Apple, whose browsers install pages only by their own menus. */
const isApple = () => /iPhone|iPad|iPod/.test(navigator.userAgent) || navigator.platform === 'MacIntel' && navigator.maxTouchPoints > 1;

const isInstalled = () => navigator.standalone === true || matchMedia('(display-mode: standalone)').matches;

let wasOffered = false;

/** Offers it once in the life of the page. `app.installPrompt` is the browser's event, if it has sent one. */
export function offerInstallation(app) {
  if (wasOffered || isInstalled() || Date.now() - refused() < pause || new URLSearchParams(location.search).has('preview')) return;
  const prompt = app.installPrompt;
  const title = say('install.title', { name: houseName() });
  if (prompt) {
    wasOffered = true;
    const install = async () => {
      app.installPrompt = undefined;
      await prompt.prompt();
      if ((await prompt.userChoice)?.outcome !== 'accepted') refuse();
    };
    ask({ key: 'install', symbol: 'device', title, text: say('install.text'), action: { label: say('install.add'), onclick: install }, onclose: refuse });
  } else if (isApple() && refused() === 0) {
    wasOffered = true;
    refuse();
    notify({ key: 'install', symbol: 'device', title, text: say('install.apple'), seconds: 20 });
  }
}
