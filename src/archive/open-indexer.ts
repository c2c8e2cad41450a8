import type { ArchiveIndexer, ArchiveNews } from './archive.ts';
import { Indexer } from './indexer.ts';
import type { KeeperPort } from './keeper-port.ts';
import type { KeptCopies } from './records/record-bytes.ts';
import { ArchiveStore } from './store.ts';
import type { ArchivedAgent } from './sweeper.ts';

export interface IndexerOptions {
  readonly dataDir: string;
  readonly agents: readonly ArchivedAgent[];
  readonly env: Readonly<Record<string, string>>;
  readonly news: ArchiveNews;
  /** Milliseconds; only differences matter. */
  readonly now: () => number;
  /** Makes and reads copies of records. */
  readonly keeper?: KeeperPort;
  readonly copies?: KeptCopies;
}

/** Opens `archive.db` for writing: in one thread of one process only. */
export function openArchiveIndexer({ dataDir, ...rest }: IndexerOptions): ArchiveIndexer {
  return new Indexer({ store: ArchiveStore.open(dataDir), ...rest });
}
