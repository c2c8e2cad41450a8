import type { ArchiveReader, PastBatch } from '../../archive/archive.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';

/** A past session from its start, page by page. */
export function* pagesOfPast(reader: Pick<ArchiveReader, 'batch'>, id: SessionId, size: number): Iterable<Pick<PastBatch, 'events' | 'spent'>> {
  let after = 0;
  for (;;) {
    const page = reader.batch(id, after, size);
    const last = page.events.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.seq;
  }
}

/** The journal's events of one session up to a number. */
export function* pagesOfOwn(journal: Pick<Journal, 'after'>, id: SessionId, upTo: number, size: number): Iterable<readonly Event[]> {
  let after = 0;
  while (after < upTo) {
    const events = journal.after(id, after, size).filter(({ seq }) => seq <= upTo);
    const last = events.at(-1);
    if (last === undefined) return;
    yield events;
    after = last.seq;
  }
}

/** The last event of a session at or before a position of the journal, while others append to it. */
export function ownUpTo(journal: Pick<Journal, 'after' | 'since'>, id: SessionId, position: number, size: number): number {
  let last = 0;
  // Read first: anything appended later is found below, after the position, or has a higher number.
  for (const events of pagesOfOwn(journal, id, Number.POSITIVE_INFINITY, size)) last = events.at(-1)?.seq ?? last;
  let from = position;
  for (;;) {
    const entries = journal.since(from, size);
    const later = entries.find(({ session }) => session === id);
    if (later !== undefined) return Math.min(last, later.event.seq - 1);
    if (entries.length < size) return last;
    from = entries.at(-1)?.position ?? from;
  }
}
