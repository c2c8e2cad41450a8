import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import * as z from 'zod/mini';
import { App } from './app/app.tsx';
import { createAppRouter } from './app/router.tsx';
import { keepAboveKeyboard } from './app/shell/keyboard-height.ts';
import { startCockpit } from './app/start-cockpit.ts';
import { openAppearance } from './base/appearance/appearance.ts';
import { takeKeyFromAddress } from './client/http/key.ts';
import { registerWorker } from './client/push-subscription.ts';
import './base/styles/index.css';

// Before anything else reads the address.
takeKeyFromAddress(document.baseURI, { location, history, storage: localStorage });

// The content security policy forbids compiled validators; without this every load reports a violation.
z.config({ jitless: true });
const appearance = openAppearance(document.documentElement, localStorage);
window.addEventListener('storage', () => appearance.reread());

// Before the first text: fonts that load later would render it twice and shift the page.
for (const family of ['IBM Plex Sans Variable', 'IBM Plex Mono']) void document.fonts.load(`1em "${family}"`).catch(() => undefined);

// Fetched in parallel, so that it is ready when the first text renders.
void import('./parts/markdown/formatted-markdown.tsx').catch(() => undefined);

// On the deck's address, load the deck in parallel.
if (location.pathname === new URL(document.baseURI).pathname) void import('./pages/deck/deck-page.tsx').catch(() => undefined);

registerWorker(document.baseURI);
keepAboveKeyboard();

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');
const base = document.baseURI;
const cockpit = await startCockpit(base);
createRoot(root).render(
  <StrictMode>
    <App cockpit={cockpit} appearance={appearance} router={createAppRouter(new URL(base).pathname)} />
  </StrictMode>,
);
