import { existsSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import type { Refusal } from '../protocol/command.ts';
import type { FolderList } from '../protocol/http.ts';

/** The real path of a folder in which a session may run. Links are resolved before judging, so that none leads out of the allowed folders. */
export async function allowedFolder(path: string, roots: readonly string[]): Promise<string | Refusal> {
  if (!isAbsolute(path)) return { refused: 'bad-request', message: `"${path}" is not a whole path. Begin it with "/".` };
  const real = await realpath(path).catch(() => undefined);
  const isFolder = real !== undefined && (await stat(real)).isDirectory();
  if (real === undefined || !isFolder) return { refused: 'bad-request', message: `There is no folder ${path}.` };
  if (isInside(real, roots)) return real;
  return { refused: 'not-allowed-folder', message: `Sessions may not run in ${real}. Allowed: ${roots.join(', ')}. SIGNALBOX_ROOTS sets this.` };
}

/** What a person can choose from: the allowed folders, or the folders inside one of them. Hidden ones are left out. */
export async function listFolders(roots: readonly string[], path?: string): Promise<FolderList | Refusal> {
  if (path === undefined) return { folders: roots.map(described) };
  const real = await allowedFolder(path, roots);
  if (typeof real !== 'string') return real;
  const entries = await readdir(real, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map((entry) => entry.name);
  const parent = dirname(real);
  return {
    path: real,
    ...(parent !== real && isInside(parent, roots) && { parent }),
    folders: names.sort((a, b) => a.localeCompare(b)).map((name) => described(join(real, name))),
  };
}

export const isInside = (path: string, roots: readonly string[]): boolean =>
  roots.some((root) => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep));

const described = (path: string): FolderList['folders'][number] => ({ name: basename(path) || path, path, isRepository: existsSync(join(path, '.git')) });
