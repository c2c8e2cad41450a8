import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../protocol/event.ts';
import { SessionId } from '../protocol/ids.ts';
import { syncFolder } from './blobs.ts';
import type { BlobKey, Journal, RunRow, StoredReceipt } from './journal.ts';
import { merge, type Woven } from './merge.ts';
import { MIRROR_FILE, type Mirroring } from './mirror.ts';
import { type MirrorContent, readMirror } from './mirror-file.ts';
import type { Unnumbered } from './numbered.ts';
import { outputLines, type RawLine, type RawRun, rawRuns } from './raw-runs.ts';
import { rebuildMarker } from './rebuild-marker.ts';
import { openSqliteJournal } from './sqlite.ts';

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

export interface RebuildOptions {
  readonly dataDir: string;
  readonly refold: Refold;
  /** Used in the names of what is put aside. */
  readonly now: Date;
}

export interface RebuildReport {
  readonly sessions: number;
  readonly peopleEvents: number;
  readonly agentEvents: number;
  readonly receipts: number;
  readonly unreadableLines: number;
  /** Folders from which no session could be made, and why. */
  readonly skipped: readonly { readonly session: string; readonly reason: string }[];
  /** The old database, moved and not deleted. */
  readonly keptAside: readonly string[];
}

type SessionReport = Pick<RebuildReport, 'peopleEvents' | 'agentEvents' | 'receipts' | 'unreadableLines'>;

/** Builds journal.db anew from the files of the sessions, beside the old one, and puts it in its place. No server may run meanwhile. */
export async function rebuildJournal(options: RebuildOptions): Promise<RebuildReport> {
  const stamp = options.now.toISOString().replaceAll(':', '-');
  const beside = join(options.dataDir, `rebuild-${stamp}`);
  removeUnfinished(options.dataDir);
  mkdirSync(beside, { recursive: true, mode: 0o700 });
  const journal = openSqliteJournal({ dataDir: beside, blobsFolder: join(options.dataDir, 'blobs'), mirror: ALREADY_MIRRORED });
  const skipped: { session: string; reason: string }[] = [];
  const reports: SessionReport[] = [];
  try {
    for (const name of sessionFolders(options.dataDir)) {
      const outcome = await rebuildSession(journal, options, name);
      if ('reason' in outcome) skipped.push({ session: name, reason: outcome.reason });
      else reports.push(outcome);
    }
    await journal.sync();
  } finally {
    journal.close();
  }
  const keptAside = putInPlace(options.dataDir, beside, stamp);
  return { ...summed(reports), sessions: reports.length, skipped, keptAside };
}

/** A rebuild that was killed left its own new database, half made. */
function removeUnfinished(dataDir: string): void {
  for (const name of readdirSync(dataDir)) if (name.startsWith('rebuild-')) rmSync(join(dataDir, name), { recursive: true });
}

/** The people's files are what we read from: they stay as they are. */
const ALREADY_MIRRORED: Mirroring = { append: () => undefined, flush: async () => undefined, forget: () => undefined };

function sessionFolders(dataDir: string): readonly string[] {
  const folder = join(dataDir, 'sessions');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

async function rebuildSession(journal: Journal, options: RebuildOptions, name: string): Promise<SessionReport | { readonly reason: string }> {
  const session = SessionId.safeParse(name);
  if (!session.success) return { reason: 'its name is not that of a session' };
  const folder = join(options.dataDir, 'sessions', name);
  const mirror = readMirror(join(folder, MIRROR_FILE));
  const people = mirror.events.map(({ event }) => event);
  if (people.some((event) => event.type === 'session.deleted')) return { reason: 'it was deleted' };
  if (people[0]?.type !== 'session.created') return { reason: `${MIRROR_FILE} does not begin with the making of the session` };

  const runs: { readonly row: RunRow; readonly refolded: Refolded }[] = [];
  for (const raw of await rawRuns(folder, session.data)) {
    const refolded = await options.refold(raw, outputLines(raw), { people, putBlob: (bytes) => journal.putBlob(bytes) });
    const { events: _, ...at } = refolded;
    runs.push({ row: { ...at, run: raw.run, session: session.data, inByte: raw.inByte }, refolded });
  }
  const merged = merge(
    mirror.events,
    runs.map(({ row, refolded }) => ({ run: row.run, events: refolded.events })),
  );
  writeSession(
    journal,
    session.data,
    merged,
    mirror,
    runs.map(({ row }) => row),
  );
  return { peopleEvents: people.length, agentEvents: merged.length - people.length, receipts: mirror.receipts.length, unreadableLines: mirror.unreadable };
}

const ENTRY_EVENTS = 500;

function writeSession(journal: Journal, session: SessionId, merged: readonly Woven[], mirror: MirrorContent, runs: readonly RunRow[]): void {
  const events = timed(merged);
  for (let from = 0; from < events.length; from += ENTRY_EVENTS) {
    journal.append({ session, after: from, at: '', events: events.slice(from, from + ENTRY_EVENTS) });
  }
  journal.append({ session, after: events.length, at: '', events: [], runs });
  for (const receipt of renumbered(mirror.receipts, merged)) journal.append({ session, after: events.length, at: '', events: [], receipt });
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

/** While the marker stands no server opens what lies there: an old log beside a new database would ruin it. */
function putInPlace(dataDir: string, beside: string, stamp: string): readonly string[] {
  writeFileSync(rebuildMarker(dataDir), stamp, { mode: 0o600 });
  syncFolder(dataDir);
  const kept: string[] = [];
  for (const suffix of ['-wal', '-shm', '']) {
    const path = join(dataDir, `journal.db${suffix}`);
    if (!existsSync(path)) continue;
    const aside = join(dataDir, `journal.db.damaged-${stamp}${suffix}`);
    renameSync(path, aside);
    kept.push(aside);
  }
  renameSync(join(beside, 'journal.db'), join(dataDir, 'journal.db'));
  syncFolder(dataDir);
  rmSync(rebuildMarker(dataDir));
  syncFolder(dataDir);
  rmSync(beside, { recursive: true });
  return kept;
}

function summed(reports: readonly SessionReport[]): SessionReport {
  const sum = (field: keyof SessionReport) => reports.reduce((total, report) => total + report[field], 0);
  return { peopleEvents: sum('peopleEvents'), agentEvents: sum('agentEvents'), receipts: sum('receipts'), unreadableLines: sum('unreadableLines') };
}
