import { fullEvent, type ReadFullText } from '../../domain/search/full-text.ts';
import { type Database, intOf } from '../../journal/sqlite-driver.ts';
import type { IndexPart, PartWriter } from '../store/index-part.ts';
import { Batch } from './batch.ts';
import { facetOf } from './row-facts.ts';
import { type SearchReader, searchReader } from './search.ts';
import { SEARCH_SCHEMA, type SearchStatements, searchStatements } from './search-sql.ts';
import { InTransaction } from './transaction-state.ts';

/** The words of all sessions, and the files they touched. `blob` loads long texts for the writer. */
export const searchPart = (blob: ReadFullText = () => undefined): IndexPart<PartWriter, SearchReader> => ({
  name: 'search',
  version: 1,
  schema: SEARCH_SCHEMA,
  write: (db) => searchWriter(db, blob),
  read: searchReader,
});

function searchWriter(db: Database, blob: ReadFullText): PartWriter {
  const sql = searchStatements(db);
  let within = new InTransaction(sql);
  return {
    take: (session, events, _spent, texts) =>
      new Batch(sql, within, session).take(
        events.map((event) => fullEvent(event, blob)),
        texts,
      ),
    describe: (session) => new Batch(sql, within, session).describe(),
    ending: () => within.words.write(),
    ended: () => {
      within = new InTransaction(sql);
    },
    forget: (session) => forget(sql, within, session),
    clear: () => clear(db),
    tidy: () => tidy(sql),
  };
}

function forget(sql: SearchStatements, within: InTransaction, session: number): void {
  within.words.write();
  for (const row of sql.docsOf.all(`"${facetOf.session(session)}"`)) within.dropRow(intOf(row, 'id'));
  for (const statement of sql.forget) statement.run(session);
}

function clear(db: Database): void {
  const tables = ['docs', 'names', 'placed', 'calls', 'slots', 'touches'].map((table) => `DELETE FROM ${table}`);
  db.exec(`INSERT INTO words (words) VALUES ('delete-all'); ${tables.join(';')}; UPDATE spill SET slices = 0`);
}

/** Pages of the index that one step can write: a few milliseconds. */
const PAGES = 64;

/** FTS5 has merged nothing if a step changes less than this. */
const NOTHING = 2;

/** A smaller share of free pages is not worth writing: new rows will fill it. */
const FREE_SHARE = 1 / 64;

type TidyStatements = Pick<SearchStatements, 'merge' | 'changes' | 'pages' | 'vacuum'>;

/** Merges segments of similar size, then releases free pages. False if there is nothing to do. */
function tidy(sql: TidyStatements): boolean {
  const before = changesOf(sql);
  sql.merge.run(PAGES);
  if (changesOf(sql) - before >= NOTHING) return true;
  const { free = 0, pages = 0 } = sql.pages.get() ?? {};
  if (Number(free) <= Number(pages) * FREE_SHARE) return false;
  sql.vacuum.all();
  return true;
}

const changesOf = (sql: TidyStatements): number => Number(sql.changes.get()?.changes ?? 0);
