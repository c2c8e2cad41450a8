import type { Attic, Block } from '../../domain/export/block.ts';
import { blocksOf } from '../../domain/export/blocks.ts';
import { HTML_FOOT, htmlHead, htmlOf } from '../../domain/export/html.ts';
import { markdownHead, markdownOf } from '../../domain/export/markdown.ts';
import { carriedOver, closedSegment } from '../../domain/export/segments.ts';
import { openTranscript, type Transcript } from '../../domain/transcript/transcript.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Event } from '../../protocol/event.ts';
import type { ExportFormat } from '../../protocol/http.ts';
import type { Session } from '../../protocol/session.ts';
import { openAttic } from './export-attic.ts';
import { readEvents } from './read-events.ts';

/** Raised with every change of the JSON that a reader must know. */
const JSON_VERSION = 1;

/** A session as a document, piece by piece, each made when the one before has been taken. */
export function exportDocument(engine: Engine, session: Session, format: ExportFormat): AsyncGenerator<string> {
  return format === 'json' ? jsonDocument(engine, session) : writtenDocument(engine, session, format);
}

async function* jsonDocument(engine: Engine, session: Session): AsyncGenerator<string> {
  yield `{"format":"signalbox-session","version":${JSON_VERSION},"session":${JSON.stringify(session)},"events":[`;
  let separator = '\n';
  for await (const events of readEvents(engine, session.id, 0)) {
    yield `${separator}${events.map((event) => JSON.stringify(event)).join(',\n')}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

const WRITERS = {
  md: { head: markdownHead, block: markdownOf, foot: '' },
  html: { head: htmlHead, block: htmlOf, foot: HTML_FOOT },
} as const;

async function* writtenDocument(engine: Engine, session: Session, format: 'md' | 'html'): AsyncGenerator<string> {
  const writer = WRITERS[format];
  const attic = await openAttic(engine, session);
  yield writer.head(session);
  for await (const block of blocksIn(engine, session, attic)) yield writer.block(block);
  yield writer.foot;
}

async function* blocksIn(engine: Engine, session: Session, attic: Attic): AsyncGenerator<Block> {
  const told = new Set<string>();
  let segment: Event[] = [];
  for await (const events of readEvents(engine, session.id, 0)) {
    for (const event of events) {
      segment.push(event);
      const closed = closedSegment(segment);
      if (closed === undefined) continue;
      yield* blocksOf(closed, fresh(closed, told), attic);
      segment = [...carriedOver(closed)];
    }
  }
  const rest = openTranscript(segment);
  yield* blocksOf(rest, fresh(rest, told), attic);
}

/** A message whose beginning was told in the segment before is not told again. */
function fresh(transcript: Transcript, told: Set<string>): readonly string[] {
  const keys = transcript.rows.filter((key) => !told.has(key));
  for (const key of keys) if (transcript.items.get(key)?.kind === 'user') told.add(key);
  return keys;
}
