import { cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Moves these files and folders of a worktree into a folder of ours. What is there already was moved by an earlier try and stays. */
export async function moveAway(worktree: string, paths: readonly string[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const path of paths) await move(join(worktree, path), join(folder, path));
}

/** Moves everything in a saved folder back into its worktree; a file that is there in the meantime stays, and so does its saved copy. */
export async function moveBack(folder: string, worktree: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const [from, to] = [join(folder, entry.name), join(worktree, entry.name)];
    const there = await lstat(to).catch(() => undefined);
    if (there === undefined) await move(from, to);
    else if (entry.isDirectory() && there.isDirectory()) await moveBack(from, to);
  }
}

/** A rename where the disk allows it; otherwise a copy that is complete before the original goes. */
async function move(from: string, to: string): Promise<void> {
  const clean = [from, to].map((path) => path.replace(/\/$/, ''));
  const [source = '', target = ''] = clean;
  if ((await lstat(source).catch(() => undefined)) === undefined) return;
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  try {
    await rename(source, target);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'EXDEV' || error.code === 'ENOTEMPTY'))) throw error;
    await cp(source, target, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, errorOnExist: false });
    await rm(source, { recursive: true });
  }
}
