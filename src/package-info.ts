import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the package lies: the nearest folder above this file with a package.json. */
export const PACKAGE_ROOT = rootAbove(import.meta.dirname);

export const VERSION: string = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')).version;

export const WEB_DIR = join(PACKAGE_ROOT, 'dist', 'web');

/** The views' worker beside the bundle; from source it is found by itself. */
export const BUILT_VIEWS_WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./views-worker.js', import.meta.url);

export const BUILT_LIBRARY_WORKERS = import.meta.url.endsWith('.ts')
  ? undefined
  : { indexing: new URL('./library-indexing.js', import.meta.url), reading: new URL('./library-reading.js', import.meta.url) };

function rootAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return folder;
  return rootAbove(dirname(folder));
}
