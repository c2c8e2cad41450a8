import { createHash } from 'node:crypto';
import { contentSecurityPolicy } from './headers.ts';

interface SignInPage {
  /** Where the form is sent, and the page that follows. */
  readonly action: string;
  readonly next: string;
  readonly problem?: string;
  /** Why a signed-in person has to sign in again. */
  readonly note?: string | undefined;
}

/** A plain form that works without a script, in light and dark, and on a phone. */
export function signInPage({ action, next, problem, note }: SignInPage): string {
  const alert = problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`;
  const why = note === undefined ? '' : `<p role="status">${escapeHtml(note)}</p>`;
  return page(
    'Sign in',
    `<h1>Signalbox</h1>${why}
<p>Enter the token that <code>signalbox serve</code> printed, or one that the owner gave you.</p>${alert}
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="next" value="${escapeHtml(next)}">
<input name="username" value="signalbox" autocomplete="username" hidden>
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" autocapitalize="none" spellcheck="false" required autofocus>
<button type="submit">Sign in</button>
</form>
<p class="hint">The token is also in the file <code>token</code> in the data folder (run <code>signalbox doctor</code> to find it).</p>`,
    { script: KEEP_FRAGMENT },
  );
}

/** Takes a one-time code, which a QR code puts into the fragment of the address. */
export function pairingPage({ action, problem }: { readonly action: string; readonly problem?: string }): string {
  const alert = problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`;
  return page(
    'Add this device',
    `<h1>Add this device to Signalbox</h1>
<p>This signs in this browser. You can remove the device again in Settings, People.</p>${alert}
<form method="post" action="${escapeHtml(action)}">
<label for="code">Code</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" required autofocus>
<button type="submit">Add this device</button>
</form>`,
    { script: FILL_CODE },
  );
}

/**
 * Browsers don't send a strict cookie when a link on another site is followed. This page reloads from
 * our own address, and then they do.
 */
export const bouncePage = (): string => page('Signalbox', '<p>Loading…</p>', { head: '<meta http-equiv="refresh" content="1">', script: RELOAD });

/** Stores the key where the page finds it, then opens the requested address, its `#` fragment included. */
export const finishSignInPage = ({ key, next, store }: { readonly key: string; readonly next: string; readonly store: string }): string =>
  page('Signalbox', `<p id="arrival" data-key="${key}" data-next="${escapeHtml(next)}" data-store="${escapeHtml(store)}">Loading…</p>`, { script: STORE_KEY });

/** For an address with a token that was not opened as a page, such as an image. */
export const refusedPage = (): string => page('Signalbox', '<p>To sign in, open this address in a browser tab.</p>');

export const missingBuildPage = (): string =>
  page(
    'No web files',
    `<h1>Signalbox is running</h1><p>The web files are missing, so there is nothing to show here yet.</p>
<p>Run <code>npm run build</code> in the Signalbox folder and reload this page. The HTTP API works meanwhile: see <code>/openapi.json</code>.</p>`,
  );

const STYLE = `:root{color-scheme:light dark;--bg:#f6f7f8;--card:#fff;--ink:#16191d;--soft:#596270;--line:#d5dae0;--accent:#0b6bcb;--on:#fff;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--bg:#0f1216;--card:#171b21;--ink:#e8ebef;--soft:#9aa5b3;--line:#2d343e;--accent:#6db3f8;--on:#08131f;--bad:#ff8a80}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.5rem}
h1{margin:0 0 .5rem;font-size:1.4rem}p{margin:0 0 1rem}code{font:.9em ui-monospace,monospace}label{display:block;font-weight:600;margin-bottom:.25rem}
input,button{width:100%;min-height:44px;font:inherit;border-radius:8px;padding:.5rem .75rem}
input{border:1px solid var(--line);background:var(--bg);color:var(--ink);margin-bottom:1rem}button{border:0;background:var(--accent);color:var(--on);font-weight:600;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}.problem{color:var(--bad);font-weight:600}.hint{margin:1rem 0 0;color:var(--soft);font-size:.875rem}`;

/** Keeps the `#` fragment of the address when the form is sent. */
const KEEP_FRAGMENT = `const{next}=document.forms[0].elements;if(!next.value.includes('#')&&!location.hash.startsWith('#key='))next.value+=location.hash`;
const FILL_CODE = `document.forms[0].elements.code.value=decodeURIComponent(location.hash.slice(1)).slice(0,20);history.replaceState(null,'',location.pathname)`;
const RELOAD = 'location.reload()';
const STORE_KEY = `const{key,next,store}=document.getElementById('arrival').dataset,h=location.hash;try{localStorage.setItem(store,key);history.replaceState(null,'',next+h)}catch{history.replaceState(null,'',next+'#key='+key+(h&&'&'+h.slice(1)))}location.reload()`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The policy of these pages: only their style and scripts, by hash. */
export const PLAIN_PAGE_CSP = contentSecurityPolicy({
  'script-src': [KEEP_FRAGMENT, FILL_CODE, RELOAD, STORE_KEY].map(hashOf).join(' '),
  'style-src': hashOf(STYLE),
});

const page = (title: string, body: string, { head = '', script = '' } = {}): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title>${head}<style>${STYLE}</style></head><body><main>${body}</main>${script === '' ? '' : `<script>${script}</script>`}</body></html>`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
