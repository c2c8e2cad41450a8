import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { findChromium, launchChromium } from './chromium.ts';

/** The browser of this machine, or nothing: then tests that need one are skipped and say so. */
export function chromiumPath(): string | undefined {
  const found = findChromium();
  return 'path' in found ? found.path : undefined;
}

export { launchChromium as openBrowser };

/** The page as it is shipped, built into a folder of its own. */
export async function buildWeb(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'signalbox-web-'));
  const configFile = new URL('../../web/vite.config.ts', import.meta.url).pathname;
  await build({ configFile, logLevel: 'error', build: { outDir } });
  return outDir;
}
