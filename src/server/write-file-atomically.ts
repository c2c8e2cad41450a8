import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Written beside, synced and renamed: at every instant the file is the old one or the new one, whole. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const folder = dirname(file);
  // Not more than this one: while the data folder is moved away for a moment, no second one may come into being.
  await mkdir(folder, { mode: 0o700 }).catch(orThere);
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

function orThere(error: NodeJS.ErrnoException): void {
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
