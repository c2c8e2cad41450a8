import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';

/** The page as it is shipped, built into a folder of its own. */
export async function buildWeb(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'signalbox-web-'));
  await build({ configFile: join(import.meta.dirname, '../../web/vite.config.ts'), logLevel: 'error', build: { outDir } });
  return outDir;
}
