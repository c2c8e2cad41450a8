import { writeSync } from 'node:fs';
import type { PastBatch } from '../../../src/archive/archive.ts';
import { openArchiveIndexer } from '../../../src/archive/open-indexer.ts';
import { TOY, toyArchive } from './toy-archive.ts';

// Reads the records in a folder and prints `<session> <number> <text>` for each event once it is durable. Runs until it is killed.
const [dataDir = '', root = ''] = process.argv.slice(2);

/** Retries while the pipe is full. */
function print(line: string): void {
  let rest = Buffer.from(line);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}

const news = {
  read({ session, events }: PastBatch): void {
    for (const event of events) print(`${session.agentSessionId} ${event.seq} ${'text' in event ? event.text : event.type}\n`);
  },
  listed: () => undefined,
  removed: () => undefined,
  grown: () => undefined,
};
const indexer = openArchiveIndexer({ dataDir, agents: [{ id: TOY, archive: toyArchive(root) }], env: {}, news, now: () => performance.now() });
indexer.sweep();
while (indexer.step());
print('ready\n');
setInterval(() => undefined, 60_000);
