import { join } from 'node:path';
import { type Event, HOUSE } from '../protocol/event.ts';
import { SessionId } from '../protocol/ids.ts';
import type { BlobKey, Journal, RunRow, StoredReceipt } from './journal.ts';
import { merge, type Woven } from './merge.ts';
import { MIRROR_FILE } from './mirror.ts';
import { type MirrorContent, readMirror } from './mirror-file.ts';
import type { Unnumbered } from './numbered.ts';
import { outputLines, type RawLine, type RawRun, rawRuns } from './raw-runs.ts';

/** Folds a run's output again, as the engine did when it came. Supplied by whoever knows the agents. */
export type Refold = (run: RawRun, lines: AsyncIterable<RawLine>, context: RefoldContext) => Promise<Refolded>;

export interface RefoldContext {
  /** Everything people did in the session, in order. */
  readonly people: readonly Event[];
  readonly putBlob: (bytes: Uint8Array) => BlobKey;
}

export interface Refolded extends Pick<RunRow, 'outByte' | 'adapterVersion' | 'foldState' | 'open'> {
  /** In the order of the lines, each with `src.byte` of its line; `at` where the agent told it. */
  readonly events: readonly Unnumbered[];
}

/** What became of one session's folder. */
export interface RebuiltSession {
  readonly peopleEvents: number;
  readonly agentEvents: number;
  readonly receipts: number;
  readonly unreadableLines: number;
  /** Runs whose output could not be folded: it is not in the journal, and stays in its files. */
  readonly unfolded: readonly string[];
}

/** Writes a session, or what belongs to the house itself, into a new journal from its folder, or says why it cannot be. */
export async function rebuildSession(journal: Journal, folder: string, name: string, refold: Refold): Promise<RebuiltSession | { readonly reason: string }> {
  const session = SessionId.safeParse(name);
  if (!session.success) return { reason: 'its name is not that of a session' };
  const mirror = readMirror(join(folder, MIRROR_FILE));
  const people = mirror.events.map(({ event }) => event);
  if (people.some((event) => event.type === 'session.deleted')) return { reason: 'it was deleted' };
  if (people[0]?.type !== 'session.created' && session.data !== HOUSE) return { reason: `${MIRROR_FILE} does not begin with the making of the session` };

  const { runs, unfolded } = await refoldRuns(journal, await rawRuns(folder, session.data), people, refold);
  const merged = merge(
    mirror.events,
    runs.map(({ row, events }) => ({ run: row.run, events })),
  );
  const rows = runs.map(({ row }) => row);
  const receipts = writeSession(journal, session.data, merged, mirror, rows);
  return { peopleEvents: people.length, agentEvents: merged.length - people.length, receipts, unreadableLines: mirror.unreadable, unfolded };
}

/** One run that cannot be folded (an agent that this version does not know, a broken file) must not keep all others from coming back. */
async function refoldRuns(journal: Journal, raws: readonly RawRun[], people: readonly Event[], refold: Refold) {
  const runs: { readonly row: RunRow; readonly events: readonly Unnumbered[] }[] = [];
  const unfolded: string[] = [];
  for (const raw of raws) {
    try {
      const { events, ...at } = await refold(raw, outputLines(raw), { people, putBlob: (bytes) => journal.putBlob(bytes) });
      runs.push({ row: { ...at, run: raw.run, session: raw.session, inByte: raw.inByte }, events });
    } catch (error) {
      unfolded.push(`run ${raw.run} could not be folded (${error instanceof Error ? error.message : String(error)}); its output stays in its files`);
    }
  }
  return { runs, unfolded };
}

const ENTRY_EVENTS = 500;

function writeSession(journal: Journal, session: SessionId, merged: readonly Woven[], mirror: MirrorContent, runs: readonly RunRow[]): number {
  const events = timed(merged);
  for (let from = 0; from < events.length; from += ENTRY_EVENTS) {
    journal.append({ session, after: from, at: '', events: events.slice(from, from + ENTRY_EVENTS) });
  }
  journal.append({ session, after: events.length, at: '', events: [], runs });
  const receipts = renumbered(mirror.receipts, merged).filter(({ commandId }) => !journal.receipt(commandId));
  for (const receipt of receipts) journal.append({ session, after: events.length, at: '', events: [], receipt });
  return receipts.length;
}

/** An agent's event without a time of its own was seen after the event before it; when exactly is no longer known. */
function timed(merged: readonly Woven[]): readonly Unnumbered[] {
  let at = merged[0]?.body.at ?? '';
  return merged.map(({ body }) => {
    if (body.at === undefined) return { ...body, at, atKnown: false };
    at = body.at;
    return body;
  });
}

/** A receipt names the first event of its command, or the last one before it: by the new number of that event. */
function renumbered(receipts: readonly StoredReceipt[], merged: readonly Woven[]): readonly StoredReceipt[] {
  const numbers = new Map(merged.flatMap(({ wasSeq }, index) => (wasSeq === undefined ? [] : [[wasSeq, index + 1] as const])));
  return receipts.map((receipt) => ({ ...receipt, seq: numbers.get(receipt.seq) ?? Math.min(receipt.seq, merged.length) }));
}
