import { mkdirSync, renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Makes one source file runnable by a plain Node process; gives the path of the result. */
export function bundle(source: string, name = `${source.replaceAll('/', '-').replace(/\.ts$/, '')}.mjs`): string {
  const path = `${ROOT}.cache/bundles/${name}`;
  const outfile = `${path}.${process.pid}`;
  mkdirSync(`${ROOT}.cache/bundles`, { recursive: true });
  buildSync({
    entryPoints: [`${ROOT}${source}`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['@photostructure/sqlite'],
    // CommonJS dependencies inside an ES module still call `require`.
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  });
  renameSync(outfile, path); // others may be reading the one before
  return path;
}
