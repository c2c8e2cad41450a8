import type { AllowedRoots } from '../../folders/allowed-roots.ts';
import { createTreeReader, type TreeReader } from '../../git/tree-reader.ts';
import type { RawPage, RawQuery, RawRun, RawSide } from '../../protocol/api/raw.ts';
import type { RunId, SessionId } from '../../protocol/ids.ts';
import { type ChangesReader, createChangesReader } from './changes-reader.ts';
import { createTimelineReader, type TimelineReader } from './timeline-reader.ts';

/** The raw lines of a session's runs; `host/` implements it. */
export interface RawFiles {
  /** A session's runs, oldest first. */
  runs(session: SessionId): Promise<readonly RawRun[]>;
  /** How a run was started, and what its process is. */
  process(session: SessionId, run: RunId): Promise<RunProcess>;
  /** Every line of one side in full, with the byte at which it starts. */
  lines(session: SessionId, run: RunId, side: RawSide): AsyncIterable<{ readonly at: number; readonly text: string }>;
  page(session: SessionId, run: RawRun, query: Omit<RawQuery, 'run'>): Promise<Pick<RawPage, 'lines' | 'before' | 'after' | 'more'>>;
}

export interface RunProcess {
  readonly argv?: readonly string[];
  readonly cwd?: string;
  readonly pid?: number;
  /** The end of what it printed as errors. */
  readonly stderr?: string;
}

async function* noLines(): AsyncGenerator<never> {}

export const NO_RAW: RawFiles = { runs: async () => [], lines: noLines, process: async () => ({}), page: async () => ({ lines: [], after: 0, more: false }) };

/** What people can inspect next to a transcript: changes, files, timeline and raw lines. */
export interface Inspector {
  readonly changes: ChangesReader;
  readonly timeline: TimelineReader;
  readonly tree: TreeReader;
  readonly raw: RawFiles;
  /** Folders where sessions may run; nothing outside is shown. */
  readonly allowedRoots: AllowedRoots;
}

export const createInspector = (parts: { readonly raw?: RawFiles | undefined; readonly allowedRoots?: AllowedRoots | undefined }): Inspector => ({
  changes: createChangesReader(),
  timeline: createTimelineReader(),
  tree: createTreeReader(),
  raw: parts.raw ?? NO_RAW,
  allowedRoots: parts.allowedRoots ?? { roots: [], dataFolder: '/' },
});
