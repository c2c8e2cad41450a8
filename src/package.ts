import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the package lies: the nearest folder above this file with a package.json. */
export const PACKAGE_ROOT = rootAbove(import.meta.dirname);

export const VERSION: string = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')).version;

export const WEB_DIR = join(PACKAGE_ROOT, 'dist', 'web');

function rootAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return folder;
  return rootAbove(dirname(folder));
}
