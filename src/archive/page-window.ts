import type { PastPage } from './archive.ts';
import type { ArchiveQueries } from './queries.ts';
import { branchPath } from './records/branching.ts';
import type { LineRow, SessionRow } from './rows.ts';

/** The lines of one page of a branch, in order, and which of their events are on it. */
export interface Window {
  readonly rows: readonly LineRow[];
  isOn(seq: number): boolean;
  readonly limit: number;
  /** Which end to cut when there are too many. */
  readonly cut: 'first' | 'last';
}

/** With `after`, the events that follow it; otherwise the last ones before `before`, or of all. */
export function windowOf(queries: ArchiveQueries, session: SessionRow, lastSeq: number, page: PastPage): Window {
  const before = Math.min(page.before ?? lastSeq + 1, lastSeq + 1);
  const { after = 0, limit } = page;
  const path = branchPath(queries.branches(session.key), page.branch ?? session.active);
  const isOn = (seq: number): boolean => seq > after && seq < before;
  if (page.after !== undefined) return { rows: forwards(queries, session.key, path, after, before, limit), isOn, limit, cut: 'last' };
  return { rows: backwards(queries, session.key, path, before, limit), isOn, limit, cut: 'first' };
}

type BranchPath = ReturnType<typeof branchPath>;

function forwards(queries: ArchiveQueries, session: number, path: BranchPath, after: number, before: number, limit: number): readonly LineRow[] {
  // The page may start in the middle of a line.
  const from = queries.lineOf(session, after + 1)?.seq ?? after + 1;
  const rows: LineRow[] = [];
  let passed = from - 1;
  for (const { branch, upTo } of path) {
    const end = Math.min(upTo, before - 1);
    if (passed < end && countOf(rows) < limit + 1) rows.push(...queries.linesAfter(session, branch, passed, end, limit + 1));
    passed = Math.max(passed, upTo);
  }
  return rows;
}

function backwards(queries: ArchiveQueries, session: number, path: BranchPath, before: number, limit: number): readonly LineRow[] {
  const rows: LineRow[] = [];
  for (let index = path.length - 1; index >= 0 && countOf(rows) < limit; index -= 1) {
    const branch = path[index]?.branch ?? 0;
    const end = Math.min(before, (path[index]?.upTo ?? 0) + 1);
    const start = path[index - 1]?.upTo ?? 0;
    if (start < end) rows.push(...queries.linesBefore(session, branch, end, start, limit));
  }
  return rows.reverse();
}

const countOf = (rows: readonly LineRow[]): number => rows.reduce((sum, row) => sum + row.events, 0);
