import type { SearchStatements } from './search-sql.ts';

/** Pages of the index that one step may write: some milliseconds. */
const PAGES = 64;

/** FTS5 has merged nothing when a step changes less than this. */
const NOTHING = 2;

/** Less free room than this share is not worth the writing: new rows will fill it. */
const FREE_SHARE = 1 / 64;

type Tidying = Pick<SearchStatements, 'merge' | 'changes' | 'pages' | 'vacuum'>;

/** Brings segments of the index together where several of one size wait, then gives free pages back. False when there is neither. */
export function tidy(sql: Tidying): boolean {
  const before = changesOf(sql);
  sql.merge.run(PAGES);
  if (changesOf(sql) - before >= NOTHING) return true;
  const { free = 0, pages = 0 } = sql.pages.get() ?? {};
  if (Number(free) <= Number(pages) * FREE_SHARE) return false;
  sql.vacuum.all();
  return true;
}

const changesOf = (sql: Tidying): number => Number(sql.changes.get()?.changes ?? 0);
