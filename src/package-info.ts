import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder above this file with a package.json. */
export const PACKAGE_ROOT = rootAbove(import.meta.dirname);

export const VERSION: string = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')).version;

export const WEB_DIR = join(PACKAGE_ROOT, 'dist', 'web');

/** The session list's worker next to the bundle (named in scripts/lib/threads.mjs); undefined when running from source, where the default is right. */
export const BUILT_LIST_WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./list-worker.js', import.meta.url);

export const BUILT_INDEX_THREADS = import.meta.url.endsWith('.ts')
  ? undefined
  : { records: new URL('./records-thread.js', import.meta.url), reader: new URL('./reader-thread.js', import.meta.url) };

function rootAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return folder;
  return rootAbove(dirname(folder));
}
