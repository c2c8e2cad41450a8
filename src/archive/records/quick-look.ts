import type { PastFacts } from '../../agents/port/adapter.ts';
import type { AgentArchive } from '../../agents/port/archive.ts';
import type { FileRow } from '../rows.ts';
import { fileBytes, type RecordBytes } from './record-bytes.ts';

/** Enough for the first message and the last lines of nearly every record; for a longer one, a little less is shown until it is read. */
const END_BYTES = 64 * 1024;

interface Ends {
  readonly head: string;
  readonly tail: string;
}

/** Facts from the ends of a record, without reading what is between. */
export function quickLookAt(archive: AgentArchive, file: FileRow, endsOfRows: () => Ends): PastFacts {
  const { head, tail } = file.isDatabase ? endsOfRows() : endsOfFile(file.path);
  return archive.readFacts(head, tail);
}

function endsOfFile(path: string): Ends {
  const bytes = fileBytes(path);
  try {
    return endsOf(bytes);
  } finally {
    bytes.close();
  }
}

function endsOf(bytes: RecordBytes): Ends {
  const head = bytes.read(0, Math.min(bytes.size, END_BYTES)).toString('utf8');
  return { head, tail: bytes.size <= END_BYTES ? '' : bytes.read(Math.max(END_BYTES, bytes.size - END_BYTES), bytes.size).toString('utf8') };
}
