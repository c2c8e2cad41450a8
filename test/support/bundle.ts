import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Makes one source file runnable by a plain Node process; gives the path of the result. */
export function bundle(source: string): string {
  const outfile = `${ROOT}.cache/bundles/${source.replaceAll('/', '-').replace(/\.ts$/, '')}-${process.pid}.mjs`;
  mkdirSync(`${ROOT}.cache/bundles`, { recursive: true });
  buildSync({ entryPoints: [`${ROOT}${source}`], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20' });
  return outfile;
}
