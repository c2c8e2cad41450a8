import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineDeps } from './loop/engine-deps.ts';

/** Copies are named by their time, so none replaces another. */
export async function backup({ journal, backupFolder, now }: EngineDeps): Promise<string> {
  await mkdir(backupFolder, { recursive: true, mode: 0o700 });
  const path = join(backupFolder, `journal-${now().toISOString().replaceAll(':', '-')}.db`);
  await journal.backup(path);
  return path;
}
