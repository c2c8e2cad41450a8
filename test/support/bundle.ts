import { mkdirSync, renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Makes one source file runnable by a plain Node process; gives the path of the result. */
export function bundle(source: string): string {
  const path = `${ROOT}.cache/bundles/${source.replaceAll('/', '-').replace(/\.ts$/, '')}.mjs`;
  const outfile = `${path}.${process.pid}`;
  mkdirSync(`${ROOT}.cache/bundles`, { recursive: true });
  buildSync({ entryPoints: [`${ROOT}${source}`], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20' });
  renameSync(outfile, path); // others may be reading the one before
  return path;
}
