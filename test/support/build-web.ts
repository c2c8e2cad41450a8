import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import { build } from 'vite';

const WEB = join(import.meta.dirname, '../../web');

/** The page as it is shipped, with the worker that stands beside it, built into a folder of its own. */
export async function buildWeb(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'signalbox-web-'));
  await build({ configFile: join(WEB, 'vite.config.ts'), logLevel: 'error', build: { outDir } });
  await bundle({ entryPoints: [join(WEB, 'worker/worker.ts')], outfile: join(outDir, 'worker.js'), bundle: true, platform: 'browser', target: 'es2022' });
  return outDir;
}
