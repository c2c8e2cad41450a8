import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import * as z from 'zod/mini';
import { WAIT_LIMIT_MS } from '../wait-limit.ts';

const Tools = z.array(z.object({ name: z.string(), commands: z.array(z.string()) }));

/** The Chromium on PATH, or the reason to skip. */
export function findChromium(): { readonly path: string } | { readonly skip: string } {
  const tools = Tools.parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../../scripts/lib/tools.json'), 'utf8')));
  const commands = tools.find((tool) => tool.name === 'chromium')?.commands ?? [];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const path = process.env.CHROMIUM_PATH ?? commands.flatMap((command) => folders.map((folder) => join(folder, command))).find(isExecutable);
  return path ? { path } : { skip: 'no Chromium is on PATH (apt-get install chromium fonts-liberation)' };
}

/** No network traffic except for the page under test. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-default-apps', '--no-first-run', '--no-pings'];
/** Emulating a GPU costs more than rendering without one. */
const UNACCELERATED = ['--disable-gpu', '--disable-software-rasterizer', '--disable-gpu-rasterization', '--disable-gpu-compositing'];
/** Spare processes for future pages and for windows that nobody sees. */
const SPARE_PROCESSES = [
  'SpareRendererForSitePerProcess',
  'PreloadTopChromeWebUI',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIToolbar',
  'InitialWebUI',
];
/** Chromium only uses the last --disable-features list, so ours repeats what Playwright turns off for tests. */
const OFF_IN_PLAYWRIGHT = ['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'PaintHolding', 'OptimizationHints'];

/** With these, Chromium 156 loads a page with two thirds of the work. */
const LOW_COST = [...UNACCELERATED, `--disable-features=${[...SPARE_PROCESSES, ...OFF_IN_PLAYWRIGHT].join(',')}`];

/** Without a sandbox, because tests may run as root. */
export async function launchChromium(path: string, more: readonly string[] = []): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-dev-shm-usage', ...QUIET, ...LOW_COST, ...more];
  const browser = await chromium.launch({ executablePath: path, args, timeout: 2 * WAIT_LIMIT_MS });
  return browser.on('context', (context) => context.setDefaultTimeout(WAIT_LIMIT_MS));
}

/** By path and arguments. */
const shared = new Map<string, Promise<Browser>>();

/**
 * One browser for all files of a worker, because starting one takes a second on both processors. A worker runs its files one after the other, so everything
 * open in it belongs to the current file, which closes it. The browser itself ends with the worker.
 */
export async function sharedChromium(path: string, more: readonly string[] = []): Promise<Browser> {
  const key = JSON.stringify([path, ...more]);
  const known = await shared.get(key);
  if (known?.isConnected()) return known;
  const starting = launchChromium(path, more).then(keepAlive);
  shared.set(key, starting);
  return starting;
}

function keepAlive(browser: Browser): Browser {
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
