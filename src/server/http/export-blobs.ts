import type { Attic } from '../../domain/export/block.ts';
import { marksAfter } from '../../domain/transcript/fold-item-marked.ts';
import type { ItemMarks } from '../../domain/transcript/item.ts';
import type { Event } from '../../protocol/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Session } from '../../protocol/session.ts';
import { contentTypeOf } from './blob-type.ts';
import { PastBlobs } from './past-session-blobs.ts';
import { readEvents } from './read-events.ts';
import type { Services } from './route.ts';

export type ExportSources = Pick<Services, 'engine' | 'library'>;

export interface FilledAttic extends Attic {
  /** Brings up what these events name, before they are written. */
  fetch(events: readonly Event[]): Promise<void>;
}

/** What an exported document takes from outside the events, within its bounds. */
export async function openAttic(services: ExportSources, session: Session): Promise<FilledAttic> {
  const marks = await marksIn(services, session);
  const blobs = new PastBlobs(
    services.library,
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

/** A note may be made long after its message: they are gathered first. */
async function marksIn(services: ExportSources, session: Session): Promise<ReadonlyMap<string, ItemMarks>> {
  const marks = new Map<string, ItemMarks>();
  // What a record tells bears no notes: those are in the journal.
  for await (const events of readEvents(services, session, session.past?.lastSeq ?? 0)) {
    for (const event of events) if (event.type === 'item.marked') marks.set(event.item, marksAfter(marks.get(event.item) ?? {}, event));
  }
  return marks;
}

/** By what the bytes are, not by what somebody called them. */
function dataUri(bytes: Uint8Array | undefined): string | undefined {
  const type = bytes === undefined ? '' : contentTypeOf(bytes);
  if (bytes === undefined || !type.startsWith('image/')) return undefined;
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}
