import { existsSync } from 'node:fs';
import { intOf, openReadOnly } from '../journal/sqlite-driver.ts';
import type { ArchiveReader } from './archive.ts';
import { ArchiveQueries, Statements } from './queries.ts';
import { Reader } from './reader.ts';
import type { KeptCopies } from './records/record-bytes.ts';
import { archivePath } from './store.ts';
import type { ArchivedAgent } from './sweeper.ts';

export interface ReaderOptions {
  readonly dataDir: string;
  readonly agents: readonly ArchivedAgent[];
  readonly copies?: KeptCopies;
}

/** Opens what the indexer writes, read-only, as soon as it exists, and while the indexer keeps writing. */
export function openArchiveReader({ dataDir, agents, copies }: ReaderOptions): ArchiveReader {
  const path = archivePath(dataDir);
  let opened: { readonly queries: ArchiveQueries; close(): void } | undefined;
  const queries = (): ArchiveQueries | undefined => {
    opened ??= existsSync(path) ? openQueries(path) : undefined;
    return opened?.queries;
  };
  const close = (): void => {
    opened?.close();
    opened = undefined;
  };
  return new Reader({ queries, agents, ...(copies && { copies }), close });
}

/** A database that was just created is still empty. */
function openQueries(path: string): { readonly queries: ArchiveQueries; close(): void } | undefined {
  const db = openReadOnly(path);
  const row = db.prepare('PRAGMA user_version').get();
  if (row !== undefined && intOf(row, 'user_version') > 0) return { queries: new ArchiveQueries(new Statements(db)), close: () => db.close() };
  db.close();
  return undefined;
}
