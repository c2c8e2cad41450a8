import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder that was opened step by step without following a link; names in it can't be led elsewhere anymore. */
export interface PinnedFolder {
  at(name: string): string;
  close(): Promise<void>;
}

export type Opened = { readonly folder: PinnedFolder } | { readonly absent: true } | { readonly why: string };

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Opens the folder of a path below `root`; makes missing ones if asked to. A link or a file on the way is refused by name. */
export async function openParent(root: string, path: string, make: boolean): Promise<Opened> {
  const steps = path.split('/').slice(0, -1);
  if (path.split('/').some((step) => step === '' || step === '.' || step === '..' || step.toLowerCase() === '.git')) return { why: 'its path is not allowed' };
  let handle = await open(root, FOLDER);
  let real = root;
  for (const [n, step] of steps.entries()) {
    const next = await openStep(handle, real, step, make);
    await handle.close();
    if (next === 'absent') return { absent: true };
    if (next === 'link') return { why: `${steps.slice(0, n + 1).join('/')} is a link` };
    if (next === 'file') return { why: `${steps.slice(0, n + 1).join('/')} is in the way: it is not a folder` };
    handle = next;
    real = join(real, step);
  }
  const base = pathOf(handle, real);
  return { folder: { at: (name) => join(base, name), close: () => handle.close() } };
}

async function openStep(parent: FileHandle, real: string, step: string, make: boolean): Promise<FileHandle | 'absent' | 'link' | 'file'> {
  const path = join(pathOf(parent, real), step);
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined && !make) return 'absent';
  if (found === undefined) await mkdir(path);
  if (found?.isSymbolicLink()) return 'link';
  if (found !== undefined && !found.isDirectory()) return 'file';
  const handle = await open(path, FOLDER).catch(() => undefined);
  if (handle === undefined) return 'link';
  // Elsewhere than on Linux a name can't be opened relative to a folder, so it is checked once more.
  if (process.platform === 'linux' || (await realpath(path).catch(() => undefined)) === path) return handle;
  await handle.close();
  return 'link';
}

const pathOf = (handle: FileHandle, real: string): string => (process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : real);
