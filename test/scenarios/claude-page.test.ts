import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isBuilt } from '../../scripts/lib/sources.mjs';
import { type ClaudeSessions, recordClaudeSessions } from '../support/agents/claude-sessions.ts';
import { startClaudeSetup } from '../support/agents/claude-setup.ts';
import { faultsOf, openWalker, type Surface } from '../support/browser/check-surfaces.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { DESKTOP, PHONE } from '../support/browser/person.ts';
import type { LiveSetup } from '../support/live-suite/live-setup.ts';

const chromium = findChromium();
const unbuilt = isBuilt() ? undefined : 'dist/ is not built (npm run build)';
/** Enough for a dozen surfaces, each with a full accessibility audit, on a busy machine. */
const WALK_MS = 600_000;

let opened: LiveSetup | { readonly skip: string };
let setup: ClaudeSessions;
let browser: Browser;
beforeAll(async () => {
  opened = 'skip' in chromium ? chromium : unbuilt === undefined ? await startClaudeSetup('2.1.325') : { skip: unbuilt };
  if ('skip' in opened || 'skip' in chromium) return;
  setup = await recordClaudeSessions(opened);
  browser = await sharedChromium(chromium.path);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  if ('close' in opened) await opened.close();
});

const first = (selector: string, hasText?: string | RegExp) => (page: Page) => page.locator(selector, hasText === undefined ? {} : { hasText }).first();

/** Each `ready` waits for something that only output of the real CLI can produce. */
const SURFACES: readonly Surface<ClaudeSessions>[] = [
  { name: 'claude-deck', address: () => '/', ready: first('.panel-row', 'Flaky test in checkout suite') },
  { name: 'claude-session', address: ({ done }) => `/s/${done}`, ready: first('.row-text', 'The context is nearly full.') },
  { name: 'claude-waiting', address: ({ waiting }) => `/s/${waiting}`, ready: first('.approval', 'wants to change a file') },
  { name: 'claude-asking', address: ({ asking }) => `/s/${asking}`, ready: first('.approval', 'Which colour?') },
  { name: 'claude-running', address: ({ running }) => `/s/${running}`, ready: first('.session-head', 'running') },
  { name: 'claude-changes', address: ({ done }) => `/s/${done}/changes`, ready: first('.stage', 'for (const one of b) all.push(one)') },
  { name: 'claude-tree', address: ({ done }) => `/s/${done}/changes?from=tree`, ready: first('.stage', 'merge.ts') },
  { name: 'claude-files', address: ({ done }) => `/s/${done}/files`, ready: first('.tree-row', 'notes.md') },
  { name: 'claude-timeline', address: ({ done }) => `/s/${done}/timeline`, ready: first('.timeline', '@SUBAGENT') },
  { name: 'claude-raw', address: ({ done }) => `/s/${done}/raw`, ready: first('.raw-line', '"type":"command_lifecycle"') },
  { name: 'claude-inbox', address: () => '/inbox', ready: (page) => page.locator('.approval').nth(1) },
  { name: 'claude-search', address: () => '/search?q=merge', ready: first('.search-body a', 'Flaky test in checkout suite') },
  { name: 'claude-usage', address: () => '/usage', ready: first('table', 'claude-') },
  { name: 'claude-sessions', address: () => '/sessions', ready: first('.list-row', 'asks: Which colour?') },
  { name: 'claude-tiles', address: ({ done, waiting, running }) => `/tiles?s=${[done, waiting, running]}`, ready: first('.tile .row-text', 'nearly full') },
  { name: 'claude-agents', address: () => '/settings/agents', ready: first('.agent-row', 'found via CLAUDE_PATH') },
];

for (const [size, viewport] of [
  ['1440', DESKTOP],
  ['390', PHONE],
] as const) {
  test(`every surface shows what the real Claude Code did, without a fault (${size} px)`, { timeout: WALK_MS }, async ({ skip }) => {
    if ('skip' in opened) return skip(opened.skip);
    expect(await faultsOf(await openWalker(browser, opened.server, viewport), SURFACES, setup, size)).toEqual({});
  });
}

test('the transcript shows everything Claude Code did, each thing in its own form', async ({ skip }) => {
  if ('skip' in opened) return skip(opened.skip);
  const { page } = await openWalker(browser, opened.server, { ...DESKTOP, height: 4000 });
  await page.goto(`${opened.server.url}/s/${setup.done}`);
  await page.getByText('Thought about: why the checkout suite').first().waitFor();
  for (const words of [/Thought/, /Run\s*ls/, /Edit\s*merge\.ts/, /Agent.*A small errand/, /Write\s*notes\.md/, /Retrying \(/, /The model refused/])
    await page.locator('.row', { hasText: words }).first().waitFor();
  await page.context().close();
});
