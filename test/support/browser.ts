import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { build } from 'vite';

const CANDIDATES = [process.env.CHROMIUM_PATH ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine, or nothing: then tests that need one are skipped and say so. */
export const chromiumPath = (): string | undefined => CANDIDATES.find((path) => path !== '' && existsSync(path));

export const openBrowser = (executablePath: string): Promise<Browser> => chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** The page as it is shipped, built into a folder of its own. */
export async function buildWeb(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'signalbox-web-'));
  const configFile = new URL('../../web/vite.config.ts', import.meta.url).pathname;
  await build({ configFile, logLevel: 'error', build: { outDir } });
  return outDir;
}
