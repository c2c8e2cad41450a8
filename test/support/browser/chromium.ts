import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import * as z from 'zod/mini';
import { PATIENCE_MS } from '../patience.ts';

const Tools = z.array(z.object({ name: z.string(), commands: z.array(z.string()) }));

/** The Chromium on PATH, or why there is none. */
export function findChromium(): { readonly path: string } | { readonly skip: string } {
  const tools = Tools.parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../../scripts/lib/tools.json'), 'utf8')));
  const commands = tools.find((tool) => tool.name === 'chromium')?.commands ?? [];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const path = process.env.CHROMIUM_PATH ?? commands.flatMap((command) => folders.map((folder) => join(folder, command))).find(isExecutable);
  return path ? { path } : { skip: 'no Chromium is on PATH (apt-get install chromium fonts-liberation)' };
}

/** It calls nobody but the page under test. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-default-apps', '--no-first-run', '--no-pings'];
/** A graphics card that is only imitated costs more than drawing without one. */
const UNACCELERATED = ['--disable-gpu', '--disable-software-rasterizer', '--disable-gpu-rasterization', '--disable-gpu-compositing'];
/** Processes for pages that may come, and for windows that nobody sees. */
const IN_RESERVE = ['SpareRendererForSitePerProcess', 'PreloadTopChromeWebUI', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIToolbar', 'InitialWebUI'];
/** Chromium takes the last list only, so that what Playwright turns off for the sake of tests is in this one too. */
const OFF_ANYWAY = ['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'PaintHolding', 'OptimizationHints'];

/** Chromium 156 loads a page with two thirds of the work that way. */
const THRIFTY = [...UNACCELERATED, `--disable-features=${[...IN_RESERVE, ...OFF_ANYWAY].join(',')}`];

/** A browser without a sandbox: tests may run as root. */
export async function launchChromium(path: string, more: readonly string[] = []): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-dev-shm-usage', ...QUIET, ...THRIFTY, ...more];
  const browser = await chromium.launch({ executablePath: path, args, timeout: 2 * PATIENCE_MS });
  return browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS));
}

/** By what they were started with. */
const shared = new Map<string, Promise<Browser>>();

/**
 * One browser for all files of a worker: to start one takes a second of both processors. Files of a worker run one after the other, so that whatever is open in it
 * belongs to the file that closes it; the browser itself ends with the worker.
 */
export async function sharedChromium(path: string, more: readonly string[] = []): Promise<Browser> {
  const key = JSON.stringify([path, ...more]);
  const known = await shared.get(key);
  if (known?.isConnected()) return known;
  const starting = launchChromium(path, more).then(withoutEnd);
  shared.set(key, starting);
  return starting;
}

function withoutEnd(browser: Browser): Browser {
  browser.close = async () => {
    for (const context of browser.contexts()) await context.close();
  };
  return browser;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
