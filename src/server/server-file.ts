import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerFile } from '../protocol/api/server-file.ts';

/** Says where this server is; the way back removes the word again. */
export function announceServer(dataDir: string, server: ServerFile): () => void {
  const file = join(dataDir, 'server.json');
  writeFileSync(`${file}.new`, `${JSON.stringify(server)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return () => rmSync(file, { force: true });
}
