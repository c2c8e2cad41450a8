import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import * as z from 'zod/mini';

const Tools = z.array(z.object({ name: z.string(), commands: z.array(z.string()) }));

/** The Chromium on PATH, or why there is none. */
export function findChromium(): { readonly path: string } | { readonly skip: string } {
  const tools = Tools.parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../scripts/lib/tools.json'), 'utf8')));
  const commands = tools.find((tool) => tool.name === 'chromium')?.commands ?? [];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const path = process.env.CHROMIUM_PATH ?? commands.flatMap((command) => folders.map((folder) => join(folder, command))).find(isExecutable);
  return path ? { path } : { skip: 'no Chromium is on PATH (apt-get install chromium fonts-liberation)' };
}

/** A browser without a sandbox (tests may run as root) that calls nobody but the page under test. */
export function launchChromium(path: string, more: readonly string[] = []): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-default-apps', '--no-first-run', '--no-pings'];
  return chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-dev-shm-usage', ...quiet, ...more] });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
