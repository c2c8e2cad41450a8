import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { isBuilt } from '../../scripts/lib/sources.mjs';
import { startClaudeSetup } from '../support/agents/claude-setup.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { PHONE, signInWithoutPage } from '../support/browser/person.ts';
import { STORY_MS, tell } from '../support/browser/reload.ts';
import type { LiveSetup } from '../support/live-suite/live-setup.ts';
import { claudeFailureSteps, claudeSteeringSteps } from '../support/stories/claude.ts';

const chromium = findChromium();
const unbuilt = isBuilt() ? undefined : 'dist/ is not built (npm run build)';

let opened: LiveSetup | { readonly skip: string };
let browser: Browser;
beforeAll(async () => {
  opened = 'skip' in chromium ? chromium : unbuilt === undefined ? await startClaudeSetup('2.1.325') : { skip: unbuilt };
  if ('skip' in opened || 'skip' in chromium) return;
  browser = await sharedChromium(chromium.path);
});
afterAll(async () => {
  await browser?.close();
  if ('close' in opened) await opened.close();
});

test('[R280] at every step with the real Claude Code a reload shows the same screen (steered)', { timeout: STORY_MS }, async ({ skip }) => {
  if ('skip' in opened) return skip(opened.skip);
  await tell(await signInWithoutPage(browser, opened.server), claudeSteeringSteps(opened));
});

test('[R280] at every step with the real Claude Code a reload shows the same screen (with problems, on a phone)', { timeout: STORY_MS }, async ({ skip }) => {
  if ('skip' in opened) return skip(opened.skip);
  await tell(await signInWithoutPage(browser, opened.server, PHONE), claudeFailureSteps(opened));
});
