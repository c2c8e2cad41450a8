import { isDeepStrictEqual } from 'node:util';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { openJournalReader } from '../sqlite/open-journal.ts';

/** An event that the journal and the files tell differently; without `type`, only one of them has it. */
export interface Difference {
  readonly session: string;
  readonly seq: number;
  readonly type?: string;
}

const PAGE = 1000;

/** Only the files know for certain what was said, so each event must be the one that they lead to. */
export function compareJournals(dataDir: string, rebuiltFolder: string, sessions: readonly string[]): readonly Difference[] {
  const stored = openJournalReader(dataDir);
  const rebuilt = openJournalReader(rebuiltFolder);
  const found: Difference[] = [];
  try {
    for (const session of sessions) {
      for (let after = 0, more = true; more; after += PAGE) {
        const page = (from: typeof stored) =>
          new Map(
            from
              .after(session as SessionId, after, PAGE)
              .filter((event) => event.seq <= after + PAGE)
              .map((event) => [event.seq, event]),
          );
        const [mine, theirs] = [page(stored), page(rebuilt)];
        for (const seq of [...new Set([...mine.keys(), ...theirs.keys()])].sort((a, b) => a - b)) {
          const [one, other] = [mine.get(seq), theirs.get(seq)];
          if (one === undefined || other === undefined) found.push({ session, seq });
          else if (!isDeepStrictEqual(contentOf(one), contentOf(other))) found.push({ session, seq, type: one.type });
        }
        more = stored.after(session as SessionId, after + PAGE, 1).length > 0 || rebuilt.after(session as SessionId, after + PAGE, 1).length > 0;
      }
    }
  } finally {
    stored.close();
    rebuilt.close();
  }
  return found;
}

/** The files don't tell when a line of an agent was seen. */
const contentOf = ({ at, atKnown: _known, ...event }: Event): unknown => (event.src === undefined ? { ...event, at } : event);
