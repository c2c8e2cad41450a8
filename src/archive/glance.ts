import type { PastFacts } from '../agents/adapter.ts';
import type { AgentArchive } from '../agents/archive.ts';
import type { RecordBytes } from './record-bytes.ts';

/** Enough for the first message and the last lines of nearly every record; a longer one tells a little less until it is read. */
export const END_BYTES = 64 * 1024;

/** What the ends of a record tell, without reading what lies between. */
export function glanceAt(archive: AgentArchive, bytes: RecordBytes): PastFacts {
  const head = bytes.read(0, Math.min(bytes.size, END_BYTES)).toString('utf8');
  const tail = bytes.size <= END_BYTES ? '' : bytes.read(Math.max(END_BYTES, bytes.size - END_BYTES), bytes.size).toString('utf8');
  return archive.glance(head, tail);
}
