import type { Block } from '../../domain/export/block.ts';
import { blocksOf } from '../../domain/export/blocks.ts';
import { commentBlocks } from '../../domain/export/comments.ts';
import { HTML_FOOT, htmlHead, htmlOf } from '../../domain/export/html.ts';
import { markdownHead, markdownOf } from '../../domain/export/markdown.ts';
import { Segments } from '../../domain/export/segments.ts';
import type { Transcript } from '../../domain/transcript/transcript.ts';
import type { ExportFormat } from '../../protocol/http.ts';
import { safeJson, withoutCommands } from '../../protocol/odd-characters.ts';
import type { Session } from '../../protocol/session.ts';
import { type ExportSources, type LoadedContent, openExportContent } from './export-blobs.ts';
import { readEvents } from './read-events.ts';
import type { Services } from './route.ts';

type Sources = ExportSources & Pick<Services, 'engine' | 'annotations' | 'inspector'>;

/** Increased with every change of the JSON that readers must know about. */
const JSON_VERSION = 1;

/** A session as a document, in pieces. Each piece is made when the previous one has been read. */
export function exportDocument(services: Sources, session: Session, format: Exclude<ExportFormat, 'recording'>): AsyncGenerator<string> {
  return format === 'json' ? jsonDocument(services, session) : writtenDocument(services, session, format);
}

async function* jsonDocument(services: Sources, session: Session): AsyncGenerator<string> {
  yield `{"format":"signalbox-session","version":${JSON_VERSION},"session":${safeJson(session)},"events":[`;
  let separator = '\n';
  for await (const events of readEvents(services, session, 0)) {
    yield `${separator}${events.map((event) => safeJson(event)).join(',\n')}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

const WRITERS = {
  md: { head: markdownHead, block: markdownOf, foot: '' },
  html: { head: htmlHead, block: htmlOf, foot: HTML_FOOT },
} as const;

async function* writtenDocument(services: Sources, session: Session, format: 'md' | 'html'): AsyncGenerator<string> {
  const writer = WRITERS[format];
  const content = await openExportContent(services, session);
  yield withoutCommands(writer.head(session));
  for await (const block of blocksIn(services, session, content)) yield withoutCommands(writer.block(block));
  // Reading them reads the whole session again, so only where there are any.
  const comments = services.engine.annotated().includes(session.id) ? await services.annotations.ofSession(services, session) : [];
  for (const block of commentBlocks(session.cwd, comments)) yield withoutCommands(writer.block(block));
  yield writer.foot;
}

async function* blocksIn(services: Sources, session: Session, content: LoadedContent): AsyncGenerator<Block> {
  const written = new Set<string>();
  const segments = new Segments();
  for await (const events of readEvents(services, session, 0)) {
    await content.fetch(events);
    for (const event of events) {
      const closed = segments.add(event);
      if (closed !== undefined) yield* blocksFrom(closed, written, content);
    }
  }
  yield* blocksFrom(segments.rest(), written, content);
}

/** One item at a time, so that images are never all in memory. A message already written in the previous segment is skipped. */
function* blocksFrom(transcript: Transcript, written: Set<string>, content: LoadedContent): Generator<Block> {
  for (const key of transcript.rows) {
    if (written.has(key)) continue;
    if (transcript.items.get(key)?.kind === 'user') written.add(key);
    yield* blocksOf(transcript, [key], content);
  }
}
