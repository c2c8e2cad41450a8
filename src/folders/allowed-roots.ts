import { existsSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import type { Refusal } from '../protocol/command.ts';
import type { FolderList } from '../protocol/http.ts';
import { isInside, systemFolderOf } from './system-folders.ts';

/** Where sessions may be: real paths. */
export interface Grounds {
  readonly roots: readonly string[];
  /** Ours: no agent may look into it. */
  readonly dataFolder: string;
}

/** The real path of a folder in which a session may run. Links are resolved before judging, so that none leads out of the allowed folders. */
export const allowedFolder = (path: string, grounds: Grounds): Promise<string | Refusal> => allowedPath(path, grounds, 'folder');

/** The real path of a folder or file that a session may be given. */
export async function allowedPath(path: string, grounds: Grounds, kind: 'folder' | 'file'): Promise<string | Refusal> {
  const real = await resolved(path, kind);
  if (typeof real !== 'string') return real;
  const rule = ruleAgainst(real, grounds);
  return rule === undefined ? real : { refused: 'not-allowed-folder', message: rule };
}

async function resolved(path: string, kind: 'folder' | 'file'): Promise<string | Refusal> {
  if (!isAbsolute(path) || path.includes('\0')) return { refused: 'bad-request', message: `"${path}" is not a whole path. Begin it with "/".` };
  const real = await realpath(path).catch(() => undefined);
  const found = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (real === undefined || !(kind === 'folder' ? found?.isDirectory() : found?.isFile()))
    return { refused: 'bad-request', message: `There is no ${kind} ${path}.` };
  return real;
}

/** The rule that keeps sessions out of a real path, in words. */
export function ruleAgainst(real: string, { roots, dataFolder }: Grounds): string | undefined {
  if (isInside(real, dataFolder)) return `${real} lies in the data folder of Signalbox, which no session may use.`;
  const system = systemFolderOf(real, roots);
  if (system !== undefined) return `${real} is or lies in the system folder ${system}, where no session may run.`;
  if (roots.some((root) => isInside(real, root))) return undefined;
  return `Sessions may not run in ${real}. Allowed: ${roots.join(', ')}. SIGNALBOX_ROOTS sets this.`;
}

/** What a person can choose from: the allowed folders, or the folders inside one of them. Hidden ones are left out. */
export async function listFolders(grounds: Grounds, path?: string): Promise<FolderList | Refusal> {
  if (path === undefined) return { folders: grounds.roots.map(described) };
  const real = await listable(path, grounds);
  if (typeof real !== 'string') return real;
  const entries = await readdir(real, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map((entry) => entry.name);
  const folders = names.map((name) => join(real, name)).filter((folder) => ruleAgainst(folder, grounds) === undefined);
  const parent = dirname(real);
  return {
    path: real,
    ...(parent !== real && isListable(parent, grounds) && { parent }),
    folders: folders.sort((a, b) => a.localeCompare(b)).map(described),
  };
}

/** No session runs in the root of the file system, but the way to the others leads through it when it is allowed. */
async function listable(path: string, grounds: Grounds): Promise<string | Refusal> {
  const real = await resolved(path, 'folder');
  if (typeof real !== 'string' || isListable(real, grounds)) return real;
  return { refused: 'not-allowed-folder', message: ruleAgainst(real, grounds) ?? '' };
}

const isListable = (real: string, grounds: Grounds): boolean => (real === sep ? grounds.roots.includes(sep) : ruleAgainst(real, grounds) === undefined);

const described = (path: string): FolderList['folders'][number] => ({ name: basename(path) || path, path, isRepository: existsSync(join(path, '.git')) });
