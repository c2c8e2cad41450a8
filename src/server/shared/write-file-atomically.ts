import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Written to a second file, synced and renamed: the file is always either the old one or the new one, complete. */
export async function writeFileAtomically(file: string, text: string): Promise<void> {
  const folder = dirname(file);
  // Creates only this folder, not its parents: while the data folder is moved away for a moment, no second one must appear.
  await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting);
  const next = `${file}.${randomUUID()}.new`;
  try {
    await writeSynced(next, text);
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
