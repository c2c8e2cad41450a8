import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerFile } from '../protocol/api/server-file.ts';

/** Writes the address of this server for other programs. Returns a function that removes the file. */
export function writeServerFile(dataDir: string, server: ServerFile): () => void {
  const file = join(dataDir, 'server.json');
  writeFileSync(`${file}.new`, `${JSON.stringify(server)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return () => rmSync(file, { force: true });
}
