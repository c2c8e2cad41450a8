import type { Grounds } from '../../folders/allowed-roots.ts';
import { createTreeReader, type TreeReader } from '../../git/tree-reader.ts';
import type { RawPage, RawQuery, RawRun } from '../../protocol/api/raw.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { type ChangesReader, createChangesReader } from './changes-reader.ts';
import { createTimelineReader, type TimelineReader } from './timeline-reader.ts';

/** What the files of a session's runs hold, line by line; `host/` implements it. */
export interface RawFiles {
  /** The runs of a session, oldest first. */
  runs(session: SessionId): Promise<readonly RawRun[]>;
  page(session: SessionId, run: RawRun, query: Omit<RawQuery, 'run'>): Promise<Pick<RawPage, 'lines' | 'before' | 'after' | 'more'>>;
}

export const NO_RAW: RawFiles = { runs: async () => [], page: async () => ({ lines: [], after: 0, more: false }) };

/** What stands beside a transcript: what was changed, where, when, and the very lines. */
export interface Sides {
  readonly changes: ChangesReader;
  readonly timeline: TimelineReader;
  readonly tree: TreeReader;
  readonly raw: RawFiles;
  /** Where sessions may be; nothing outside is shown. */
  readonly grounds: Grounds;
}

export const createSides = (parts: { readonly raw?: RawFiles | undefined; readonly grounds?: Grounds | undefined }): Sides => ({
  changes: createChangesReader(),
  timeline: createTimelineReader(),
  tree: createTreeReader(),
  raw: parts.raw ?? NO_RAW,
  grounds: parts.grounds ?? { roots: [], dataFolder: '/' },
});
