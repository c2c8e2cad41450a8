import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSession } from '../../protocol/ids.ts';
import { readAuditOfDeleted } from '../audit-of-deleted.ts';
import { syncFolder } from '../blobs.ts';
import type { Mirroring } from '../mirror.ts';
import { openSqliteJournal } from '../sqlite/open-journal.ts';
import { rebuildMarker } from '../sqlite/rebuild-marker.ts';
import { compareJournals, type Difference } from './compare-journals.ts';
import { type RebuiltSession, type Refold, rebuildSession } from './rebuild-session.ts';

export type { Refold, RefoldContext, Refolded } from './rebuild-session.ts';

export interface RebuildOptions {
  readonly dataDir: string;
  readonly refold: Refold;
  /** Used in the names of the files that are set aside. */
  readonly now: Date;
}

export interface RebuildReport {
  readonly sessions: number;
  readonly peopleEvents: number;
  readonly agentEvents: number;
  readonly receipts: number;
  readonly unreadableLines: number;
  /** Folders that yielded no session, and runs that could not be folded, each with the reason. */
  readonly skipped: readonly { readonly session: string; readonly reason: string }[];
  /** The old database, moved instead of deleted. */
  readonly keptAside: readonly string[];
}

export interface CheckReport extends RebuildReport {
  readonly differences: readonly Difference[];
}

type Counts = Pick<RebuildReport, 'peopleEvents' | 'agentEvents' | 'receipts' | 'unreadableLines'>;

/** Rebuilds journal.db from the session files, next to the old one, then replaces it. No server may be running. */
export async function rebuildJournal(options: RebuildOptions): Promise<RebuildReport> {
  const stamp = options.now.toISOString().replaceAll(':', '-');
  const built = await buildFromFiles(options, stamp);
  return { ...reportOf(built), keptAside: putInPlace(options.dataDir, built.folder, stamp) };
}

/** Compares journal.db with what the session files say, and changes neither. No server may be running. */
export async function checkJournal(options: RebuildOptions): Promise<CheckReport> {
  const built = await buildFromFiles(options, options.now.toISOString().replaceAll(':', '-'));
  try {
    const differences = compareJournals(options.dataDir, built.folder, [...built.reports.keys()]);
    return { ...reportOf(built), keptAside: [], differences };
  } finally {
    rmSync(built.folder, { recursive: true });
  }
}

interface Built {
  readonly folder: string;
  readonly reports: ReadonlyMap<string, RebuiltSession>;
  readonly skipped: RebuildReport['skipped'];
}

async function buildFromFiles(options: RebuildOptions, stamp: string): Promise<Built> {
  const folder = join(options.dataDir, `rebuild-${stamp}`);
  removeUnfinished(options.dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const journal = openSqliteJournal({ dataDir: folder, blobsFolder: join(options.dataDir, 'blobs'), mirror: ALREADY_MIRRORED });
  const skipped: { session: string; reason: string }[] = [];
  const reports = new Map<string, RebuiltSession>();
  try {
    for (const name of sessionFolders(options.dataDir)) {
      const outcome = await rebuildSession(journal, join(options.dataDir, 'sessions', name), name, options.refold);
      const reasons = 'reason' in outcome ? [outcome.reason] : outcome.unfolded;
      for (const reason of reasons) skipped.push({ session: name, reason });
      if (!('reason' in outcome)) reports.set(name, outcome);
    }
    journal.completeAudit(readAuditOfDeleted(options.dataDir), false);
    await journal.sync();
  } finally {
    journal.close();
  }
  return { folder, reports, skipped };
}

const reportOf = ({ reports, skipped }: Built) => ({
  ...summed([...reports.values()]),
  sessions: [...reports.keys()].filter(isSession).length,
  skipped,
});

/** A killed rebuild leaves its own new database, half finished. */
function removeUnfinished(dataDir: string): void {
  for (const name of readdirSync(dataDir)) if (name.startsWith('rebuild-')) rmSync(join(dataDir, name), { recursive: true });
}

/** The mirror files are our source: they stay unchanged. */
const ALREADY_MIRRORED: Mirroring = { append: () => undefined, flush: async () => undefined, forget: () => undefined };

function sessionFolders(dataDir: string): readonly string[] {
  const folder = join(dataDir, 'sessions');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

/** While the marker exists, no server opens the database: an old log next to a new database would ruin it. */
function putInPlace(dataDir: string, newFolder: string, stamp: string): readonly string[] {
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
  renameSync(join(newFolder, 'journal.db'), join(dataDir, 'journal.db'));
  syncFolder(dataDir);
  rmSync(rebuildMarker(dataDir));
  syncFolder(dataDir);
  rmSync(newFolder, { recursive: true });
  return kept;
}

function summed(reports: readonly RebuiltSession[]): Counts {
  const sum = (field: keyof Counts) => reports.reduce((total, report) => total + report[field], 0);
  return { peopleEvents: sum('peopleEvents'), agentEvents: sum('agentEvents'), receipts: sum('receipts'), unreadableLines: sum('unreadableLines') };
}
