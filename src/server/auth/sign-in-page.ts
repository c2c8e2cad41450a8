import { createHash } from 'node:crypto';
import { contentSecurityPolicy } from './headers.ts';

interface SignInPage {
  /** Where the form goes, and where to go on afterwards. */
  readonly action: string;
  readonly next: string;
  readonly problem?: string;
}

/** A plain form: no script, readable in light and dark, and on a phone. */
export function signInPage({ action, next, problem }: SignInPage): string {
  const alert = problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`;
  return page(
    'Sign in',
    `<h1>Signalbox</h1>
<p>Enter the token that <code>signalbox serve</code> printed, or one that its owner gave you.</p>${alert}
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="next" value="${escapeHtml(next)}">
<input name="username" value="signalbox" autocomplete="username" hidden>
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" autocapitalize="none" spellcheck="false" required autofocus>
<button type="submit">Sign in</button>
</form>
<p class="hint">On the machine itself the token lies in the file <code>token</code> of the data folder; <code>signalbox doctor</code> says where.</p>`,
  );
}

/**
 * A strict cookie does not come along when a link on another site is followed. This page asks once more from
 * our own address, and then it does.
 */
export const bouncePage = (): string => page('Signalbox', '<p>One moment…</p>', '<meta http-equiv="refresh" content="0">');

export const missingBuildPage = (): string =>
  page(
    'No web files',
    `<h1>Signalbox is running</h1><p>The web files are not built, so there is nothing to show here yet.</p>
<p>Run <code>npm run build</code> in the folder of Signalbox and reload this page. The HTTP interface works meanwhile: see <code>/openapi.json</code>.</p>`,
  );

const STYLE = `:root{color-scheme:light dark;--bg:#f6f7f8;--card:#fff;--ink:#16191d;--soft:#596270;--line:#d5dae0;--accent:#0b6bcb;--on:#fff;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--bg:#0f1216;--card:#171b21;--ink:#e8ebef;--soft:#9aa5b3;--line:#2d343e;--accent:#6db3f8;--on:#08131f;--bad:#ff8a80}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.5rem}
h1{margin:0 0 .5rem;font-size:1.4rem}p{margin:0 0 1rem}code{font:.9em ui-monospace,monospace}label{display:block;font-weight:600;margin-bottom:.25rem}
input,button{width:100%;min-height:44px;font:inherit;border-radius:8px;padding:.5rem .75rem}
input{border:1px solid var(--line);background:var(--bg);color:var(--ink);margin-bottom:1rem}button{border:0;background:var(--accent);color:var(--on);font-weight:600;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}.problem{color:var(--bad);font-weight:600}.hint{margin:1rem 0 0;color:var(--soft);font-size:.875rem}`;

/** The policy of these pages: their one style by its hash, and nothing else. */
export const PLAIN_PAGE_CSP = contentSecurityPolicy({
  'script-src': "'none'",
  'style-src': `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
});

const page = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title>${head}<style>${STYLE}</style></head><body><main>${body}</main></body></html>`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
