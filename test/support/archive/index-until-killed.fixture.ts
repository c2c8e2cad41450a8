import { writeSync } from 'node:fs';
import type { PastBatch } from '../../../src/archive/archive.ts';
import { openArchiveIndexer } from '../../../src/archive/open-indexer.ts';
import { TOY, toyArchive } from './toy-archive.ts';

// Reads the records below a folder and says `<session> <number> <text>` of each event once it is durable. To be killed.
const [dataDir = '', root = ''] = process.argv.slice(2);

/** A full pipe takes the rest of the line once someone has read. */
function say(line: string): void {
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
    for (const event of events) say(`${session.agentSessionId} ${event.seq} ${'text' in event ? event.text : event.type}\n`);
  },
  listed: () => undefined,
  removed: () => undefined,
  grown: () => undefined,
};
const indexer = openArchiveIndexer({ dataDir, agents: [{ id: TOY, archive: toyArchive(root) }], env: {}, news, now: () => performance.now() });
indexer.sweep();
while (indexer.step());
say('ready\n');
setInterval(() => undefined, 60_000);
