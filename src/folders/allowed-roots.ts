import { existsSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import type { Refusal } from '../protocol/command.ts';
import type { FolderList } from '../protocol/http.ts';
import { isInside, systemFolderOf } from './system-folders.ts';

/** Where sessions may run, as real paths. */
export interface AllowedRoots {
  readonly roots: readonly string[];
  /** Signalbox's own data folder, which no session may use. */
  readonly dataFolder: string;
}

/** The real path of a folder in which a session may run. Links are resolved before the check, so that none leads out of the allowed folders. */
export const allowedFolder = (path: string, allowedRoots: AllowedRoots): Promise<string | Refusal> => allowedPath(path, allowedRoots, 'folder');

/** The real path of a folder or file that a session may use. */
export async function allowedPath(path: string, allowedRoots: AllowedRoots, kind: 'folder' | 'file'): Promise<string | Refusal> {
  const real = await resolved(path, kind);
  if (typeof real !== 'string') return real;
  const rule = pathProblem(real, allowedRoots);
  return rule === undefined ? real : { refused: 'not-allowed-folder', message: rule };
}

async function resolved(path: string, kind: 'folder' | 'file'): Promise<string | Refusal> {
  if (!isAbsolute(path) || path.includes('\0')) return { refused: 'bad-request', message: `"${path}" is not an absolute path. Start it with "/".` };
  const real = await realpath(path).catch(() => undefined);
  const found = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (real === undefined || !(kind === 'folder' ? found?.isDirectory() : found?.isFile()))
    return { refused: 'bad-request', message: `There is no ${kind} ${path}.` };
  return real;
}

/** Why sessions can't use a real path, as a message; undefined when they can. */
export function pathProblem(real: string, { roots, dataFolder }: AllowedRoots): string | undefined {
  if (isInside(real, dataFolder)) return `${real} is inside Signalbox's data folder, which sessions can't use.`;
  const system = systemFolderOf(real, roots);
  if (system !== undefined) return `${real} is in the system folder ${system}, where sessions can't run.`;
  if (roots.some((root) => isInside(real, root))) return undefined;
  return `Sessions can't run in ${real}. Allowed: ${roots.join(', ')}. Set SIGNALBOX_ROOTS to change this.`;
}

/** What a person can choose from: the allowed folders, or the folders inside one of them. Hidden ones are left out. */
export async function listFolders(allowedRoots: AllowedRoots, path?: string): Promise<FolderList | Refusal> {
  if (path === undefined) return { folders: allowedRoots.roots.map(described) };
  const real = await listable(path, allowedRoots);
  if (typeof real !== 'string') return real;
  const entries = await readdir(real, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map((entry) => entry.name);
  const folders = names.map((name) => join(real, name)).filter((folder) => pathProblem(folder, allowedRoots) === undefined);
  const parent = dirname(real);
  return {
    path: real,
    ...(parent !== real && isListable(parent, allowedRoots) && { parent }),
    folders: folders.sort((a, b) => a.localeCompare(b)).map(described),
  };
}

/** No session can run in `/`, but when it is an allowed root, people browse from there to the other folders. */
async function listable(path: string, allowedRoots: AllowedRoots): Promise<string | Refusal> {
  const real = await resolved(path, 'folder');
  if (typeof real !== 'string' || isListable(real, allowedRoots)) return real;
  return { refused: 'not-allowed-folder', message: pathProblem(real, allowedRoots) ?? '' };
}

const isListable = (real: string, allowedRoots: AllowedRoots): boolean =>
  real === sep ? allowedRoots.roots.includes(sep) : pathProblem(real, allowedRoots) === undefined;

const described = (path: string): FolderList['folders'][number] => ({ name: basename(path) || path, path, isRepository: existsSync(join(path, '.git')) });
