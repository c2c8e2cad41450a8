import type { ExportContent } from '../../domain/export/block.ts';
import { marksAfter } from '../../domain/transcript/fold-item-marked.ts';
import type { ItemMarks } from '../../domain/transcript/item.ts';
import type { Event } from '../../protocol/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Session } from '../../protocol/session.ts';
import { contentTypeOf } from '../shared/blob-type.ts';
import { PastBlobs } from './past-session-blobs.ts';
import { readEvents } from './read-events.ts';
import type { Services } from './route.ts';

export type ExportSources = Pick<Services, 'engine' | 'sessionIndex'>;

export interface LoadedContent extends ExportContent {
  /** Loads what these events refer to, before they are written. */
  fetch(events: readonly Event[]): Promise<void>;
}

/** What an exported document needs besides the events, within its limits. */
export async function openExportContent(services: ExportSources, session: Session): Promise<LoadedContent> {
  const marks = await marksIn(services, session);
  const blobs = new PastBlobs(
    services.sessionIndex,
    (sha256) => services.engine.blob(sha256),
    (bytes) => bytes <= Math.max(LIMITS.exportTextBytes, LIMITS.imageBytes),
  );
  let imageBytes = 0;
  return {
    fetch: (events) => blobs.fetch(events),
    marks: (key) => marks.get(key),
    whole: ({ sha256, bytes }) => {
      const blob = bytes > LIMITS.exportTextBytes ? undefined : blobs.get(sha256);
      return blob === undefined ? undefined : Buffer.from(blob).toString('utf8');
    },
    picture: ({ sha256, bytes }) => {
      if (bytes > LIMITS.imageBytes || imageBytes + bytes > LIMITS.exportImagesBytes) return undefined;
      const uri = dataUri(blobs.get(sha256));
      if (uri !== undefined) imageBytes += bytes;
      return uri;
    },
  };
}

/** A note can be added long after its message, so all notes are collected first. */
async function marksIn(services: ExportSources, session: Session): Promise<ReadonlyMap<string, ItemMarks>> {
  const marks = new Map<string, ItemMarks>();
  // Notes are only in the journal, never in an agent's record.
  for await (const events of readEvents(services, session, session.past?.lastSeq ?? 0)) {
    for (const event of events) if (event.type === 'item.marked') marks.set(event.item, marksAfter(marks.get(event.item) ?? {}, event));
  }
  return marks;
}

/** Goes by the bytes, not by the declared type. */
function dataUri(bytes: Uint8Array | undefined): string | undefined {
  const type = bytes === undefined ? '' : contentTypeOf(bytes);
  if (bytes === undefined || !type.startsWith('image/')) return undefined;
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}
