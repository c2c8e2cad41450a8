import type { Attic } from '../../domain/export/block.ts';
import { marksAfter } from '../../domain/transcript/fold-item-marked.ts';
import type { ItemMarks } from '../../domain/transcript/item.ts';
import type { Engine } from '../../engine/engine.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Session } from '../../protocol/session.ts';
import { contentTypeOf } from './blob-type.ts';
import { readEvents } from './read-events.ts';

/** What an exported document takes from outside the events, within its bounds. */
export async function openAttic(engine: Engine, session: Session): Promise<Attic> {
  const marks = await marksIn(engine, session);
  let imageBytes = 0;
  return {
    marks: (key) => marks.get(key),
    whole: ({ sha256, bytes }) => {
      const blob = bytes > LIMITS.exportTextBytes ? undefined : engine.blob(sha256);
      return blob === undefined ? undefined : Buffer.from(blob).toString('utf8');
    },
    picture: ({ sha256, bytes }) => {
      if (bytes > LIMITS.imageBytes || imageBytes + bytes > LIMITS.exportImagesBytes) return undefined;
      const uri = dataUri(engine.blob(sha256));
      if (uri !== undefined) imageBytes += bytes;
      return uri;
    },
  };
}

/** A note may be made long after its message: they are gathered first. */
async function marksIn(engine: Engine, session: Session): Promise<ReadonlyMap<string, ItemMarks>> {
  const marks = new Map<string, ItemMarks>();
  for await (const events of readEvents(engine, session.id, 0)) {
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
