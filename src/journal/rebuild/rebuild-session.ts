import { join } from 'node:path';
import type { Event } from '../../protocol/event.ts';
import { isSession, type RunId, SessionId } from '../../protocol/ids.ts';
import type { BlobKey, Journal, RunRow, StoredReceipt } from '../journal.ts';
import { MIRROR_FILE } from '../mirror.ts';
import type { Unnumbered } from '../number-events.ts';
import { type MergedEvent, type MergeRun, merge } from './merge.ts';
import { type MirrorContent, type MirroredEvent, readMirror } from './mirror-file.ts';
import { outputLines, type RawLine, type RawRun, rawRuns } from './raw-runs.ts';

/** Folds a session's runs again, oldest first, as the engine did originally. Supplied by the code that knows the agents. */
export type Refold = (context: RefoldContext) => RefoldRun;
export type RefoldRun = (run: RawRun, lines: AsyncIterable<RawLine>) => Promise<Refolded>;

export interface RefoldContext {
  readonly session: SessionId;
  /** Everything the mirror has about the session, in order. */
  readonly mirrored: readonly MirroredEvent[];
  readonly putBlob: (bytes: Uint8Array) => BlobKey;
}

export interface Refolded extends Pick<RunRow, 'outByte' | 'adapterVersion' | 'foldState' | 'open'> {
  /** In the order of the lines, each with its line's `src.byte`; `at` if the agent printed a time. */
  readonly events: readonly Unnumbered[];
  /** How it ended, if neither the mirror nor anything else says so. */
  readonly end?: readonly Unnumbered[];
}

/** The result of rebuilding one session's folder. */
export interface RebuiltSession {
  /** From the mirror: what people did, and what no line of the agent can bring back. */
  readonly peopleEvents: number;
  readonly agentEvents: number;
  readonly receipts: number;
  readonly unreadableLines: number;
  /** Runs whose output could not be folded: it isn't in the journal, and stays in its files. */
  readonly unfolded: readonly string[];
}

/** Writes a session, or another stream, from its folder into a new journal, or returns why it can't. */
export async function rebuildSession(journal: Journal, folder: string, name: string, refold: Refold): Promise<RebuiltSession | { readonly reason: string }> {
  const session = SessionId.safeParse(name);
  if (!session.success) return { reason: 'its name is not a session id' };
  const mirror = readMirror(join(folder, MIRROR_FILE));
  const people = mirror.events.map(({ event }) => event);
  if (people.some((event) => event.type === 'session.deleted')) return { reason: 'it was deleted' };
  if (people[0]?.type !== 'session.created' && isSession(session.data)) return { reason: `${MIRROR_FILE} does not start with the creation of the session` };

  const raws = await rawRuns(folder, session.data);
  const foldRun = refold({ session: session.data, mirrored: mirror.events, putBlob: (bytes) => journal.putBlob(bytes) });
  const { runs, unfolded } = await refoldRuns(raws, foldRun);
  const without = runsWithoutFiles(session.data, people, raws);
  const merged = merge(mirror.events, [...runs.map(({ row, events, end }) => ({ run: row.run, events, ...(end && { end }) })), ...without.over]);
  const receipts = writeSession(journal, session.data, merged, mirror, [...runs.map(({ row }) => row), ...without.open]);
  return { peopleEvents: people.length, agentEvents: merged.length - people.length, receipts, unreadableLines: mirror.unreadable, unfolded };
}

/** One run that can't be folded (an unknown agent, a broken file) must not prevent all others from being restored. */
async function refoldRuns(raws: readonly RawRun[], foldRun: RefoldRun) {
  const runs: (Pick<Refolded, 'events' | 'end'> & { readonly row: RunRow })[] = [];
  const unfolded: string[] = [];
  for (const raw of raws) {
    try {
      const { events, end, ...at } = await foldRun(raw, outputLines(raw));
      runs.push({ row: { ...at, run: raw.run, session: raw.session, inByte: raw.inByte }, events, ...(end && { end }) });
    } catch (error) {
      unfolded.push(`run ${raw.run} could not be folded (${error instanceof Error ? error.message : String(error)}); its output stays in its files`);
    }
  }
  return { runs, unfolded };
}

/** A run that was opened and left no files never started. The last one stays open, so that the next server returns its messages to the queue. */
function runsWithoutFiles(session: SessionId, people: readonly Event[], raws: readonly RawRun[]) {
  const known = new Set<RunId>([...raws.map(({ run }) => run), ...people.flatMap((event) => (event.type === 'session.exited' ? [event.run] : []))]);
  const opened = people.flatMap((event) => (event.type === 'run.opened' ? [event.run] : []));
  const missing = [...new Set(opened)].filter((run) => !known.has(run));
  const last = missing.filter((run) => run === opened.at(-1));
  const over = missing.filter((run) => run !== opened.at(-1));
  return {
    open: last.map((run): RunRow => ({ run, session, outByte: 0, inByte: 0, adapterVersion: 0, foldState: null, open: true })),
    over: over.map((run): MergeRun => ({ run, events: [], end: [{ type: 'session.exited', run, reason: 'never-began' }] })),
  };
}

const ENTRY_EVENTS = 500;

function writeSession(journal: Journal, session: SessionId, merged: readonly MergedEvent[], mirror: MirrorContent, runs: readonly RunRow[]): number {
  const base = baseOf(merged);
  const last = base + merged.length;
  const events = timed(renamed(merged, base));
  for (let from = 0; from < events.length; from += ENTRY_EVENTS) {
    journal.append({ session, after: base + from, at: '', events: events.slice(from, from + ENTRY_EVENTS) });
  }
  journal.append({ session, after: last, at: '', events: [], runs });
  const receipts = renumbered(mirror.receipts, merged, base).filter(({ commandId }) => !journal.receipt(commandId));
  for (const receipt of receipts) journal.append({ session, after: last, at: '', events: [], receipt });
  return receipts.length;
}

/** For an adopted past session, only the events after those of its record are here. */
function baseOf([first]: readonly MergedEvent[]): number {
  return first?.body.type === 'session.created' ? (first.body.base ?? 0) : 0;
}

/** An agent's event without its own time happened after the event before it; exactly when is no longer known. */
function timed(merged: readonly MergedEvent[]): readonly Unnumbered[] {
  let at = merged[0]?.body.at ?? '';
  return merged.map(({ body }) => {
    if (body.at === undefined) return { ...body, at, atKnown: false };
    at = body.at;
    return body;
  });
}

const newNumbers = (merged: readonly MergedEvent[], base: number): ReadonlyMap<number, number> =>
  new Map(merged.flatMap(({ wasSeq }, index) => (wasSeq === undefined ? [] : [[wasSeq, base + index + 1] as const])));

/** A status refers to the event that caused it: by its new number, or by the same distance as before. */
function renamed(merged: readonly MergedEvent[], base: number): readonly MergedEvent[] {
  const numbers = newNumbers(merged, base);
  return merged.map((one, index) => {
    const { body, wasSeq } = one;
    if (body.type !== 'session.status' || body.causeSeq === undefined || wasSeq === undefined) return one;
    const causeSeq = numbers.get(body.causeSeq) ?? Math.max(base + 1, body.causeSeq + base + index + 1 - wasSeq);
    return { wasSeq, body: { ...body, causeSeq } };
  });
}

/** A receipt refers to the first event of its command, or the last one before it, by that event's new number. */
function renumbered(receipts: readonly StoredReceipt[], merged: readonly MergedEvent[], base: number): readonly StoredReceipt[] {
  const numbers = newNumbers(merged, base);
  return receipts.map((receipt) => ({ ...receipt, seq: numbers.get(receipt.seq) ?? Math.min(receipt.seq, base + merged.length) }));
}
